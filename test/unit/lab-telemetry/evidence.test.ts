import { describe, expect, it } from 'vitest';
import { formatRun, runMarkdown } from '../../../lab/src/report/index.js';
import { buildResult, compareRuns, type RunResult, runResult } from '../../../lab/src/results/index.js';
import { cachedRecording } from '../lab-analysis/model/cached.js';

const recording = cachedRecording({ scenario: 'throttled', seed: 1 });
const USE = { receiver: 'stand-in', sdk: 'applicationinsights', samplingRatio: 1 } as const;
const withTelemetry = (telemetryUse: RunResult['telemetryUse'] = USE) =>
  buildResult({ ...recording, meta: { ...recording.meta, telemetry: true, telemetryUse } });
const layout = { color: false, width: 110 };

describe('evidence', () => {
  it('names the query that shows the same from telemetry', () => {
    const [first] = withTelemetry().diagnosis.findings;
    const queries = first?.evidence.map((one) => one.query);
    expect(queries?.slice(0, 3)).toEqual([
      'cosmos-results-over-time',
      'partition-throughput',
      'slowest-operations',
    ]);
  });

  it('says so in the reports of runs that have telemetry to ask, and only there', () => {
    const result = withTelemetry();
    const onTerminal = formatRun(result, layout).replace(/\s+/g, ' ');
    expect(onTerminal).toContain('(lab query cosmos-results-over-time)');
    expect(runMarkdown(result)).toContain('Query: `partition-throughput`.');
    expect(runMarkdown(result)).toContain(
      '| telemetry | on: applicationinsights, to the stand-in, 100 % of traces |',
    );
    const without = buildResult(recording);
    expect(formatRun(without, layout)).not.toContain('lab query');
    expect(runMarkdown(without)).not.toContain('Query:');
    expect(runMarkdown(without)).toContain('| telemetry | off |');
  });
});

describe('a result of version 1.0', () => {
  it('is read, without what it does not know', () => {
    const { telemetryUse: _, diagnosis, ...old } = withTelemetry();
    const findings = diagnosis.findings.map((finding) => ({
      ...finding,
      evidence: finding.evidence.map(({ query: __, ...one }) => one),
    }));
    const read = runResult.parse({ ...old, schemaVersion: '1.0', diagnosis: { ...diagnosis, findings } });
    expect(read.telemetryUse).toBeNull();
    expect(read.diagnosis.findings[0]?.evidence[0]?.query).toBeNull();
  });
});

it.each<[string, RunResult['telemetryUse'], string]>([
  ['SDK', { ...USE, sdk: 'otlp' }, 'telemetry SDK: applicationinsights and otlp'],
  ['share of traces', { ...USE, samplingRatio: 0.1 }, 'share of traces kept: 1 and 0.1'],
])('runs are not compared when the %s differs', (_, use, message) => {
  expect(() => compareRuns(withTelemetry(), withTelemetry(use))).toThrow(message);
});
