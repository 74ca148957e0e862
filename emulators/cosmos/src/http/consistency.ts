import { CosmosError } from '../errors.js';

/** The account's level is Session: requests may ask for it or for less, as in the service. */
const ALLOWED = ['Session', 'ConsistentPrefix', 'Eventual'];
const STRONGER = ['Strong', 'BoundedStaleness'];

/** @param level of the header `x-ms-consistency-level`; what is asked for changes nothing here, as there is one replica */
export function assertConsistencyLevel(level: string | undefined): void {
  if (level === undefined || ALLOWED.includes(level)) return;
  throw new CosmosError(
    'badRequest',
    STRONGER.includes(level)
      ? `Consistency level ${level} specified in the request is invalid when service is configured with consistency level Session. ` +
          'Ensure the request consistency level is not stronger than the service consistency level.'
      : `Consistency level ${JSON.stringify(level)} is unknown; there are ${[...STRONGER, ...ALLOWED].join(', ')}.`,
  );
}
