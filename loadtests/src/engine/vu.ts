import { BlockingCalls } from './blocking-calls.js';
import { LoadError } from './errors.js';
import { HttpClient, type HttpHost, type RequestSample } from './http/http-client.js';
import type { ExecutionModuleHost, ScenarioView } from './modules/execution.js';
import type { K6ModuleHost } from './modules/k6.js';
import type { MetricsModuleHost } from './modules/metrics.js';
import { Pending } from './pending.js';
import type { CheckGroup } from './results/check-tree.js';
import type { MetricRegistry } from './results/metric.js';
import type { TagSet } from './results/tags.js';
import type { RunState } from './run-state.js';
import { globalObject, type LoadScript, type ScriptExports, type ScriptHost } from './script.js';
import { modulesFor } from './vu-modules.js';

type Phase = 'loading' | 'running' | 'idle';

/** Thrown through the script by `exec.test.abort()`. */
class ScriptAbort extends Error {}

/** How a call of one of the script's functions ended. */
export interface CallEnd {
  readonly kind: 'done' | 'interrupted' | 'failed';
  readonly endedAtMs: number;
  readonly value?: unknown;
  readonly thrown?: unknown;
}

/** Set while a scenario uses the virtual user. */
export interface Activation {
  readonly name: string;
  readonly executor: string;
  readonly startedAtMs: number;
  readonly exec: string;
  readonly env: Record<string, string>;
  readonly tags: Readonly<Record<string, string>>;
  /** What setup() has returned, as JSON: every virtual user gets a copy of its own. */
  readonly setupJson: string | undefined;
  /** Takes the scenario's next iteration number, from 0. */
  nextIteration(): number;
  progress(): number;
}

/**
 * One virtual user: its own instance of the script, connections, tags, and the state of the running iteration.
 * Number 0 evaluates the options and runs setup(), teardown() and handleSummary().
 */
export class VirtualUser implements K6ModuleHost, MetricsModuleHost, ExecutionModuleHost, HttpHost {
  readonly vuId: number;
  readonly pending = new Pending();
  readonly blocking = new BlockingCalls();
  readonly client: HttpClient;
  readonly metadata: Record<string, unknown> = {};
  readonly exports: ScriptExports;
  readonly #run: RunState;
  readonly #host: ScriptHost;
  #phase: Phase = 'loading';
  #group: CheckGroup;
  #activation: Activation | undefined;
  #interrupt: (() => void) | undefined;
  #iterations = 0;
  #scenarioIteration = 0;
  #data: unknown;
  #bytesBefore = { sent: 0, received: 0 };
  tags: TagSet;
  iterationInScenario = 0;

  constructor(
    vuId: number,
    script: LoadScript,
    { run, env }: { run: RunState; env: Record<string, string> },
  ) {
    this.vuId = vuId;
    this.#run = run;
    this.#group = run.checks;
    this.tags = this.#baseTags();
    const { insecureSkipTlsVerify, noConnectionReuse } = run.options;
    this.client = new HttpClient(this, { insecureSkipTlsVerify, noConnectionReuse });
    const { modules, globals } = modulesFor(this, run);
    this.#host = {
      modules,
      vu: vuId,
      iteration: undefined,
      env: { ...env },
      globals: globalObject(globals),
    };
    this.exports = script.evaluate(this.#host, globals);
    this.#phase = 'idle';
  }

  get metrics(): MetricRegistry {
    return this.#run.metrics;
  }

  get throwOnFailure(): boolean {
    return this.#run.options.throwOnFailure;
  }

  get userAgent(): string {
    return this.#run.options.userAgent;
  }

  get systemTags(): ReadonlySet<string> {
    return this.#run.options.systemTags;
  }

