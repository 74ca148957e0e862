/**
 * Where the rules draw their lines. Each is named in docs/reference/diagnosis.md, and a test compares the two.
 * Chosen so that the article's four tests are told apart over many seeds, and near misses stay misses.
 */
export const THRESHOLDS = {
  /** Share of attempts answered with 429, whole load or last quarter, from which on throttling is a finding. */
  throttledPercent: 1,
  /** Busiest physical partition over the mean of its container. */
  hotPartitionSkew: 2,
  /** Peak of a physical partition over its limit that counts as close to it. */
  nearLimitPercent: 75,
  /** CPU over limit that is saturation when many periods are throttled. */
  cpuPercent: 95,
  /** CPU over limit that is saturation when many periods are throttled and the service's operation has become slow. */
  cpuWithSlowdownPercent: 90,
  /** Share of enforcement periods that were throttled. */
  throttledPeriodsPercent: 35,
  /** Mean duration of the operation in the last quarter over that in the first quarter. */
  slowdown: 1.5,
  /** Event loop utilization of a process without CPU limit, and the CPU it must have used to mean anything. */
  eventLoopPercent: 95,
  eventLoopCores: 0.85,
  /** Share of a call that is spent outside the called service, and at least this long. */
  outsidePercent: 50,
  outsideMs: 20,
  /** That time over the duration of the invoice at the gateway. */
  outsideOfInvoicePercent: 20,
  /** A called service above one of these is busy itself, so that waiting for it says nothing about connections. */
  busyCpuPercent: 70,
  busyThrottledPeriodsPercent: 5,
  /** Failed requests at the client. */
  errorPercent: 1,
  /** Partition queries per operation from which on a query fans out. */
  fanOutQueries: 1.5,
  /** Added-up query time over operation time: inside it the queries run one after another, above it at once. */
  serialOverlapMin: 0.8,
  serialOverlapMax: 1.2,
  /** Share of the invoice that GetDroneUtilization must take for its structure to matter. */
  operationOfInvoicePercent: 50,
  /** RU per operation over queries × RU per query: every partition is paid. */
  paidShare: 0.8,
} as const;

/** When a run is no measurement of the system; see docs/reference/diagnosis.md. Generous on purpose. */
export const VALIDITY_LIMITS = {
  /** A second counts as delayed when an event loop stood still for so long. */
  eventLoopDelayMs: 250,
  delayedSecondsPercent: 20,
  /**
   * Time that busy event loops of processes without CPU limit did not get a processor, over their busy time.
   * 10 to 20 on a quiet machine.
   */
  cpuWaitPercent: 40,
  /** Mean CPU that the hypervisor gave to others, over all cores. */
  stealPercent: 10,
  /** A second counts as full when all cores together are this busy, steal included. */
  machineBusyPercent: 95,
  fullSecondsPercent: 20,
  /** Longest standstill of the load generator's event loop. */
  generatorDelayMs: 1_000,
  /**
   * What the delivery service's CPU limit allows, below and above its calibration. A limit too low costs some
   * throughput; one too high leaves CPU idle where the load was to saturate it.
   */
  ceilingLowPercent: 25,
  ceilingHighPercent: 15,
  /** Little's law may be off by so much. */
  littlePercent: 15,
} as const;
