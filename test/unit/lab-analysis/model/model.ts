import { CONTAINERS, DEPENDENCY_TYPES, OPERATIONS, ROLES, type ServiceName } from '@bottleneck-lab/contracts';
import type { LoadSecond } from '../../../../lab/src/recording/load-rows.js';
import type { AppliedKnobs } from '../../../../lab/src/scenarios/knobs.js';
import { CpuStage } from './cpu-stage.js';
import { EventQueue } from './event-queue.js';
import { PartitionBudget } from './partition-budget.js';
import { logNormal, uniformNumbers } from './random.js';
import { RowCollector } from './row-collector.js';

/** What a synthetic run is made of. Everything has a value that reproduces the article's tests. */
export interface ModelOptions {
  knobs: AppliedKnobs;
  seed: number;
  plannedSeconds: number;
  maxUsers: number;
  thinkTimeMs: number;
  /** Wall-clock second of the load's start. */
  zero: number;
  /** CPU per operation, milliseconds, and limit in cores, by service. */
  cpu: Record<ServiceName, { costMs: number; limitCores: number | null }>;
  /** Share of owners' requests that go to physical partition 0 when the owner is the partition key. */
  hotShare: number;
  /** Share of GetDroneUtilization operations that fail with 500. */
  failureShare: number;
  /** Time that GetDroneUtilization spends on something other than queries. */
  otherWorkMs: number;
  /** Connections from the gateway to each service; the rest waits. */
  connections: number;
}

const SDK_RETRIES = 9;
const PARTITION_DELAY_SHARE = 0.3;

/** A small closed-loop model of the application: users, gateway, three services, partitions with budgets. */
export class Model {
  readonly collector = new RowCollector();
  readonly loadSeconds = new Map<number, LoadSecond & { durationsMs: number[] }>();
  readonly cpu: Record<ServiceName, CpuStage>;
  private readonly options: ModelOptions;
  private readonly queue = new EventQueue();
  private readonly uniform: () => number;
  private readonly latencyMs: () => number;
  private readonly pointReadMs: () => number;
  private readonly partitions: PartitionBudget[];
  private readonly pools = new Map<ServiceName, { free: number; waiting: (() => void)[] }>();

  constructor(options: ModelOptions) {
    const { knobs, cpu } = options;
    this.options = options;
    this.uniform = uniformNumbers(options.seed);
    this.latencyMs = logNormal(this.uniform, knobs.queryLatency);
    this.pointReadMs = logNormal(this.uniform, knobs.pointReadLatency);
    this.partitions = Array.from({ length: knobs.physicalPartitions }, () => {
      const ruPerSecond = knobs.ruPerSecond / knobs.physicalPartitions;
      return new PartitionBudget({ ruPerSecond, burstSeconds: knobs.burstSeconds });
    });
    const stage = (service: ServiceName) => {
      const { costMs, limitCores } = cpu[service];
      return new CpuStage({
        queue: this.queue,
        costMs: () => costMs * (0.8 + 0.4 * this.uniform()),
        limitCores,
      });
    };
    this.cpu = {
      gateway: stage('gateway'),
      delivery: stage('delivery'),
      package: stage('package'),
      'drone-utilization': stage('drone-utilization'),
    };
  }

  run(): void {
    const { maxUsers, plannedSeconds } = this.options;
    for (let user = 1; user <= maxUsers; user++) {
      this.queue.after(this.uniform() * 50, () => this.iterate(user));
    }
    this.queue.runUntil((plannedSeconds + 30) * 1000);
  }

  usersAt(second: number): number {
    const { maxUsers, plannedSeconds } = this.options;
    if (second >= plannedSeconds) return 0;
    // A ramp from 1 user to the most, which is reached at the very end.
    return Math.floor(1 + ((maxUsers - 1) * second) / plannedSeconds);
  }

