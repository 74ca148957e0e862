/** The short code of a failure without an answer, for rows and messages: `ECONNREFUSED`, `UND_ERR_SOCKET`. */
export function causeCode(error: unknown): string {
  let fallback = 'UNKNOWN';
  // The innermost code says most: a client's "fetch failed" wraps the socket's ECONNRESET.
  for (let e = error; e instanceof Error; e = e.cause) {
    if ('code' in e && typeof e.code === 'string') fallback = e.code;
    else if (fallback === 'UNKNOWN' && e.name !== 'Error') fallback = e.name;
    if (e instanceof AggregateError && e.errors.length > 0) return causeCode(e.errors[0]);
  }
  if (fallback === 'UNKNOWN' && error instanceof Error) return error.message.slice(0, 100);
  return fallback;
}
