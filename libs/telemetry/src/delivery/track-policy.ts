import { DEPENDENCY_TYPE } from '../spans/attributes.js';
import { Delivery } from './delivery-counts.js';

/** The parts of core-rest-pipeline's request and response that are used; the SDK exports no types for them. */
interface PipelineRequest {
  url: string;
  body?: unknown;
}
interface PipelineResponse {
  status: number;
  bodyAsText?: string | null;
}

interface TrackItem {
  data?: { baseData?: { type?: string; properties?: Record<string, string> } };
}

export interface TrackPolicy {
  name: string;
  sendRequest<R extends PipelineRequest, A extends PipelineResponse>(
    request: R,
    next: (request: R) => Promise<A>,
  ): Promise<A>;
}

/**
 * The last look at a batch before it goes to the ingestion endpoint: gives dependencies their type, as the exporter has no attribute
 * for it, and counts what arrives. It stands outside of the retries, so that it sees how a batch ends.
 */
export function trackPolicy(): TrackPolicy {
  return {
    name: 'bottleneck-lab.track',
    async sendRequest(request, next) {
      if (typeof request.body === 'string') request.body = withDependencyTypes(request.body);
      const items = itemsIn(request.body);
      const delivery = new Delivery(items);
      try {
        const response = await next(request);
        const { accepted, reason } = outcomeOf(response, items);
        delivery.end(accepted, reason);
        return response;
      } catch (error) {
        delivery.end(0, (error as Error).message);
        throw error;
      }
    },
  };
}

/** Most batches hold no such dependency and stay as they are. */
export function withDependencyTypes(body: string): string {
  if (!body.includes(`"${DEPENDENCY_TYPE}"`)) return body;
  const items = JSON.parse(body) as TrackItem[];
  for (const { data } of items) {
    const properties = data?.baseData?.properties;
    const type = properties?.[DEPENDENCY_TYPE];
    if (data?.baseData === undefined || properties === undefined || type === undefined) continue;
    data.baseData.type = type;
    delete properties[DEPENDENCY_TYPE];
  }
  return JSON.stringify(items);
}

function outcomeOf(
  { status, bodyAsText }: PipelineResponse,
  items: number,
): { accepted: number; reason: string } {
  const answer = parsed(bodyAsText);
  const accepted = answer?.itemsAccepted ?? (status === 200 ? items : 0);
  const detail = answer?.errors?.[0]?.message;
  return { accepted, reason: `ingestion answered ${status}${detail === undefined ? '' : `: ${detail}`}` };
}

function parsed(
  text: string | null | undefined,
): { itemsAccepted?: number; errors?: { message?: string }[] } | null {
  try {
    return JSON.parse(text ?? '') as { itemsAccepted?: number };
  } catch {
    return null;
  }
}

/** Items of a serialised batch; their envelope names the key once each. */
function itemsIn(body: unknown): number {
  return typeof body === 'string' ? body.split('"iKey":').length - 1 : 0;
}
