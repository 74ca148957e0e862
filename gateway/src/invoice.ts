import {
  deliveriesSummary,
  droneUtilization,
  type Invoice,
  type OwnerMonth,
  packagesSummary,
  ROUTES,
} from '@bottleneck-lab/contracts';
import { type Backend, BackendError, ServiceError } from '@bottleneck-lab/service-kit';
import { allOrFirstFailure, FirstFailure } from './all-or-first-failure.js';
import { ERRORS } from './errors.js';

export interface Backends {
  delivery: Backend;
  package: Backend;
  droneUtilization: Backend;
}

/**
 * An owner's invoice of one month, gathered from three backends in parallel.
 * @throws {ServiceError} a row of the gateway's table, naming the backends that failed
 */
export async function getInvoice(
  backends: Backends,
  request: { query: OwnerMonth; signal: AbortSignal },
): Promise<Invoice> {
  const { ownerId, year, month } = request.query;
  const search = `?ownerId=${ownerId}&year=${year}&month=${month}`;
  try {
    return await allOrFirstFailure<Invoice>(
      {
        deliveries: (signal) =>
          backends.delivery.get({
            path: ROUTES.deliveriesSummary + search,
            schema: deliveriesSummary,
            signal,
          }),
        drones: (signal) =>
          backends.droneUtilization.get({
            path: ROUTES.droneUtilization + search,
            schema: droneUtilization,
            signal,
          }),
        packages: (signal) =>
          backends.package.get({ path: ROUTES.packagesSummary + search, schema: packagesSummary, signal }),
      },
      request.signal,
    );
  } catch (error) {
    throw error instanceof FirstFailure ? invoiceError(error) : error;
  }
}

function invoiceError(failure: FirstFailure): unknown {
  const [first] = failure.failures;
  if (!(first instanceof BackendError) || first.row.code === 'CLIENT_LEFT') return first;
  // What was cancelled because of the first failure has not failed itself.
  const failed = failure.failures.filter(
    (f): f is BackendError => f instanceof BackendError && f.row.code !== 'CLIENT_LEFT',
  );
  return new ServiceError(rowFor(first), {
    detail: failed.map((f) => f.message).join('; '),
    cause: failure,
    extensions: {
      backends: failed.map((f) => ({
        name: f.backend,
        code: f.row.code,
        detail: f.message,
        answered: f.answered,
      })),
    },
  });
}

function rowFor(first: BackendError) {
  if (first.row.code === 'BACKEND_NOT_FOUND') return ERRORS.INVOICE_NOT_FOUND;
  return first.row.code === 'BACKEND_TIMEOUT' ? ERRORS.INVOICE_BACKEND_LATE : ERRORS.INVOICE_BACKEND_FAILED;
}