  private iterate(user: number): void {
    const startMs = this.queue.nowMs;
    if (startMs >= this.options.plannedSeconds * 1000) return;
    if (user > this.usersAt(startMs / 1000)) {
      this.queue.after(100, () => this.iterate(user));
      return;
    }
    this.invoice((ok) => {
      const durationMs = this.queue.nowMs - startMs;
      const second = this.loadSecond(Math.floor(this.queue.nowMs / 1000));
      second.requests += 1;
      second.failed += ok ? 0 : 1;
      second.durationsMs.push(durationMs + 1);
      this.queue.after(this.options.thinkTimeMs, () => this.iterate(user));
    });
  }

  private invoice(done: (ok: boolean) => void): void {
    const startMs = this.queue.nowMs;
    this.cpu.gateway.run(() => {
      let open = 3;
      let allOk = true;
      const join = (ok: boolean) => {
        allOk = allOk && ok;
        open -= 1;
        if (open > 0) return;
        this.operation({ service: 'gateway', operation: OPERATIONS.getInvoice, startMs, ok: allOk });
        done(allOk);
      };
      this.call('delivery', (end) => this.cpuOnly('delivery', OPERATIONS.getDeliveriesSummary, end), join);
      this.call('package', (end) => this.packages(end), join);
      this.call('drone-utilization', (end) => this.utilization(end), join);
    });
  }

  /** A call from the gateway over one of its connections. */
  private call(
    service: ServiceName,
    work: (end: (ok: boolean) => void) => void,
    done: (ok: boolean) => void,
  ) {
    const startMs = this.queue.nowMs;
    const pool = this.pools.get(service) ?? { free: this.options.connections, waiting: [] };
    this.pools.set(service, pool);
    const go = () =>
      this.queue.after(1, () =>
        work((ok) => {
          const next = pool.waiting.shift();
          if (next === undefined) pool.free += 1;
          else next();
          this.collector.add({
            subject: {
              ...this.subject('dependency', 'gateway'),
              operation: OPERATIONS.getInvoice,
              type: DEPENDENCY_TYPES.http,
              target: ROLES[service],
              partition: '',
              resultCode: ok ? '200' : '500',
            },
            numbers: { count: 1, retries: 0, requestCharge: 0, retryWaitMs: 0 },
            durationMs: this.queue.nowMs - startMs,
          });
          done(ok);
        }),
      );
    if (pool.free > 0) {
      pool.free -= 1;
      go();
    } else pool.waiting.push(go);
  }

  private cpuOnly(service: 'delivery', operation: string, end: (ok: boolean) => void): void {
    const startMs = this.queue.nowMs;
    this.cpu[service].run(() => {
      this.operation({ service, operation, startMs, ok: true });
      end(true);
    });
  }

  private packages(end: (ok: boolean) => void): void {
    const startMs = this.queue.nowMs;
    this.cpu.package.run(() =>
      this.queue.after(this.pointReadMs(), () => {
        this.operation({ service: 'package', operation: OPERATIONS.getPackagesSummary, startMs, ok: true });
        end(true);
      }),
    );
  }

  private utilization(end: (ok: boolean) => void): void {
    const startMs = this.queue.nowMs;
    const { knobs, failureShare, otherWorkMs } = this.options;
    const finish = (queried: boolean) => {
      const ok = queried && this.uniform() >= failureShare;
      this.operation({
        service: 'drone-utilization',
        operation: OPERATIONS.getDroneUtilization,
        startMs,
        ok,
      });
      end(ok);
    };
    this.cpu['drone-utilization'].run(() =>
      this.queue.after(otherWorkMs, () => {
        const all = this.partitions.map((_, at) => at);
        if (knobs.partitionKey === 'ownerId') this.query({ partition: this.ownersPartition(), done: finish });
        else if (knobs.queryFanout === 'serial') this.oneAfterAnother(all, finish);
        else this.allAtOnce(all, finish);
      }),
    );
  }

  private ownersPartition(): number {
    if (this.uniform() < this.options.hotShare) return 0;
    return Math.floor(this.uniform() * this.partitions.length);
  }

  private oneAfterAnother(partitions: number[], done: (ok: boolean) => void): void {
    const [first, ...rest] = partitions;
    if (first === undefined) {
      done(true);
      return;
    }
    this.query({ partition: first, done: (ok) => (ok ? this.oneAfterAnother(rest, done) : done(false)) });
  }

