import path from 'node:path';
import { TelemetryError } from '../telemetry/errors.js';
import { findOperation, OPERATION_KINDS } from '../telemetry/find-operation.js';
import { readOperation } from '../telemetry/operation.js';
import { folderSource, type TelemetrySource } from '../telemetry/telemetry-source.js';
import type { ShownTransaction, Transactions } from './html/reported-run.js';

/**
 * The transactions that a report shows: the most throttled one, where there is one, and the slowest. Never throws for what is wrong with the telemetry: a report says it.
 * Opening telemetry takes seconds, so this file is loaded only where there is some.
 */
export async function readTransactions(telemetryFolder: string): Promise<Transactions> {
  try {
    const source = await folderSource(path.dirname(telemetryFolder));
    const shown = [
      await operationOfKind(source, 'throttled'),
      await operationOfKind(source, 'slowest'),
    ].filter((one) => one !== null);
    const [first, second] = shown;
    if (first === undefined) return { missing: 'The telemetry of this run holds no operation.' };
    return { shown: second?.operation.operationId === first.operation.operationId ? [first] : shown };
  } catch (error) {
    if (!(error instanceof TelemetryError)) throw error;
    return { missing: `The telemetry of this run could not be read: ${error.message}` };
  }
}

async function operationOfKind(
  source: TelemetrySource,
  kind: keyof typeof OPERATION_KINDS,
): Promise<ShownTransaction | null> {
  try {
    const operation = await readOperation(source, await findOperation(source, kind));
    return operation === null ? null : { what: OPERATION_KINDS[kind].what, operation };
  } catch (error) {
    // None of that kind was recorded.
    if (error instanceof TelemetryError && error.code === 'TRACE_UNKNOWN') return null;
    throw error;
  }
}
