// The step load on GET /api/invoices. Runs unchanged on k6 (1.0 and later) and on the built-in engine.
// Whatever waits is awaited: k6 returns plain values there, which await leaves alone, the built-in engine promises.
import { check, sleep } from 'k6';
import exec from 'k6/execution';
import http from 'k6/http';
import { Counter, Gauge } from 'k6/metrics';
import type { Options } from 'k6/options';
import { numberVariable, textVariable } from './environment.ts';
import { parseProfile, scenarioOf, stepsOf } from './load-profile.ts';
import { mixSeeds, seededRandom } from './random.ts';
import { findings, type SummaryMetrics, stepTable } from './step-table.ts';

const BASE_URL = textVariable('BASE_URL', 'http://127.0.0.1:8080').replace(/\/$/, '');
const PROFILE = textVariable('PROFILE', 'article');
const DURATION_S = numberVariable('DURATION_S', 60, { min: 1, max: 604800 });
const RUN_ID = textVariable('RUN_ID', 'local');
const SCENARIO = textVariable('SCENARIO', 'load');
const SEED = numberVariable('SEED', 1, { min: 0, max: 4294967295 });
const OWNERS = numberVariable('OWNERS', 360, { min: 1, max: 1000000 });
const YEAR = numberVariable('YEAR', 2019, { min: 2000, max: 2100 });
const HOT_OWNER_SHARE = numberVariable('HOT_OWNER_SHARE', 0, { min: 0, max: 1 });
const MONTHS = numberVariable('MONTHS', 12, { min: 1, max: 12 });
const TIMEOUT_S = numberVariable('TIMEOUT_S', 30, { min: 1, max: 600 });
const P95_MS = numberVariable('P95_MS', 0, { min: 0, max: 600000 });

const OPERATION = 'GET /api/invoices';
const profilePath = /[\\/]|\.json$/.test(PROFILE) ? PROFILE : `../profiles/${PROFILE}.json`;
const profile = parseProfile(open(profilePath), PROFILE);
const steps = stepsOf(profile, DURATION_S * 1000);
const GRACE_S = TIMEOUT_S + profile.thinkTimeSeconds + 5;

/** The load's zero, Unix milliseconds: what seconds of other measurements are aligned to. */
const loadStart = new Gauge('load_start_ms');
/** Length of each step, so that a reader of the samples can turn counts into rates. */
const stepSeconds = new Gauge('step_seconds');
/** Grows at the end of an iteration; compared with `iterations` at the end of the test. */
const iterationsEnded = new Counter('iterations_ended');

export const options: Options = {
  scenarios: { load: scenarioOf(profile, DURATION_S * 1000, `${GRACE_S}s`) },
  thresholds: thresholds(),
  summaryTrendStats: ['avg', 'min', 'med', 'max', 'p(90)', 'p(95)', 'p(99)', 'count'],
};

/** An empty list sets no limit; it makes the step's numbers part of the summary. */
function thresholds(): NonNullable<Options['thresholds']> {
  const limits: NonNullable<Options['thresholds']> = {
    checks: ['rate>0.99'],
    'http_req_failed{scenario:load}': ['rate<0.01'],
    'http_reqs{scenario:load}': [],
    'http_req_duration{scenario:load}': P95_MS > 0 ? [`p(95)<${P95_MS}`] : [],
  };
  for (const { label } of steps) {
    for (const metric of ['http_reqs', 'http_req_failed', 'http_req_duration', 'iteration_duration']) {
      limits[`${metric}{step:${label}}`] = [];
    }
  }
  return limits;
}

let random: (() => number) | undefined;

/** An owner and a month that exist, drawn from this user's own sequence. */
function invoiceUrl(): string {
  // k6's JavaScript engine has neither logical assignment nor numeric separators.
  if (random === undefined) random = seededRandom(mixSeeds(SEED, __VU));
  const isHot = HOT_OWNER_SHARE > 0 && random() < HOT_OWNER_SHARE;
  const owner = `o${String(isHot ? 0 : Math.floor(random() * OWNERS)).padStart(6, '0')}`;
  const month = 1 + Math.floor(random() * MONTHS);
  return `${BASE_URL}/api/invoices?ownerId=${owner}&year=${YEAR}&month=${month}`;
}

function baggage(step: string): string {
  const members = { 'lab.run': RUN_ID, 'lab.scenario': SCENARIO, 'lab.step': step };
  return Object.entries(members)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join(',');
}

function requestInvoice(step: string) {
  return http.get(invoiceUrl(), {
    headers: { Accept: 'application/json', baggage: baggage(step) },
    tags: { name: OPERATION },
    timeout: `${TIMEOUT_S}s`,
  });
}

/** Fails before any load when the target does not answer an invoice, and starts the load on a whole second. */
export async function setup() {
  const response = await requestInvoice('setup');
  if (response.status !== 200) {
    const answer = response.status === 0 ? response.error : `it answered ${response.status} ${response.body}`;
    throw new Error(`the target ${BASE_URL} is not ready for ${OPERATION}: ${answer}`);
  }
  await sleep((1000 - (Date.now() % 1000)) / 1000);
}

function currentStep(): string {
  const elapsedMs = Date.now() - exec.scenario.startTime;
  const step = steps.find(({ endMs }) => elapsedMs < endMs) ?? steps[steps.length - 1];
  return step?.label ?? '1';
}

/** Samples that hold for the whole run are added once, by its first iteration. */
function describeLoad(): void {
  loadStart.add(exec.scenario.startTime);
  for (const { label, startMs, endMs } of steps) stepSeconds.add((endMs - startMs) / 1000, { step: label });
}

function parseInvoice(body: unknown): Record<string, unknown> {
  try {
    return (JSON.parse(String(body)) as Record<string, unknown> | null) ?? {};
  } catch {
    return {};
  }
}

export default async function iteration() {
  if (exec.scenario.iterationInTest === 0) describeLoad();
  const step = currentStep();
  exec.vu.metrics.tags.step = step;

  const response = await requestInvoice(step);
  const invoice = parseInvoice(response.body);
  check(response, {
    'status is 200': ({ status }) => status === 200,
    'has deliveries': () => Boolean(invoice.deliveries),
    'has drones': () => Boolean(invoice.drones),
    'has packages': () => Boolean(invoice.packages),
  });

  if (profile.thinkTimeSeconds > 0) await sleep(profile.thinkTimeSeconds);
  iterationsEnded.add(1);
}

export function handleSummary(data: SummaryMetrics) {
  const title = `${OPERATION}, profile ${profile.name}, ${DURATION_S} s`;
  const text = [title, stepTable(data, steps), ...findings(data), ''].join('\n');
  const files: Record<string, string> = { stdout: `${text}\n` };
  if (__ENV.SUMMARY_FILE) files[__ENV.SUMMARY_FILE] = JSON.stringify(data, null, 2);
  return files;
}
