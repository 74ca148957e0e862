import type { CosmosClientOptions } from '@azure/cosmos';
import { currentRequest } from '../http/request-context.js';
import { causeCode } from '../outbound/cause-code.js';
import type { StatsRecorder } from '../stats/recorder.js';
import { type CosmosRequest, containerOf, dependencyTypeOf, partitionOf } from './attempt-kind.js';

interface CosmosAnswer {
  code?: number | string;
  headers?: Record<string, unknown>;
}

/** The SDK calls a request plugin around every attempt, throttled ones, query plans and metadata included. */
interface RequestPlugin {
  on: 'request';
  plugin(
    request: CosmosRequest,
    diagnostics: unknown,
    next: (request: CosmosRequest) => Promise<CosmosAnswer>,
  ): Promise<CosmosAnswer>;
}

/** Client options that record each attempt as a dependency row. `onOutcome` sees every result, for readiness. */
export function recordAttempts(
  stats: StatsRecorder,
  onOutcome: (outcome: { failure?: unknown }) => void,
): Partial<CosmosClientOptions> {
  // The SDK repeats a request with the same headers object, which is what makes two attempts the same request.
  const attempts = new WeakMap<object, number>();
  const plugin: RequestPlugin['plugin'] = async (request, _diagnostics, next) => {
    const identity = request.headers ?? request;
    const attempt = (attempts.get(identity) ?? 0) + 1;
    attempts.set(identity, attempt);
    const type = dependencyTypeOf(request);
    const container = containerOf(request);
    const startedAtMs = performance.now();
    const record = (resultCode: string, headers: Record<string, unknown> = {}) =>
      stats.recordDependency({
        operation: currentRequest()?.operation ?? '',
        ...{ type, target: container, resultCode, partition: partitionOf(request, headers) },
        durationMs: performance.now() - startedAtMs,
        retry: attempt > 1,
        requestCharge: numberOf(headers['x-ms-request-charge']),
        retryWaitMs: resultCode === '429' ? numberOf(headers['x-ms-retry-after-ms']) : 0,
      });
    try {
      const answer = await next(request);
      record(String(answer.code), answer.headers);
      onOutcome({});
      return answer;
    } catch (error) {
      const { code, headers } = error as CosmosAnswer;
      record(typeof code === 'number' ? String(code) : shortCode(error), headers);
      onOutcome({ failure: error });
      throw error;
    }
  };
  // `plugins` is a documented type of the SDK that its client options leave out.
  return { plugins: [{ on: 'request', plugin }] } as Partial<CosmosClientOptions>;
}

function shortCode(error: unknown): string {
  return error instanceof Error && error.name === 'AbortError' ? 'CANCELLED' : causeCode(error);
}

function numberOf(header: unknown): number {
  const value = Number(header ?? 0);
  return Number.isFinite(value) && value > 0 ? value : 0;
}
