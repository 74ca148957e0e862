import { BAGGAGE } from '@bottleneck-lab/contracts';
import {
  type Attributes,
  type Baggage,
  type Context,
  propagation,
  type Span,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import { OPERATION_NAME } from './attributes.js';

/** The parts of an SDK span that the API does not show. */
interface NamedSpan extends Span {
  readonly name?: string;
  readonly kind?: SpanKind;
  readonly attributes?: Readonly<Record<string, unknown>>;
}

/** The operation a span belongs to, by its local parent: a request's name, or what the parent was given. */
export function operationNameOf(parent: Span | undefined): string | undefined {
  const { name, kind, attributes } = (parent ?? {}) as NamedSpan;
  if (kind === SpanKind.SERVER) return attributes?.['http.route'] === undefined ? undefined : name;
  const inherited = attributes?.[OPERATION_NAME];
  return inherited === undefined ? undefined : String(inherited);
}

/** Of baggage that was seen before: all spans of an operation are given the same. */
const attributesOfBaggage = new WeakMap<Baggage, Attributes>();

/** The lab's members of W3C baggage, as attributes: which run, scenario and step a request belongs to. */
export function baggageAttributes(context: Context): Readonly<Attributes> {
  const baggage = propagation.getBaggage(context);
  if (baggage === undefined) return NONE;
  const before = attributesOfBaggage.get(baggage);
  if (before !== undefined) return before;
  const found: Attributes = {};
  for (const name of Object.values(BAGGAGE)) {
    const value = baggage.getEntry(name)?.value;
    if (value !== undefined) found[name] = value;
  }
  attributesOfBaggage.set(baggage, found);
  return found;
}

const NONE: Readonly<Attributes> = {};

/** Copies the operation's name and the baggage to every span when it starts. */
export class ContextSpanProcessor {
  onStart(span: Span, parentContext: Context): void {
    const operation = operationNameOf(trace.getSpan(parentContext));
    if (operation !== undefined) span.setAttribute(OPERATION_NAME, operation);
    const attributes = baggageAttributes(parentContext);
    for (const name in attributes) span.setAttribute(name, attributes[name] as string);
  }

  onEnd(): void {}

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}

interface Attributable {
  setAttribute(name: string, value: string): unknown;
}

/** The same for log records: they belong to the operation that is active when they are written. */
export class ContextLogProcessor {
  onEmit(record: Attributable, context?: Context): void {
    if (context === undefined) return;
    const operation = operationNameOf(trace.getSpan(context));
    if (operation !== undefined) record.setAttribute(OPERATION_NAME, operation);
    const attributes = baggageAttributes(context);
    for (const name in attributes) record.setAttribute(name, attributes[name] as string);
  }

  async forceFlush(): Promise<void> {}

  async shutdown(): Promise<void> {}
}
