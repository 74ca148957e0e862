import type { QueryWork } from '../throughput/request-charge.js';

/** The answer to `x-ms-documentdb-populatequerymetrics`: what the query did and, as far as it is known, how long it took. */
export function queryMetricsHeader(work: QueryWork, elapsedMs: number): string {
  const total = elapsedMs.toFixed(2);
  const hitRatio =
    work.documentsLoaded === 0 ? 1 : Math.min(1, work.documentsReturned / work.documentsLoaded);
  return [
    `totalExecutionTimeInMs=${total}`,
    'queryCompileTimeInMs=0.00',
    'queryLogicalPlanBuildTimeInMs=0.00',
    'queryPhysicalPlanBuildTimeInMs=0.00',
    'queryOptimizationTimeInMs=0.00',
    `VMExecutionTimeInMs=${total}`,
    'indexLookupTimeInMs=0.00',
    'documentLoadTimeInMs=0.00',
    'systemFunctionExecuteTimeInMs=0.00',
    'userFunctionExecuteTimeInMs=0.00',
    `retrievedDocumentCount=${work.documentsLoaded}`,
    `retrievedDocumentSize=${work.bytesLoaded}`,
    `outputDocumentCount=${work.documentsReturned}`,
    `outputDocumentSize=${work.bytesReturned}`,
    'writeOutputTimeInMs=0.00',
    `indexUtilizationRatio=${hitRatio.toFixed(2)}`,
  ].join(';');
}
