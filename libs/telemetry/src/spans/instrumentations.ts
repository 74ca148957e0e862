import { createRequire } from 'node:module';
import type { Instrumentation } from '@opentelemetry/instrumentation';
import type { HttpInstrumentationConfig } from '@opentelemetry/instrumentation-http';
import {
  UndiciInstrumentation,
  type UndiciInstrumentationConfig,
} from '@opentelemetry/instrumentation-undici';
import { CosmosInstrumentation } from '../cosmos/instrumentation.js';
import { PEER_SERVICE } from './attributes.js';

/** Health, readiness and statistics: asked for by machines, every second. */
const PROBES = /^\/-\//;

/** Incoming requests. Outgoing ones of `node:http` are the Cosmos DB SDK's, which has an instrumentation of its own. */
export function httpConfig(): HttpInstrumentationConfig & { enabled: true } {
  return {
    enabled: true,
    disableOutgoingRequestInstrumentation: true,
    ignoreIncomingRequestHook: (request) => PROBES.test(request.url ?? ''),
  };
}

/** Calls between services go through undici, which the http instrumentation does not see. */
function undiciConfig(peers: ReadonlyMap<string, string>): UndiciInstrumentationConfig {
  return {
    requireParentforSpans: true,
    startSpanHook(request) {
      const role = peers.get(request.origin);
      return role === undefined ? {} : { [PEER_SERVICE]: role };
    },
  };
}

/** Of what this application calls: other services by undici, the database by its SDK. */
export function callInstrumentations(peers: ReadonlyMap<string, string>): Instrumentation[] {
  return [new UndiciInstrumentation(undiciConfig(peers)), new CosmosInstrumentation()];
}

/**
 * Instrumentations of http act when somebody calls `require('http')`, which a program of ES modules may never do. What it changes is
 * the one object that a default import of `node:http` holds as well.
 */
export function applyHttpInstrumentation(): void {
  const require = createRequire(import.meta.url);
  require('node:http');
  require('node:https');
}
