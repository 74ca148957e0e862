import { errorTable } from '@bottleneck-lab/service-kit';

export const ERRORS = errorTable({
  UTILIZATION_NOT_FOUND: { status: 404, title: 'There is no drone utilization of this owner and month' },
});
