import type { MetricDefinition } from './point.js';

/** The end-of-test summary in one shape, whichever engine wrote it. */
export interface LoadSummary {
  readonly metrics: Readonly<Record<string, MetricResult>>;
  readonly checks: readonly { readonly name: string; readonly passes: number; readonly fails: number }[];
}

export interface MetricResult {
  /** Empty when the metric had no sample, so that its definition was never written. */
  readonly type: string;
  readonly contains: string;
  readonly values: Readonly<Record<string, number>>;
  readonly thresholds: Readonly<Record<string, { readonly ok: boolean }>>;
}

interface ExportedGroup {
  name: string;
  groups?: Record<string, ExportedGroup>;
  checks?: Record<string, { name: string; passes: number; fails: number }>;
}

/** Reads the contents of `--summary-export`, where a threshold that was kept is `false` and a rate is called `value`. */
export function readSummaryExport(
  exported: unknown,
  definitions: ReadonlyMap<string, MetricDefinition>,
): LoadSummary {
  const { metrics = {}, root_group: root } = exported as {
    metrics?: Record<string, Record<string, unknown>>;
    root_group?: ExportedGroup;
  };
  const read = Object.entries(metrics).map(([name, fields]) => {
    const definition = definitions.get(name.split('{')[0] as string);
    return [name, readMetric(fields, definition)] as const;
  });
  return { metrics: Object.fromEntries(read), checks: root === undefined ? [] : readChecks(root, '') };
}

function readMetric(fields: Record<string, unknown>, definition: MetricDefinition | undefined): MetricResult {
  const { thresholds = {}, ...values } = fields as { thresholds?: Record<string, boolean> } & Record<
    string,
    number
  >;
  const isRate = 'passes' in values && 'fails' in values;
  const { value, ...others } = values as Record<string, number>;
  return {
    type: definition?.type ?? '',
    contains: definition?.contains ?? '',
    values: isRate ? { rate: value ?? 0, ...others } : (values as Record<string, number>),
    thresholds: Object.fromEntries(
      Object.entries(thresholds).map(([source, crossed]) => [source, { ok: !crossed }]),
    ),
  };
}

function readChecks(group: ExportedGroup, prefix: string): { name: string; passes: number; fails: number }[] {
  const own = Object.values(group.checks ?? {}).map(({ name, passes, fails }) => ({
    name: `${prefix}${name}`,
    passes,
    fails,
  }));
  const below = Object.values(group.groups ?? {}).flatMap((child) =>
    readChecks(child, `${prefix}${child.name} > `),
  );
  return [...own, ...below];
}
