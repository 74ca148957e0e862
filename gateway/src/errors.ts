import { errorTable } from '@bottleneck-lab/service-kit';

/** How an invoice can fail. Each answer names the backends that failed, with their own code. */
export const ERRORS = errorTable({
  INVOICE_NOT_FOUND: { status: 404, title: 'There is no invoice for this owner and month' },
  INVOICE_BACKEND_FAILED: { status: 502, title: 'A part of the invoice could not be had' },
  INVOICE_BACKEND_LATE: { status: 504, title: 'A part of the invoice did not come in time' },
});
