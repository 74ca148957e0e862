/** What k6 reports in a response's `error` and `error_code` when there was no answer. */
export interface NetworkFailure {
  readonly code: number;
  readonly message: string;
}

interface SystemError extends Error {
  code?: string;
  hostname?: string;
  address?: string;
  port?: number;
}

export const REQUEST_TIMEOUT: NetworkFailure = { code: 1050, message: 'request timeout' };
export const INVALID_URL = 1020;
const TLS_CODES = /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_MISMATCH)/;

/** Codes as k6 documents them: 1050 timeout, 11xx name lookup, 12xx TCP, 13xx TLS, 1000 otherwise. */
export function describeFailure(thrown: unknown): NetworkFailure {
  const error = rootError(thrown);
  const where = error.address === undefined ? '' : ` ${error.address}:${error.port}`;
  switch (error.code) {
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return { code: 1101, message: `lookup ${error.hostname}: no such host` };
    case 'EPIPE':
      return { code: 1201, message: 'write: broken pipe' };
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return { code: 1211, message: 'dial: i/o timeout' };
    case 'ECONNREFUSED':
      return { code: 1212, message: `dial tcp${where}: connect: connection refused` };
    case 'ECONNRESET':
      return { code: 1220, message: 'read: connection reset by peer' };
    case 'UND_ERR_SOCKET':
      return { code: 1000, message: 'EOF' };
    default:
      if (TLS_CODES.test(error.code ?? '')) return { code: 1310, message: `x509: ${error.message}` };
      return { code: error.code?.startsWith('E') ? 1213 : 1000, message: error.message };
  }
}

/** Dual-stack connection attempts fail with one error that holds several. */
function rootError(thrown: unknown): SystemError {
  if (thrown instanceof AggregateError && thrown.errors.length > 0) return thrown.errors[0] as SystemError;
  return thrown instanceof Error ? (thrown as SystemError) : new Error(String(thrown));
}
