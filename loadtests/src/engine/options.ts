import { LoadError } from './errors.js';
import type { ScenarioConfig } from './executors/executor.js';
import { Fields } from './fields.js';
import { percentileOf } from './results/sink.js';
import { type LoadShortcuts, readScenarios, scenarioFromShortcuts } from './scenario-options.js';

/** The script's options, read and checked. */
export interface TestOptions {
  readonly scenarios: readonly ScenarioConfig[];
  readonly thresholds: Readonly<Record<string, unknown>>;
  readonly tags: Readonly<Record<string, string>>;
  readonly systemTags: ReadonlySet<string>;
  readonly summaryTrendStats: readonly string[];
  readonly summaryTimeUnit: string;
  readonly setupTimeoutMs: number;
  readonly teardownTimeoutMs: number;
  readonly maxRedirects: number;
  readonly userAgent: string;
  readonly discardResponseBodies: boolean;
  readonly throwOnFailure: boolean;
  readonly insecureSkipTlsVerify: boolean;
  readonly noConnectionReuse: boolean;
  readonly batch: number;
  readonly batchPerHost: number;
  /** Things worth telling the user that are no errors. */
  readonly warnings: readonly string[];
}

/** What the command line adds; it wins over the script. */
export interface OptionOverrides extends LoadShortcuts {
  tags?: Record<string, string> | undefined;
  summaryTrendStats?: readonly string[] | undefined;
  noThresholds?: boolean | undefined;
}

const SYSTEM_TAGS = [
  'proto',
  'subproto',
  'status',
  'method',
  'url',
  'name',
  'group',
  'check',
  'error',
  'error_code',
  'tls_version',
  'scenario',
  'service',
  'expected_response',
];

/** Known to k6, without a counterpart here: ignoring them would change what the test means. */
const UNSUPPORTED = [
  'blacklistIPs',
  'blockHostnames',
  'dns',
  'executionSegment',
  'executionSegmentSequence',
  'hosts',
  'httpDebug',
  'linger',
  'localIPs',
  'minIterationDuration',
  'noCookiesReset',
  'noVUConnectionReuse',
  'paused',
  'rps',
  'tlsAuth',
  'tlsCipherSuites',
  'tlsVersion',
];

/** Meant for other places than the running of the test, so leaving them out changes nothing. */
const IGNORED = ['cloud', 'ext'];

const TREND_STATS = ['avg', 'min', 'med', 'max', 'count'];
export const DEFAULT_TREND_STATS: readonly string[] = ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)'];
const TIMEOUT_MS = 60_000;

/** Reads what a script exports as `options`. Every error names the option and says what is allowed. */
export function readOptions(exported: unknown, overrides: OptionOverrides = {}): TestOptions {
  const fields = new Fields('options', exported ?? {});
  const warnings: string[] = [];
  refuseUnsupported(fields);
  const scenarios = chooseScenarios(fields, overrides, warnings);
  const thresholds = fields.raw('thresholds') ?? {};
  if (typeof thresholds !== 'object' || Array.isArray(thresholds)) {
    throw fields.invalid('thresholds', 'must be an object', thresholds);
  }
  const options: TestOptions = {
    scenarios,
    thresholds: overrides.noThresholds ? {} : (thresholds as Record<string, unknown>),
    tags: overrides.tags && Object.keys(overrides.tags).length > 0 ? overrides.tags : fields.map('tags'),
    systemTags: new Set(textList(fields, 'systemTags') ?? SYSTEM_TAGS),
    summaryTrendStats: readTrendStats(fields, overrides),
    summaryTimeUnit: fields.text('summaryTimeUnit', '', ['', 's', 'ms', 'us']),
    setupTimeoutMs: fields.duration('setupTimeout', { fallback: TIMEOUT_MS }),
    teardownTimeoutMs: fields.duration('teardownTimeout', { fallback: TIMEOUT_MS }),
    maxRedirects: fields.integer('maxRedirects', { fallback: 10 }),
    userAgent: fields.text('userAgent', 'bottleneck-lab-load/0.1'),
    discardResponseBodies: fields.boolean('discardResponseBodies', false),
    throwOnFailure: fields.boolean('throw', false),
    insecureSkipTlsVerify: fields.boolean('insecureSkipTLSVerify', false),
    noConnectionReuse: fields.boolean('noConnectionReuse', false),
    batch: fields.integer('batch', { fallback: 20, min: 1 }),
    batchPerHost: fields.integer('batchPerHost', { fallback: 6, min: 1 }),
    warnings,
  };
  for (const name of fields.unread) warnings.push(`options.${name} is not known and was ignored`);
  return options;
}

function refuseUnsupported(fields: Fields): void {
  for (const name of IGNORED) fields.has(name);
  const found = UNSUPPORTED.find((name) => fields.has(name));
  if (found !== undefined) {
    throw new LoadError(
      'LOAD_OPTION_UNSUPPORTED',
      `options.${found} is not supported by the built-in engine`,
    );
  }
}

function chooseScenarios(fields: Fields, overrides: OptionOverrides, warnings: string[]): ScenarioConfig[] {
  const exported = fields.raw('scenarios');
  const own: LoadShortcuts = {
    vus: fields.has('vus') ? fields.integer('vus', { min: 1 }) : undefined,
    duration: fields.has('duration') ? String(fields.raw('duration')) : undefined,
    iterations: fields.has('iterations') ? fields.integer('iterations', { min: 1 }) : undefined,
    stages: fields.list('stages') as LoadShortcuts['stages'],
  };
  const { vus, duration, iterations, stages } = overrides;
  const overridden = [vus, duration, iterations, stages].some((value) => value !== undefined);
  if (overridden && exported !== undefined) {
    warnings.push('the load given outside the script replaces its scenarios');
  }
  const shortcuts = overridden ? mergeShortcuts(own, { vus, duration, iterations, stages }) : own;
  const single = exported !== undefined && !overridden ? undefined : scenarioFromShortcuts(shortcuts);
  if (exported !== undefined && !overridden) {
    const both = Object.entries(own).find(([, value]) => value !== undefined);
    if (both !== undefined) warnings.push(`options.${both[0]} is ignored, since options.scenarios is given`);
    return readScenarios(exported);
  }
  return readScenarios({ default: single ?? { executor: 'shared-iterations', vus: 1, iterations: 1 } });
}

/** A given duration, number of iterations or list of stages replaces the script's, whichever of the three that was. */
function mergeShortcuts(own: LoadShortcuts, given: LoadShortcuts): LoadShortcuts {
  const shapeGiven = [given.duration, given.iterations, given.stages].some((value) => value !== undefined);
  const shape = shapeGiven ? given : own;
  return {
    vus: given.vus ?? own.vus,
    duration: shape.duration,
    iterations: shape.iterations,
    stages: shape.stages,
  };
}

function readTrendStats(fields: Fields, overrides: OptionOverrides): readonly string[] {
  const stats = textList(fields, 'summaryTrendStats');
  const chosen = overrides.summaryTrendStats ?? stats ?? DEFAULT_TREND_STATS;
  const wrong = chosen.find((stat) => !TREND_STATS.includes(stat) && percentileOf(stat) === undefined);
  if (wrong === undefined) return chosen;
  throw fields.invalid(
    'summaryTrendStats',
    `may have ${TREND_STATS.join(', ')} and p(N) with N from 0 to 100`,
    wrong,
  );
}

function textList(fields: Fields, name: string): string[] | undefined {
  const list = fields.list(name);
  if (list === undefined || list.every((entry) => typeof entry === 'string'))
    return list as string[] | undefined;
  throw fields.invalid(name, 'must be a list of texts', list);
}