  get iterationInInstance(): number {
    return Math.max(0, this.#iterations - 1);
  }

  get scenario(): ScenarioView | undefined {
    const activation = this.#activation;
    if (activation === undefined) return undefined;
    return {
      name: activation.name,
      executor: activation.executor,
      startTime: Math.floor(activation.startedAtMs),
      progress: activation.progress(),
      iterationInInstance: this.#scenarioIteration,
      iterationInTest: this.#scenarioIteration,
    };
  }

  get group(): CheckGroup {
    return this.#group;
  }

  set group(group: CheckGroup) {
    this.#group = group;
    if (this.systemTags.has('group')) this.tags = this.tags.with('group', group.path);
  }

  get tagValues(): Readonly<Record<string, string>> {
    return this.tags.values;
  }

  get instance(): object {
    const { counters, clock, startedAtMs } = this.#run;
    return {
      get iterationsCompleted() {
        return counters.iterationsCompleted;
      },
      get iterationsInterrupted() {
        return counters.iterationsInterrupted;
      },
      get vusActive() {
        return counters.vusActive;
      },
      get vusInitialized() {
        return counters.vusInitialized;
      },
      get currentTestRunDuration() {
        return clock.now() - startedAtMs;
      },
    };
  }

  /** Makes the user ready for a scenario: its tags replace those that an earlier scenario or iteration has left. */
  activate(activation: Activation): void {
    this.#activation = activation;
    this.#host.env = activation.env;
    if (this.#data === undefined && activation.setupJson !== undefined)
      this.#data = JSON.parse(activation.setupJson);
    this.#group = this.#run.checks;
    const { tags, name } = activation;
    const own = this.systemTags.has('scenario') ? { ...tags, scenario: name } : tags;
    this.tags = this.#baseTags().withAll(own);
    this.iterationInScenario = 0;
  }

  /** setup() and teardown() count as groups of their own. */
  enterPhaseGroup(name: 'setup' | 'teardown'): void {
    this.group = this.#run.checks.group(name);
  }

  /** One iteration: from the call of the function until nothing that it started is pending. */
  async iterate(): Promise<void> {
    const activation = this.#activation as Activation;
    const run = this.#run;
    const { clock, counters, builtIn } = run;
    const startedAtMs = clock.now();
    this.#host.iteration = this.#iterations++;
    this.#scenarioIteration = activation.nextIteration();
    const end = await this.call(activation.exec, this.#data);
    this.iterationInScenario += 1;
    const { endedAtMs } = end;
    this.#recordBytes(endedAtMs);
    if (end.kind === 'interrupted') {
      counters.iterationsInterrupted += 1;
      return;
    }
    counters.iterationsCompleted += 1;
    run.metrics.add(builtIn.iteration_duration, endedAtMs - startedAtMs, this.tags, endedAtMs);
    run.metrics.add(builtIn.iterations, 1, this.tags, endedAtMs);
    if (end.kind === 'failed') this.fail(end.thrown);
  }

  /** Calls an exported function and waits until nothing that it started is pending. */
  call(name: string, data: unknown): Promise<CallEnd> {
    this.#phase = 'running';
    this.pending.open();
    this.blocking.reset();
    return new Promise<CallEnd>((resolve) => {
      this.#interrupt = () => {
        this.#phase = 'idle';
        this.pending.close();
        resolve({ kind: 'interrupted', endedAtMs: this.now() });
      };
      void this.#execute(name, data).then((end) => {
        this.#phase = 'idle';
        this.pending.close();
        resolve(end);
      });
    });
  }

  interrupt(): void {
    this.#interrupt?.();
  }

  close(): void {
    this.pending.close();
    this.client.connections.destroy();
  }

  pend<T>(start: (settle: (value: T) => void) => () => void): Promise<T> {
    return this.pending.add(start);
  }

  after(delayMs: number, callback: () => void): { cancel(): void } {
    return this.#run.clock.after(delayMs, callback);
  }

  sleep(seconds: number): Promise<void> {
    return this.blocking.run(() =>
      this.pending.add((settle) => {
        const timer = this.#run.clock.after(seconds * 1000, () => settle(undefined));
        return () => timer.cancel();
      }),
    );
  }

  now(): number {
    return this.#run.clock.now();
  }

  warn(message: string): void {
    this.#run.logger.log('warning', message);
  }

