import { CosmosError } from '../errors.js';

/** Limits of Microsoft's "service quotas" and "provisioned throughput best practices" articles. */
export const THROUGHPUT = {
  minimumRuPerSecond: 400,
  minimumAutoscaleRuPerSecond: 1000,
  maximumRuPerSecond: 1_000_000,
  incrementRuPerSecond: 100,
  autoscaleIncrementRuPerSecond: 1000,
  ruPerPhysicalPartition: 10_000,
  /** A new container with manual throughput gets a partition per 6,000 RU/s. */
  initialManualRuPerPartition: 6_000,
  /** The minimum is at least the highest ever provisioned divided by this. */
  highestEverDivisor: 100,
  minimumRuPerStoredGb: 10,
  /** Autoscale varies between this share of the maximum and the maximum. */
  autoscaleFloor: 0.1,
} as const;

export type ThroughputMode = 'manual' | 'autoscale';

export interface ThroughputRequest {
  mode: ThroughputMode;
  /** For autoscale the maximum. */
  ruPerSecond: number;
}

const BYTES_PER_GB = 1024 ** 3;

/** Provisioned throughput of a container or a database. */
export class Throughput {
  mode: ThroughputMode;
  /** For autoscale the maximum, which is what each second's budget is cut from. */
  ruPerSecond: number;
  highestEverRuPerSecond: number;

  constructor({ mode, ruPerSecond }: ThroughputRequest) {
    assertAllowed({ mode, ruPerSecond }, lowestOf(mode));
    this.mode = mode;
    this.ruPerSecond = ruPerSecond;
    this.highestEverRuPerSecond = ruPerSecond;
  }

  /** Physical partitions of something new with this throughput. */
  get initialPhysicalPartitions(): number {
    const perPartition =
      this.mode === 'manual' ? THROUGHPUT.initialManualRuPerPartition : THROUGHPUT.ruPerPhysicalPartition;
    return Math.ceil(this.ruPerSecond / perPartition);
  }

  /** Physical partitions that the throughput needs at least; more than there are means splits. */
  get requiredPhysicalPartitions(): number {
    return Math.ceil(this.ruPerSecond / THROUGHPUT.ruPerPhysicalPartition);
  }

  minimumRuPerSecond(storedBytes: number): number {
    const lowest = Math.max(
      lowestOf(this.mode),
      this.highestEverRuPerSecond / THROUGHPUT.highestEverDivisor,
      (storedBytes / BYTES_PER_GB) * THROUGHPUT.minimumRuPerStoredGb,
    );
    const increment = incrementOf(this.mode);
    return Math.ceil(lowest / increment) * increment;
  }

  replace(request: ThroughputRequest, storedBytes: number): void {
    const lowest = request.mode === this.mode ? this.minimumRuPerSecond(storedBytes) : lowestOf(request.mode);
    assertAllowed(request, lowest);
    this.mode = request.mode;
    this.ruPerSecond = request.ruPerSecond;
    this.highestEverRuPerSecond = Math.max(this.highestEverRuPerSecond, request.ruPerSecond);
  }
}

function lowestOf(mode: ThroughputMode): number {
  return mode === 'manual' ? THROUGHPUT.minimumRuPerSecond : THROUGHPUT.minimumAutoscaleRuPerSecond;
}

function incrementOf(mode: ThroughputMode): number {
  return mode === 'manual' ? THROUGHPUT.incrementRuPerSecond : THROUGHPUT.autoscaleIncrementRuPerSecond;
}

function assertAllowed({ mode, ruPerSecond }: ThroughputRequest, lowest: number): void {
  const increment = incrementOf(mode);
  const inRange = ruPerSecond >= lowest && ruPerSecond <= THROUGHPUT.maximumRuPerSecond;
  if (Number.isInteger(ruPerSecond) && inRange && ruPerSecond % increment === 0) return;
  const name = mode === 'manual' ? 'offer throughput' : 'offer autopilot max throughput';
  throw new CosmosError(
    'badRequest',
    `The ${name} specified (${ruPerSecond}) is invalid. It has to be between ${lowest} and ` +
      `${THROUGHPUT.maximumRuPerSecond} inclusive, in increments of ${increment}.`,
  );
}