  private allAtOnce(partitions: number[], done: (ok: boolean) => void): void {
    let open = partitions.length;
    let allOk = true;
    for (const partition of partitions) {
      this.query({
        partition,
        done: (ok) => {
          allOk = allOk && ok;
          open -= 1;
          if (open === 0) done(allOk);
        },
      });
    }
  }

  private query(options: { partition: number; done: (ok: boolean) => void; attempt?: number }): void {
    const { partition, done, attempt = 0 } = options;
    const startMs = this.queue.nowMs;
    const latencyMs = this.latencyMs();
    this.queue.after(latencyMs * PARTITION_DELAY_SHARE, () => {
      const charge = this.options.knobs.queryBaseRu + 0.06;
      const refused = this.partitions[partition]?.admit(this.queue.nowMs, charge) ?? null;
      this.partitionRow(partition, refused === null ? charge : null);
      if (refused === null) {
        this.queue.after(latencyMs * (1 - PARTITION_DELAY_SHARE), () => {
          this.attempt({ partition, startMs, attempt, charge, retryWaitMs: null });
          done(true);
        });
        return;
      }
      this.queue.after(3, () => {
        const again = attempt < SDK_RETRIES;
        const retryWaitMs = again ? refused.retryAfterMs : 0;
        this.attempt({ partition, startMs, attempt, charge: 0, retryWaitMs });
        if (again) {
          this.queue.after(retryWaitMs, () => this.query({ partition, done, attempt: attempt + 1 }));
        } else done(false);
      });
    });
  }

  private attempt(options: {
    partition: number;
    startMs: number;
    attempt: number;
    charge: number;
    /** `null` for an answered query. */
    retryWaitMs: number | null;
  }): void {
    this.collector.add({
      subject: {
        ...this.subject('dependency', 'drone-utilization'),
        operation: OPERATIONS.getDroneUtilization,
        type: DEPENDENCY_TYPES.documentQuery,
        target: this.container(),
        partition: String(options.partition),
        resultCode: options.retryWaitMs === null ? '200' : '429',
      },
      numbers: {
        count: 1,
        retries: options.attempt > 0 ? 1 : 0,
        requestCharge: options.charge,
        retryWaitMs: options.retryWaitMs ?? 0,
      },
      durationMs: this.queue.nowMs - options.startMs,
    });
  }

  private partitionRow(partition: number, charge: number | null): void {
    const { knobs } = this.options;
    this.collector.add({
      subject: {
        kind: 'partition',
        second: this.wallSecond(),
        container: this.container(),
        partition: String(partition),
        provisionedRuPerSecond: knobs.ruPerSecond / knobs.physicalPartitions,
      },
      numbers: {
        requests: charge === null ? 0 : 1,
        throttled: charge === null ? 1 : 0,
        requestUnits: charge ?? 0,
      },
    });
  }

  private operation(options: {
    service: ServiceName;
    operation: string;
    startMs: number;
    ok: boolean;
  }): void {
    this.collector.add({
      subject: { ...this.subject('operation', options.service), operation: options.operation },
      numbers: { count: 1, failed: options.ok ? 0 : 1, cancelled: 0 },
      durationMs: this.queue.nowMs - options.startMs,
    });
  }

  private container(): string {
    return this.options.knobs.partitionKey === 'ownerId'
      ? CONTAINERS.utilizationByOwner.id
      : CONTAINERS.utilizationByDelivery.id;
  }

  private subject(kind: string, service: ServiceName) {
    return { kind, second: this.wallSecond(), role: ROLES[service], instance: `${service}-1` };
  }

  private wallSecond(): number {
    return this.options.zero + Math.floor(this.queue.nowMs / 1000);
  }

  private loadSecond(second: number) {
    const known = this.loadSeconds.get(second);
    if (known !== undefined) return known;
    const fresh = {
      second,
      users: this.usersAt(second),
      requests: 0,
      failed: 0,
      droppedIterations: 0,
      durationsMs: [],
    };
    this.loadSeconds.set(second, fresh);
    return fresh;
  }
}
