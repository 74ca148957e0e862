import { CosmosError } from '../errors.js';
import { SqlError } from '../sql/index.js';

/** A query that can't be understood is a 400 in the service's form: the position, as characters from the start. */
export function translated<T>(run: () => T): T {
  try {
    return run();
  } catch (cause) {
    if (!(cause instanceof SqlError)) throw cause;
    const errors = [
      {
        severity: 'Error',
        location: { start: cause.position, end: cause.end },
        code: cause.code,
        message: cause.message,
      },
    ];
    throw new CosmosError('badRequest', `Message: ${JSON.stringify({ errors })}`, {
      cause,
      body: { errors },
    });
  }
}
