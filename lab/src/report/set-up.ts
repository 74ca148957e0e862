import { quantity } from '../analysis/quantity.js';
import type { RunResult } from '../results/result-schema.js';
import type { ReportTable } from './report-tables.js';

/** Everything that must be equal for a repeat: knobs, load, seed, target, machine, versions. */
export function setUpTable(result: RunResult): ReportTable {
  return {
    title: 'Set-up',
    lead: '',
    header: ['what', 'value'],
    rows: [...knobRows(result), ...loadRows(result), ...placeRows(result)],
    right: [],
    codeNames: false,
  };
}

function knobRows({ knobs, calibration, turnedKnobs }: RunResult): string[][] {
  const latency = (of: { meanMs: number; coefficientOfVariation: number }) =>
    `mean ${quantity(of.meanMs)} ms, coefficient of variation ${quantity(of.coefficientOfVariation)}`;
  return [
    [
      'provisioned throughput',
      `${quantity(knobs.ruPerSecond)} RU/s in ${knobs.physicalPartitions} physical partitions`,
    ],
    ['query', `${knobs.queryFanout}, partition key ${knobs.partitionKey}`],
    ['throughput saved for later', `${knobs.burstSeconds} s`],
    ['base charge of a partition query', `${knobs.queryBaseRu} RU`],
    ['latency of a partition query', latency(knobs.queryLatency)],
    ['latency of a point read', latency(knobs.pointReadLatency)],
    [
      'ceiling of delivery',
      `${quantity(knobs.deliveryRequestsPerSecond)} req/s for each of ${knobs.deliveryReplicas} ${knobs.deliveryReplicas === 1 ? 'process' : 'processes'}`,
    ],
    [
      'calibration',
      calibration === null
        ? 'none'
        : `${quantity(calibration.deliveryCpuLimitCores, 3)} cores, found ${quantity(calibration.ceilingRequestsPerSecond)} req/s (${calibration.source})`,
    ],
    ...turnedKnobs.map(({ second, knob, from, to }) => [
      'turned while it ran',
      `${knob} from ${from} to ${to} in second ${quantity(second)}`,
    ]),
  ];
}

function loadRows(result: RunResult): string[][] {
  const { load, plannedSeconds } = result;
  return [
    [
      'load',
      load === null
        ? 'never started'
        : `${load.profile}, ${plannedSeconds} s, think time ${load.thinkTimeSeconds} s, ${load.engine.name} ${load.engine.version}, exit code ${load.exitCode} (${load.meaning})`,
    ],
    ['seed', String(result.seed)],
    ['telemetry', telemetryText(result)],
  ];
}

function placeRows({ target, machine, versions }: RunResult): string[][] {
  return [
    ['target', `${target.kind}, database: ${target.database}${target.calibrated ? '' : ', not calibrated'}`],
    [
      'machine',
      `${machine.cpuModel}, ${machine.cores} cores, ${quantity(machine.memoryBytes / 2 ** 30)} GiB, ${machine.os}, Node ${machine.node}`,
    ],
    [
      'versions',
      Object.entries(versions)
        .map(([name, version]) => `${name} ${version}`)
        .join(', '),
    ],
  ];
}

function telemetryText({ telemetry, telemetryUse }: RunResult): string {
  if (telemetryUse === null) return telemetry ? 'on' : 'off';
  const { sdk, receiver, samplingRatio } = telemetryUse;
  return `on: ${sdk}, to ${receiver === 'azure' ? 'Azure' : 'the stand-in'}, ${quantity(100 * samplingRatio)} % of traces`;
}
