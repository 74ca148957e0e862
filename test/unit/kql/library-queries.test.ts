import { describe, expect, test } from 'vitest';
import { datetimeFromUnixMs, type Row } from '../../../emulators/app-insights/src/kql/index.js';
import { at, DEPENDENCY_COLUMNS, engine, REQUEST_COLUMNS, source } from './fixture.js';

/** A recording: 500 successful operations a minute apart in groups, each with nine calls, one in ten of them tried twice. */
const START = at('2026-03-01T10:00:00Z');
const SECOND = 10_000_000;
const OPERATIONS = 500;

function recording(callsPerOperation: number): { requests: Row[]; dependencies: Row[] } {
  const requests: Row[] = [];
  const dependencies: Row[] = [];
  for (let i = 0; i < OPERATIONS; i += 1) {
    const time = START + i * SECOND;
    const operation = `operation${i}`;
    requests.push([
      time,
      `r${i}`,
      'GET DroneDeliveries/GetDroneUtilization',
      'True',
      100 + (i % 10),
      1,
      operation,
      { 'lab.step': String(i % 8) },
    ]);
    requests.push([
      time,
      `s${i}`,
      'GET Deliveries/GetSummary',
      i % 50 === 0 ? 'False' : 'True',
      8,
      1,
      operation,
      {},
    ]);
    for (let call = 0; call < callsPerOperation; call += 1) {
      dependencies.push([time, `d${i}.${call}`, 'Azure DocumentDB', '200', 5, 1, operation]);
    }
    dependencies.push([time, `m${i}`, 'Azure DocumentDB (metadata)', '200', 1, 1, operation]);
    if (i % 10 === 0) dependencies.push([time, `t${i}`, 'Azure DocumentDB', '429', 2, 1, operation]);
  }
  return { requests, dependencies };
}

function run(text: string, callsPerOperation = 9): unknown[][] {
  const { requests, dependencies } = recording(callsPerOperation);
  return engine.execute(text, {
    requests: source(REQUEST_COLUMNS, requests),
    dependencies: source(DEPENDENCY_COLUMNS, dependencies),
  }).rows;
}

const CALLS_PER_OPERATION = `
  let begin = datetime(2026-03-01T10:00:00Z);
  let end = datetime(2026-03-01T11:00:00Z);
  let operation = 'GET DroneDeliveries/GetDroneUtilization';
  let kindOfCall = 'Azure DocumentDB';
  let calls =
    dependencies
    | where timestamp > begin - 1tick and timestamp < end
    | where type == kindOfCall;
  requests
  | where timestamp > begin - 1tick and timestamp < end
  | where success == true and name == operation
  | project itemCount, name
  | summarize
      SuccessfulOperations = sum(itemCount),
      Calls = toscalar(calls | summarize sum(itemCount))
  | project
      OperationName = operation,
      DependencyType = kindOfCall,
      SuccessfulOperations,
      Calls,
      CallsPerOperation = Calls / SuccessfulOperations`;

describe('queries of the kind the library has', () => {
  test('calls per successful operation, a whole number', () => {
    expect(run(CALLS_PER_OPERATION)).toEqual([
      ['GET DroneDeliveries/GetDroneUtilization', 'Azure DocumentDB', 500, 4550, 9],
    ]);
    expect(run(CALLS_PER_OPERATION, 1)[0]?.at(-1)).toBe(1);
    expect(engine.analyze(CALLS_PER_OPERATION).columns.at(-1)).toEqual({
      name: 'CallsPerOperation',
      type: 'long',
    });
  });

  test('mean duration per operation', () => {
    expect(
      run('requests | summarize n = count(), mean = avg(duration) by name | order by mean desc'),
    ).toEqual([
      ['GET DroneDeliveries/GetDroneUtilization', 500, 104.5],
      ['GET Deliveries/GetSummary', 500, 8],
    ]);
  });

  test('2xx and 429 per ten seconds', () => {
    const rows = run(
      'dependencies | where type == "Azure DocumentDB" | summarize ok = countif(resultCode startswith "2"), throttled = countif(resultCode == "429") by bin(timestamp, 10s) | order by timestamp asc',
    );
    expect(rows).toHaveLength(50);
    expect(rows.every(([, ok, throttled]) => ok === 90 && throttled === 1)).toBe(true);
  });

  test('failures by operation', () => {
    expect(
      run(
        'requests | where success == false | summarize failures = sum(itemCount) by name | render columnchart',
      ),
    ).toEqual([['GET Deliveries/GetSummary', 10]]);
  });

  test('percentiles per step', () => {
    const rows = run(
      "requests | where name has 'GetDroneUtilization' | extend step = toint(customDimensions['lab.step']) | summarize percentiles(duration, 50, 95) by step | order by step asc",
    );
    expect(rows).toHaveLength(8);
    // Steps repeat every 8 requests and durations every 10, so even steps see even durations only.
    expect(rows[0]).toEqual([0, 104, 108]);
  });

  test('slowest operations and the share of their time in one kind of call', () => {
    const rows = run(`
      requests
      | where name has 'GetDroneUtilization'
      | top 3 by duration
      | join kind=leftouter (dependencies | where type == 'Azure DocumentDB' | summarize inCalls = sum(duration) by operation_Id) on operation_Id
      | project operation_Id, duration, share = round(inCalls / duration, 3)`);
    expect(rows).toEqual([
      ['operation9', 109, 0.413],
      ['operation19', 109, 0.413],
      ['operation29', 109, 0.413],
    ]);
  });

  test('edges of a map: who calls what', () => {
    expect(
      run(`
        requests
        | where name has 'GetDroneUtilization'
        | project operation_Id, caller = name
        | join kind=inner (dependencies | project operation_Id, type) on operation_Id
        | summarize calls = count() by caller, type
        | order by calls desc`),
    ).toEqual([
      ['GET DroneDeliveries/GetDroneUtilization', 'Azure DocumentDB', 4550],
      ['GET DroneDeliveries/GetDroneUtilization', 'Azure DocumentDB (metadata)', 500],
    ]);
  });

  test('now() counts from the moment that is given', () => {
    const { requests } = recording(1);
    const now = START + 500 * SECOND;
    const result = engine.execute(
      'requests | where timestamp > ago(10s) | count',
      { requests: source(REQUEST_COLUMNS, requests) },
      { now },
    );
    expect(result.rows).toEqual([[18]]);
    expect(datetimeFromUnixMs(Date.UTC(2026, 2, 1, 10))).toBe(START);
  });
});
