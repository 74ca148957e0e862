/** Calls back shortly after each whole wall-clock second, when the second before is finished everywhere. */
export function everySecond(
  callback: () => void,
  { afterMs = 150, now = Date.now }: { afterMs?: number; now?: () => number } = {},
): { stop: () => void } {
  let timer: NodeJS.Timeout;
  const schedule = () => {
    const sinceSecond = now() % 1000;
    const wait = sinceSecond < afterMs ? afterMs - sinceSecond : 1000 - sinceSecond + afterMs;
    timer = setTimeout(() => {
      callback();
      schedule();
    }, wait);
  };
  schedule();
  return { stop: () => clearTimeout(timer) };
}
