/** A request to the console's API; rejects with the server's own words. */
export async function call<Result>(
  path: string,
  options: { method?: 'GET' | 'POST'; body?: unknown; signal?: AbortSignal } = {},
): Promise<Result> {
  const { method = 'GET', body, signal } = options;
  const response = await fetch(path, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: Error) => {
    if (cause.name === 'AbortError') throw cause;
    throw new Error('the console did not answer', { cause });
  });
  const answer = await response.json().catch(() => ({}));
  if (response.ok) return answer as Result;
  const { detail, title } = answer as { detail?: string; title?: string };
  throw new Error(detail ?? title ?? `status ${response.status}`);
}

export const path = (base: string, query: Record<string, string | number | undefined>): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? base : `${base}?${new URLSearchParams(given.map(([k, v]) => [k, String(v)]))}`;
};