  /** Reports an error of the script. It ends its iteration, not the test, as in k6; an unsupported use ends the test. */
  fail(thrown: unknown): void {
    if (thrown instanceof ScriptAbort) return;
    const message = this.#run.explain(thrown);
    if (thrown instanceof LoadError) this.#run.abort({ kind: 'fatal', message });
    else this.#run.logger.log('error', message);
  }

  record({ result, tags, expected }: RequestSample): void {
    const { metrics, builtIn } = this.#run;
    const { timings } = result;
    const nowMs = this.now();
    metrics.add(builtIn.http_reqs, 1, tags, nowMs);
    metrics.add(builtIn.http_req_duration, timings.duration, tags, nowMs);
    metrics.add(builtIn.http_req_blocked, timings.blocked, tags, nowMs);
    metrics.add(builtIn.http_req_connecting, timings.connecting, tags, nowMs);
    metrics.add(builtIn.http_req_tls_handshaking, timings.tls_handshaking, tags, nowMs);
    metrics.add(builtIn.http_req_sending, timings.sending, tags, nowMs);
    metrics.add(builtIn.http_req_waiting, timings.waiting, tags, nowMs);
    metrics.add(builtIn.http_req_receiving, timings.receiving, tags, nowMs);
    if (expected !== undefined) metrics.add(builtIn.http_req_failed, expected ? 0 : 1, tags, nowMs);
  }

  recordCheck(name: string, passed: boolean, tags: TagSet): void {
    const check = this.#group.check(name);
    if (passed) check.passes += 1;
    else check.fails += 1;
    const tagged = this.systemTags.has('check') ? tags.with('check', name) : tags;
    this.#run.metrics.add(this.#run.builtIn.checks, passed ? 1 : 0, tagged, this.now());
  }

  recordGroup(_group: CheckGroup, startedAtMs: number): void {
    const nowMs = this.now();
    this.#run.metrics.add(this.#run.builtIn.group_duration, nowMs - startedAtMs, this.tags, nowMs);
  }

  testOptions = (): unknown => this.exports.options ?? {};

  tag(name: string): string | undefined {
    return this.tags.values[name];
  }

  setTag(name: string, value: string | undefined): void {
    this.tags = value === undefined ? this.tags.without(name) : this.tags.with(name, value);
  }

  abort(message: string): never {
    this.assertRunning('exec.test.abort()');
    this.#run.abort({ kind: 'script', message });
    throw new ScriptAbort(message);
  }

  markFailed(message: string): void {
    this.#run.markFailed(message);
  }

  assertLoading(what: string): void {
    if (this.#phase !== 'loading')
      throw new Error(`${what} is only possible while the script is being loaded`);
  }

  assertRunning(what: string): void {
    if (this.#phase === 'loading')
      throw new Error(`${what} is not possible while the script is being loaded`);
  }

  async #execute(name: string, data: unknown): Promise<CallEnd> {
    let end: Omit<CallEnd, 'endedAtMs'>;
    try {
      const body = this.exports[name] as (data: unknown) => unknown;
      end = { kind: 'done', value: await body(data) };
    } catch (thrown) {
      end = { kind: 'failed', thrown };
    }
    // What the function has started without awaiting it belongs to the call, and so does what that starts in turn.
    // The event loop always gets a turn, so a script that never waits does not keep timers from firing.
    const { clock } = this.#run;
    let endedAtMs: number;
    do {
      await this.pending.empty();
      endedAtMs = clock.now();
      await clock.yield();
    } while (this.pending.size > 0);
    return { ...end, endedAtMs };
  }

  #baseTags(): TagSet {
    const { runTags } = this.#run;
    return this.systemTags.has('group') ? runTags.with('group', '') : runTags;
  }

  #recordBytes(nowMs: number): void {
    const { sent, received } = this.client.connections.bytes;
    const { builtIn, metrics } = this.#run;
    metrics.add(builtIn.data_sent, sent - this.#bytesBefore.sent, this.tags, nowMs);
    metrics.add(builtIn.data_received, received - this.#bytesBefore.received, this.tags, nowMs);
    this.#bytesBefore = { sent, received };
  }
}
