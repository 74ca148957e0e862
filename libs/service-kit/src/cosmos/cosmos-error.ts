import { ERRORS, type ErrorRow, ServiceError } from '../errors.js';
import { causeCode } from '../outbound/cause-code.js';

interface SdkError {
  code?: number | string;
  retryAfterInMs?: number;
  message?: string;
}

/**
 * Whether the account could not be reached at all, as opposed to having answered with an error.
 */
export function isUnreachable(error: unknown): boolean {
  const { code } = error as SdkError;
  return error instanceof Error && error.name !== 'AbortError' && typeof code !== 'number';
}

/** The table's row for a failure the SDK has given up on. An abort by the caller becomes CLIENT_LEFT. */
export function cosmosError(error: unknown, container: string): ServiceError {
  const { code, retryAfterInMs, message } = error as SdkError;
  const make = (row: ErrorRow, detail: string, headers: Record<string, string> = {}) =>
    new ServiceError(row, { detail, cause: error, headers, extensions: { container } });
  if (error instanceof Error && error.name === 'AbortError')
    return make(ERRORS.CLIENT_LEFT, 'The query was cancelled');
  if (code === 429) {
    const seconds = Math.max(1, Math.ceil((retryAfterInMs ?? 0) / 1_000));
    return make(ERRORS.COSMOS_THROTTLED, `Container ${container} is out of request units`, {
      'retry-after': String(seconds),
    });
  }
  if (isUnreachable(error))
    return make(ERRORS.COSMOS_UNREACHABLE, `No answer from Cosmos DB: ${causeCode(error)}`);
  if (code === 401 || code === 403)
    return make(ERRORS.COSMOS_REFUSED, `Cosmos DB answered ${code}: ${firstLine(message)}`);
  if (code === 404)
    return make(ERRORS.COSMOS_NOT_SET_UP, `Container ${container} or its database does not exist`);
  if (code === 503) return make(ERRORS.COSMOS_UNREACHABLE, 'Cosmos DB answered 503');
  return make(ERRORS.COSMOS_FAILED, `Cosmos DB answered ${code}: ${firstLine(message)}`);
}

const firstLine = (text = '') => text.split('\n')[0]?.slice(0, 200) ?? '';
