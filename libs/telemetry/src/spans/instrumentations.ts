import { ClientRequest, IncomingMessage, type RequestOptions } from 'node:http';
import { createRequire } from 'node:module';
import type { Span } from '@opentelemetry/api';
import { HttpInstrumentation, type HttpInstrumentationConfig } from '@opentelemetry/instrumentation-http';
import {
  UndiciInstrumentation,
  type UndiciInstrumentationConfig,
} from '@opentelemetry/instrumentation-undici';
import { CosmosSpans } from '../cosmos/cosmos-spans.js';
import { PEER_SERVICE } from './attributes.js';

/** Health, readiness and statistics: asked for by machines, every second. */
const PROBES = /^\/-\//;

/** Where cloud platforms answer questions about the machine; detectors of the SDK ask there once. */
const METADATA_ADDRESS = '169.254.169.254';

/** Incoming requests, and outgoing ones of `node:http`, which is what the Cosmos DB SDK uses: one span per attempt. */
export function httpConfig(cosmos = new CosmosSpans()): HttpInstrumentationConfig & { enabled: true } {
  return {
    enabled: true,
    ignoreIncomingRequestHook: (request) => PROBES.test(request.url ?? ''),
    ignoreOutgoingRequestHook: (options: RequestOptions) =>
      (options.host ?? options.hostname) === METADATA_ADDRESS,
    // Probing a database in the background is not part of any operation.
    requireParentforOutgoingSpans: true,
    requestHook(span: Span, request) {
      if (request instanceof ClientRequest) cosmos.requestStarts(span, request);
    },
    responseHook(span: Span, response) {
      if (response instanceof IncomingMessage) cosmos.answerArrives(span, response);
    },
  };
}

/** Calls between services go through undici, which the http instrumentation does not see. */
export function undiciConfig(peers: ReadonlyMap<string, string>): UndiciInstrumentationConfig {
  return {
    requireParentforSpans: true,
    startSpanHook(request) {
      const role = peers.get(request.origin);
      return role === undefined ? {} : { [PEER_SERVICE]: role };
    },
  };
}

export function instrumentations(peers: ReadonlyMap<string, string>) {
  return {
    http: new HttpInstrumentation(httpConfig()),
    undici: new UndiciInstrumentation(undiciConfig(peers)),
  };
}

/**
 * The http instrumentation acts when somebody calls `require('http')`, which a program of ES modules may never do. What it changes is
 * the one object that a default import of `node:http` holds as well.
 */
export function applyHttpInstrumentation(): void {
  const require = createRequire(import.meta.url);
  require('node:http');
  require('node:https');
}
