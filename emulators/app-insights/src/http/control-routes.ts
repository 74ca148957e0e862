import type { Emulator } from '../emulator.js';
import { EmulatorError } from '../errors.js';
import type { Route } from './routes.js';

const RECORDING = /^\/-\/recordings\/(?<id>[^/]+)$/;

/** Health, counters and recordings: what Azure has no API for. Only from this machine, except for health. */
export function controlRoutes(emulator: Emulator): Route[] {
  const health = { status: 200, body: { status: 'ok' } };
  const local = (handle: Route['handle']): Route['handle'] => {
    return (request) => {
      if (!isLoopback(request.message.socket.remoteAddress)) throw new EmulatorError('FORBIDDEN');
      return handle(request);
    };
  };
  return [
    { method: 'GET', path: /^\/-\/live$/, family: 'control', handle: () => health },
    { method: 'GET', path: /^\/-\/ready$/, family: 'control', handle: () => health },
    {
      method: 'GET',
      path: /^\/-\/stats$/,
      family: 'control',
      handle: local(() => ({ status: 200, body: emulator.stats() })),
    },
    {
      method: 'POST',
      path: /^\/-\/flush$/,
      family: 'control',
      handle: local(async () => {
        await emulator.flush();
        return { status: 200, body: emulator.stats() };
      }),
    },
    {
      method: 'PUT',
      path: RECORDING,
      family: 'control',
      handle: local(async ({ params }) => ({
        status: 201,
        body: await emulator.recordings.start(params.id ?? ''),
      })),
    },
    {
      method: 'DELETE',
      path: RECORDING,
      family: 'control',
      handle: local(async ({ params }) => ({
        status: 200,
        body: await emulator.recordings.stop(params.id ?? ''),
      })),
    },
  ];
}

const isLoopback = (address: string | undefined) =>
  address !== undefined && /^(?:::ffff:)?127\.|^::1$/.test(address);
