// Generated from loadtests/scripts/step-load.ts by helm/generate.js.

import { check, sleep } from "k6";
import exec from "k6/execution";
import http from "k6/http";
import { Counter, Gauge } from "k6/metrics";

function numberVariable(name, fallback, { min, max }) {
  const text = __ENV[name];
  if (text === void 0 || text === "") return fallback;
  const value = Number(text);
  if (Number.isFinite(value) && value >= min && value <= max) return value;
  throw new Error(`${name} must be a number from ${min} to ${max}, not '${text}'`);
}
function textVariable(name, fallback) {
  const text = __ENV[name];
  return text === void 0 || text === "" ? fallback : text;
}

function parseProfile(text, origin) {
  const profile2 = JSON.parse(text);
  const wrong = (field, rule) => new Error(`load profile ${origin}: ${field} ${rule}`);
  if (profile2.model !== "closed" && profile2.model !== "open")
    throw wrong("model", "must be 'closed' or 'open'");
  if (!(profile2.thinkTimeSeconds >= 0)) throw wrong("thinkTimeSeconds", "must be 0 or more");
  if (!Number.isInteger(profile2.start)) throw wrong("start", "must be a whole number");
  if (!Array.isArray(profile2.stages) || profile2.stages.length === 0)
    throw wrong("stages", "must not be empty");
  const shares = profile2.stages.reduce((sum, { share }) => sum + share, 0);
  if (!(Math.abs(shares - 1) < 1e-6)) throw wrong("stages", "must have shares that add up to 1");
  if (profile2.steps !== "stages" && !(profile2.steps >= 1))
    throw wrong("steps", "must be a number or 'stages'");
  return profile2;
}
function stagesOf(profile2, durationMs) {
  return profile2.stages.flatMap(({ share, target, jump }) => {
    const stage = { duration: `${Math.round(share * durationMs)}ms`, target };
    return jump ? [{ duration: "0s", target }, stage] : [stage];
  });
}
function scenarioOf(profile2, durationMs, gracefulStop) {
  const stages = stagesOf(profile2, durationMs);
  if (profile2.model === "closed") {
    return {
      executor: "ramping-vus",
      startVUs: profile2.start,
      stages,
      gracefulStop,
      gracefulRampDown: gracefulStop
    };
  }
  return {
    executor: "ramping-arrival-rate",
    startRate: profile2.start,
    timeUnit: "1s",
    preAllocatedVUs: profile2.preAllocatedUsers ?? 1,
    maxVUs: profile2.maxUsers ?? profile2.preAllocatedUsers ?? 1,
    stages,
    gracefulStop
  };
}
function stepsOf(profile2, durationMs) {
  const lengths = profile2.steps === "stages" ? profile2.stages.map(({ share }) => share * durationMs) : Array.from({ length: profile2.steps }, () => durationMs / profile2.steps);
  let startMs = 0;
  return lengths.map((length, index) => {
    const step = { label: String(index + 1), startMs, endMs: startMs + length };
    startMs += length;
    return step;
  });
}

function seededRandom(seed) {
  let state = seed >>> 0;
  return () => {
    state = state + 1831565813 >>> 0;
    let mixed = Math.imul(state ^ state >>> 15, state | 1);
    mixed ^= mixed + Math.imul(mixed ^ mixed >>> 7, mixed | 61);
    return ((mixed ^ mixed >>> 14) >>> 0) / 4294967296;
  };
}
function mixSeeds(first, second) {
  return (Math.imul(first >>> 0, 2654435761) ^ Math.imul((second >>> 0) + 1, 2246822507)) >>> 0;
}

var HEADINGS = ["step", "requests", "failed", "req/s", "mean ms", "p50 ms", "p95 ms", "p99 ms"];
function stepTable(data, steps2) {
  const rows = steps2.map((step) => {
    const value = (metric, name) => data.metrics[`${metric}{step:${step.label}}`]?.values[name] ?? 0;
    const requests = value("http_reqs", "count");
    const failed = Math.round(value("http_req_failed", "rate") * requests);
    const seconds = (step.endMs - step.startMs) / 1e3;
    const times = ["avg", "med", "p(95)", "p(99)"].map((name) => value("http_req_duration", name).toFixed(1));
    return [step.label, String(requests), String(failed), (requests / seconds).toFixed(1), ...times];
  });
  const widths = HEADINGS.map(
    (heading, i) => Math.max(heading.length, ...rows.map((row) => row[i].length))
  );
  const line = (cells) => cells.map((cell, i) => cell.padStart(widths[i])).join("  ");
  return [line(HEADINGS), ...rows.map(line)].join("\n");
}
function findings({ metrics }) {
  const crossed = Object.entries(metrics).flatMap(
    ([name, { thresholds: thresholds2 }]) => Object.entries(thresholds2 ?? {}).filter(([, { ok }]) => !ok).map(([source]) => `threshold crossed: ${name}: ${source}`)
  );
  const count = (name) => metrics[name]?.values.count ?? 0;
  const lost = count("iterations") - count("iterations_ended");
  const dropped = count("dropped_iterations");
  return [
    ...crossed,
    ...lost > 0 ? [`${lost} iterations were counted without reaching their end: their checks and pauses are missing`] : [],
    ...dropped > 0 ? [`${dropped} arrivals were dropped: all users were busy`] : []
  ];
}

