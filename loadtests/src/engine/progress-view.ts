import { formatDuration } from './duration.js';
import type { TestProgress } from './test-run.js';

const BAR_WIDTH = 30;
const PERIOD_MS = 500;

/** The lines that show a running test: one bar per scenario and the totals. */
export function progressLines(progress: TestProgress, descriptions: ReadonlyMap<string, string>): string[] {
  const { vusActive, vusInitialized, iterationsCompleted, iterationsInterrupted, elapsedMs, phase } =
    progress;
  const length = formatDuration(Math.round(elapsedMs / 100) * 100);
  const totals =
    `${phase} (${length}), ${vusActive}/${vusInitialized} VUs, ` +
    `${iterationsCompleted} complete and ${iterationsInterrupted} interrupted iterations`;
  const bars = progress.scenarios.map(({ name, share }) => {
    const done = Math.round(share * BAR_WIDTH);
    const bar = `${'='.repeat(done)}${'-'.repeat(BAR_WIDTH - done)}`;
    const percent = String(Math.floor(share * 100)).padStart(3);
    return `${name.padEnd(12)} [${bar}] ${percent}%  ${descriptions.get(name) ?? ''}`;
  });
  return [totals, ...bars];
}

/** Redraws the progress in place on a terminal. */
export class ProgressView {
  readonly #write: (text: string) => void;
  readonly #render: () => string[];
  #timer: NodeJS.Timeout | undefined;
  #drawn = 0;

  constructor(render: () => string[], write: (text: string) => void) {
    this.#render = render;
    this.#write = write;
  }

  start(): void {
    this.#timer = setInterval(() => this.#draw(), PERIOD_MS);
  }

  /** Writes something else above the progress. */
  interleave(text: string): void {
    this.#clear();
    this.#write(text);
    if (this.#timer !== undefined) this.#draw();
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#clear();
  }

  #draw(): void {
    this.#clear();
    const lines = this.#render();
    this.#write(`${lines.join('\n')}\n`);
    this.#drawn = lines.length;
  }

  #clear(): void {
    // Up to the first drawn line, then erase to the end of the screen.
    if (this.#drawn > 0) this.#write(`\u001b[${this.#drawn}A\u001b[0J`);
    this.#drawn = 0;
  }
}
