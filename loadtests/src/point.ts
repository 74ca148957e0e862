/** One sample of a points file. */
export interface Point {
  readonly metric: string;
  /** Unix milliseconds with a fraction. */
  readonly timeMs: number;
  readonly value: number;
  readonly tags: Readonly<Record<string, string>>;
}

export interface MetricDefinition {
  readonly name: string;
  readonly type: string;
  readonly contains: string;
}

export type PointLine = { readonly point: Point } | { readonly definition: MetricDefinition };

const METRIC_NAME = /"metric":"([^"]+)"/;
const TYPE_DEFINITION = '"type":"Metric"';

interface PointJson {
  metric: string;
  data: { time: string; value: number; tags?: Record<string, string> | null };
}

/**
 * Reads one line of a points file, as k6 and the built-in engine write them. Gives undefined for a metric that nobody
 * wants: there are some twenty lines per request, so unwanted ones are recognised without parsing them.
 */
export function parsePointLine(line: string, wanted: ReadonlySet<string>): PointLine | undefined {
  if (line.includes(TYPE_DEFINITION)) {
    const { data } = JSON.parse(line) as { data: MetricDefinition };
    return { definition: { name: data.name, type: data.type, contains: data.contains } };
  }
  const name = METRIC_NAME.exec(line)?.[1];
  if (name === undefined || !wanted.has(name)) return undefined;
  const { metric, data } = JSON.parse(line) as PointJson;
  return { point: { metric, timeMs: parseTime(data.time), value: data.value, tags: data.tags ?? {} } };
}

/** RFC 3339 with up to nanoseconds and any zone; Date alone would drop what is below a millisecond. */
export function parseTime(text: string): number {
  const match = /^(.*?:\d\d)(\.\d+)?(Z|[+-]\d\d:\d\d)$/.exec(text);
  if (match === null) return Number.NaN;
  return Date.parse(`${match[1]}${match[3]}`) + Number(match[2] ?? 0) * 1000;
}
