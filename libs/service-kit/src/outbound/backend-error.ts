import { PROBLEM_CONTENT_TYPE, problem } from '@bottleneck-lab/contracts';
import { ERRORS, type ErrorRow, ServiceError } from '../errors.js';
import type { Answer, NoAnswerError } from './attempt.js';

/** A call that a backend did not answer as it should; names the backend. */
export class BackendError extends ServiceError {
  readonly backend: string;
  /** The backend's own status and code, where it answered with a problem document. */
  readonly answered: { status?: number; code?: string };

  constructor(
    row: ErrorRow,
    options: {
      backend: string;
      detail: string;
      cause?: unknown;
      answered?: { status?: number; code?: string };
    },
  ) {
    const { backend, detail, cause, answered = {} } = options;
    super(row, { detail: `${backend} ${detail}`, cause, extensions: { backend } });
    this.backend = backend;
    this.answered = answered;
  }
}

/** Aborts an attempt whose time is over. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  readonly code = 'TIMEOUT';
}

/** Aborts an attempt nobody waits for any more. */
export class Cancelled extends Error {
  override readonly name = 'Cancelled';
  readonly code = 'CANCELLED';
}

export function errorOfNoAnswer(backend: string, failure: NoAnswerError, deadlineMs: number): BackendError {
  const cause = failure.cause;
  if (cause instanceof DeadlineExceeded) {
    return new BackendError(ERRORS.BACKEND_TIMEOUT, {
      backend,
      detail: `did not answer within ${deadlineMs} ms`,
      cause,
    });
  }
  if (cause instanceof Cancelled) {
    return new BackendError(ERRORS.CLIENT_LEFT, { backend, detail: 'was cancelled', cause });
  }
  if (failure.code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') {
    return new BackendError(ERRORS.BACKEND_BAD_ANSWER, { backend, detail: 'sent more than is taken', cause });
  }
  return new BackendError(ERRORS.BACKEND_UNREACHABLE, {
    backend,
    detail: `gave no answer: ${failure.code}`,
    cause,
  });
}

export function errorOfAnswer(backend: string, answer: Answer): BackendError {
  const { status } = answer;
  const document = readProblem(answer);
  const said = document?.detail ?? document?.title;
  const detail = `answered ${status}${document ? ` ${document.code}` : ''}${said ? `: ${said}` : ''}`;
  const row = status === 404 ? ERRORS.BACKEND_NOT_FOUND : ERRORS.BACKEND_FAILED;
  return new BackendError(row, { backend, detail, answered: { status, code: document?.code } });
}

function readProblem({ headers, text }: Answer) {
  if (!String(headers['content-type']).startsWith(PROBLEM_CONTENT_TYPE)) return undefined;
  try {
    return problem.safeParse(JSON.parse(text)).data;
  } catch {
    // A problem document that is not JSON: the status still says enough.
    return undefined;
  }
}
