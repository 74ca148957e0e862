import type http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A port that could not be opened; the message is one line and names it. */
export class PortError extends Error {
  override readonly name = 'PortError';
}

const REASONS: Record<string, string> = {
  EADDRINUSE: 'it is already in use',
  EACCES: 'this user may not open it',
  EADDRNOTAVAIL: 'this machine does not have the address',
  ENOTFOUND: 'the host name is unknown',
};

/**
 * Listens and returns the port, which matters when 0 was asked for.
 * @param options.exclusive under node:cluster, opens the port in this process instead of sharing the supervisor's
 * @throws {PortError}
 */
export async function listen(
  server: http.Server,
  options: { port: number; host: string; variable: string; exclusive: boolean },
): Promise<number> {
  const { port, host, variable, exclusive } = options;
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException) => {
      const reason = REASONS[error.code ?? ''] ?? error.message;
      const detail = `Cannot listen on ${host}:${port} (${variable}): ${reason} (${error.code})`;
      reject(new PortError(detail, { cause: error }));
    };
    server.once('error', failed);
    server.listen({ port, host, exclusive }, () => {
      server.off('error', failed);
      resolve();
    });
  });
  return (server.address() as AddressInfo).port;
}
