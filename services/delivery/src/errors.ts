import { errorTable } from '@bottleneck-lab/service-kit';

export const ERRORS = errorTable({
  DELIVERIES_NOT_FOUND: { status: 404, title: 'There are no deliveries of this owner and month' },
});
