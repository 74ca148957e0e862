import net from 'node:net';

/**
 * Ports that are free on `host` now. All are held open together before any is released, so they differ.
 * Another program may take one in between; whoever listens then reports a busy port by its number.
 */
export async function findFreePorts(count: number, host = '127.0.0.1'): Promise<number[]> {
  const servers = await Promise.all(Array.from({ length: count }, () => listen({ host, port: 0 })));
  const ports = servers.map((server) => (server.address() as net.AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

/** Whether `port` can be listened on. */
export async function isPortFree(port: number, host = '127.0.0.1'): Promise<boolean> {
  try {
    const server = await listen({ host, port });
    await new Promise((resolve) => server.close(resolve));
    return true;
  } catch {
    return false;
  }
}

function listen(options: { host: string; port: number }): Promise<net.Server> {
  return new Promise((resolve, reject) => {
    // `exclusive` keeps node:cluster from sharing the probe with a worker.
    const server = net.createServer();
    server.once('error', reject);
    server.listen({ ...options, exclusive: true }, () => resolve(server));
  });
}
