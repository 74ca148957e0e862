import { errorTable } from '@bottleneck-lab/service-kit';

export const ERRORS = errorTable({
  PACKAGES_NOT_FOUND: { status: 404, title: 'There are no packages of this owner and month' },
});
