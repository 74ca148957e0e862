import { readFileSync } from 'node:fs';
import { settings as deliverySettings } from '@bottleneck-lab/delivery';
import { settings as droneSettings } from '@bottleneck-lab/drone-utilization';
import { settings as gatewaySettings } from '@bottleneck-lab/gateway';
import { settings as packageSettings } from '@bottleneck-lab/package';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { loadScenarios } from '../../../lab/src/scenarios/index.js';
import { KNOB_TABLE } from '../../../lab/src/scenarios/knob-table.js';
import { applyLength } from '../../../lab/src/scenarios/knobs.js';

interface Service {
  image: string;
  build?: { target: string };
  profiles?: string[];
  ports?: string[];
  cpus?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt?: string[];
  environment?: Record<string, string>;
}
interface ComposeFile {
  services: Record<string, Service>;
}

const read = (name: string) => readFileSync(new URL(`../../../${name}`, import.meta.url), 'utf8');
const text = read('compose.yaml');
const { services } = parse(text, { merge: true }) as ComposeFile;
const overlay = parse(read('docker/compose.lab.yaml')) as ComposeFile;
const dockerfile = read('Dockerfile');

/** `${NAME:-default}` anywhere in the file. */
function defaultOf(variable: string): string | undefined {
  return text.match(new RegExp(`\\$\\{${variable}:-([^}]*)\\}`))?.[1];
}

describe('compose.yaml', () => {
  it('has a service for every image that the Dockerfile makes, as the release has', () => {
    const targets = [...dockerfile.matchAll(/^FROM (?:service|runtime) AS (\S+)$/gm)].map(([, name]) => name);
    const built = Object.values(services).flatMap(({ build }) => (build === undefined ? [] : [build.target]));
    const images = targets.filter((name) => name !== 'service').sort();
    expect(built.sort()).toEqual(images);
    const workflow = parse(read('.github/workflows/images.yml'));
    expect(workflow.jobs.image.strategy.matrix.target.sort()).toEqual(images);
  });

  it('publishes one port, the gateway’s, on loopback; telemetry, asked for by name, another', () => {
    const published = Object.entries(services).flatMap(([name, { ports = [], profiles = [] }]) =>
      ports.map((port) => ({ name, port, profiles })),
    );
    expect(published).toEqual([
      {
        name: 'gateway',
        port: expect.stringMatching(/^127\.0\.0\.1:\$\{LAB_PORT:-8080\}:8080$/),
        profiles: [],
      },
      {
        name: 'app-insights-emulator',
        port: expect.stringMatching(/^127\.0\.0\.1:\$\{LAB_TELEMETRY_PORT:-4319\}:4319$/),
        profiles: ['telemetry'],
      },
    ]);
    for (const { ports = [] } of Object.values(overlay.services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1::\d+$/);
    }
  });

  it.each(Object.keys(services))('gives %s no more rights than it needs', (name) => {
    expect(services[name]).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
  });

  it('limits the CPU of delivery', () => {
    expect(services.delivery?.cpus).toMatch(/^\$\{DELIVERY_CPU_LIMIT:-0\.3\}$/);
  });

  const knobs = Object.entries(KNOB_TABLE).flatMap(([name, { composeVariable }]) =>
    composeVariable === null ? [] : [[name, composeVariable] as const],
  );
  it.each(knobs)('has the variable of the knob %s: %s', (_knob, variable) => {
    expect(defaultOf(variable)).toBeDefined();
  });

  it('starts as test 1 of the article has it, with a load of 60 s', () => {
    const [first] = loadScenarios().filter((scenario) => scenario.article?.test === 1);
    if (first === undefined) throw new Error('there is no test 1');
    const wanted = applyLength(first.knobs, 60);
    const latency = ({ meanMs, coefficientOfVariation }: typeof wanted.queryLatency) =>
      `${meanMs}:${coefficientOfVariation}`;
    expect({
      ruPerSecond: Number(defaultOf('LAB_RU_PER_SECOND')),
      physicalPartitions: Number(defaultOf('LAB_PHYSICAL_PARTITIONS')),
      queryFanout: defaultOf('QUERY_FANOUT'),
      partitionKey: defaultOf('PARTITION_KEY'),
      queryBaseRu: Number(defaultOf('LAB_QUERY_BASE_RU')),
      queryLatency: defaultOf('LAB_QUERY_LATENCY'),
      pointReadLatency: defaultOf('LAB_POINT_READ_LATENCY'),
    }).toEqual({
      ruPerSecond: wanted.ruPerSecond,
      physicalPartitions: wanted.physicalPartitions,
      queryFanout: wanted.queryFanout,
      partitionKey: wanted.partitionKey,
      queryBaseRu: wanted.queryBaseRu,
      queryLatency: latency(wanted.queryLatency),
      pointReadLatency: latency(wanted.pointReadLatency),
    });
    expect(Number(defaultOf('LAB_BURST_SECONDS'))).toBeCloseTo(wanted.burstSeconds, 2);
  });

  it.each([
    ['gateway', gatewaySettings],
    ['delivery', deliverySettings],
    ['package', packageSettings],
    ['drone-utilization', droneSettings],
  ])('sets only variables that %s or telemetry reads', (name, settings) => {
    const known = new Set([
      ...Object.values(settings).map(({ variable }) => variable),
      'APPLICATIONINSIGHTS_CONNECTION_STRING',
      'TELEMETRY_ALLOW_HTTP',
    ]);
    const set = Object.keys(services[name]?.environment ?? {});
    expect(set.filter((variable) => !known.has(variable))).toEqual([]);
    for (const { variable, schema } of Object.values(settings)) {
      if (!schema.safeParse(undefined).success) expect(set).toContain(variable);
    }
  });

  it('says that a limit nobody measured is a guess', () => {
    expect(services.notice?.environment?.NOTICE).toMatch(/^uncalibrated: .*lab -- up --target compose/);
  });
});