var BASE_URL = textVariable("BASE_URL", "http://127.0.0.1:8080").replace(/\/$/, "");
var PROFILE = textVariable("PROFILE", "article");
var DURATION_S = numberVariable("DURATION_S", 60, { min: 1, max: 604800 });
var RUN_ID = textVariable("RUN_ID", "local");
var SCENARIO = textVariable("SCENARIO", "load");
var SEED = numberVariable("SEED", 1, { min: 0, max: 4294967295 });
var OWNERS = numberVariable("OWNERS", 360, { min: 1, max: 1e6 });
var YEAR = numberVariable("YEAR", 2019, { min: 2e3, max: 2100 });
var HOT_OWNER_SHARE = numberVariable("HOT_OWNER_SHARE", 0, { min: 0, max: 1 });
var MONTHS = numberVariable("MONTHS", 12, { min: 1, max: 12 });
var TIMEOUT_S = numberVariable("TIMEOUT_S", 30, { min: 1, max: 600 });
var P95_MS = numberVariable("P95_MS", 0, { min: 0, max: 6e5 });
var OPERATION = "GET /api/invoices";
var profilePath = /[\\/]|\.json$/.test(PROFILE) ? PROFILE : `../profiles/${PROFILE}.json`;
var profile = parseProfile(open(profilePath), PROFILE);
var steps = stepsOf(profile, DURATION_S * 1e3);
var GRACE_S = TIMEOUT_S + profile.thinkTimeSeconds + 5;
var loadStart = new Gauge("load_start_ms");
var stepSeconds = new Gauge("step_seconds");
var iterationsEnded = new Counter("iterations_ended");
var options = {
  scenarios: { load: scenarioOf(profile, DURATION_S * 1e3, `${GRACE_S}s`) },
  thresholds: thresholds(),
  summaryTrendStats: ["avg", "min", "med", "max", "p(90)", "p(95)", "p(99)", "count"]
};
function thresholds() {
  const limits = {
    checks: ["rate>0.99"],
    "http_req_failed{scenario:load}": ["rate<0.01"],
    "http_reqs{scenario:load}": [],
    "http_req_duration{scenario:load}": P95_MS > 0 ? [`p(95)<${P95_MS}`] : []
  };
  for (const { label } of steps) {
    for (const metric of ["http_reqs", "http_req_failed", "http_req_duration", "iteration_duration"]) {
      limits[`${metric}{step:${label}}`] = [];
    }
  }
  return limits;
}
var random;
function invoiceUrl() {
  if (random === void 0) random = seededRandom(mixSeeds(SEED, __VU));
  const isHot = HOT_OWNER_SHARE > 0 && random() < HOT_OWNER_SHARE;
  const owner = `o${String(isHot ? 0 : Math.floor(random() * OWNERS)).padStart(6, "0")}`;
  const month = 1 + Math.floor(random() * MONTHS);
  return `${BASE_URL}/api/invoices?ownerId=${owner}&year=${YEAR}&month=${month}`;
}
function baggage(step) {
  const members = { "lab.run": RUN_ID, "lab.scenario": SCENARIO, "lab.step": step };
  return Object.entries(members).map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join(",");
}
function requestInvoice(step) {
  return http.get(invoiceUrl(), {
    headers: { Accept: "application/json", baggage: baggage(step) },
    tags: { name: OPERATION },
    timeout: `${TIMEOUT_S}s`
  });
}
async function setup() {
  const response = await requestInvoice("setup");
  if (response.status !== 200) {
    const answer = response.status === 0 ? response.error : `it answered ${response.status} ${response.body}`;
    throw new Error(`the target ${BASE_URL} is not ready for ${OPERATION}: ${answer}`);
  }
  await sleep((1e3 - Date.now() % 1e3) / 1e3);
}
function currentStep() {
  const elapsedMs = Date.now() - exec.scenario.startTime;
  const step = steps.find(({ endMs }) => elapsedMs < endMs) ?? steps[steps.length - 1];
  return step?.label ?? "1";
}
function describeLoad() {
  loadStart.add(exec.scenario.startTime);
  for (const { label, startMs, endMs } of steps) stepSeconds.add((endMs - startMs) / 1e3, { step: label });
}
function parseInvoice(body) {
  try {
    return JSON.parse(String(body)) ?? {};
  } catch {
    return {};
  }
}
async function iteration() {
  if (exec.scenario.iterationInTest === 0) describeLoad();
  const step = currentStep();
  exec.vu.metrics.tags.step = step;
  const response = await requestInvoice(step);
  const invoice = parseInvoice(response.body);
  check(response, {
    "status is 200": ({ status }) => status === 200,
    "has deliveries": () => Boolean(invoice.deliveries),
    "has drones": () => Boolean(invoice.drones),
    "has packages": () => Boolean(invoice.packages)
  });
  if (profile.thinkTimeSeconds > 0) await sleep(profile.thinkTimeSeconds);
  iterationsEnded.add(1);
}
function handleSummary(data) {
  const title = `${OPERATION}, profile ${profile.name}, ${DURATION_S} s`;
  const text = [title, stepTable(data, steps), ...findings(data), ""].join("\n");
  const files = { stdout: `${text}
` };
  if (__ENV.SUMMARY_FILE) files[__ENV.SUMMARY_FILE] = JSON.stringify(data, null, 2);
  return files;
}
export {
  iteration as default,
  handleSummary,
  options,
  setup
};
