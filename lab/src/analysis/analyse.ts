import type { Recording } from '../recording/recording.js';
import { cosmosMeasures } from './cosmos-measures.js';
import { loadMeasures } from './load-measures.js';
import type { Measures } from './measure-table.js';
import { operationMeasures } from './operation-measures.js';
import {
  type PartitionStatistics,
  partitionMeasures,
  partitionStatistics,
  queriedContainer,
} from './partition-statistics.js';
import { type ProcessStatistics, processMeasures, processStatistics } from './process-statistics.js';
import { kneeUsers, meanUsers, type StepStatistics, stepSpans } from './step-statistics.js';
import { type Span, type Timeline, timelineOf } from './timeline.js';
import { type TransportStatistics, transportStatistics } from './transport-statistics.js';

/** Everything that can be said of a run in numbers. Diagnosis and reports read nothing else. */
export interface Analysis {
  lengthSeconds: number;
  /** The whole load. */
  measures: Measures;
  /** The last quarter of the load, where it is heaviest. */
  lastQuarter: Measures;
  steps: StepStatistics[];
  /** Whole load, all containers. */
  partitions: PartitionStatistics[];
  /** The container that GetDroneUtilization queries; `null` when it made no query. */
  queriedContainer: string | null;
  processes: ProcessStatistics[];
  /** Time on the way from the gateway to each service, last quarter. */
  transport: TransportStatistics[];
}

/** Pure: the same recording gives the same analysis. */
export function analyse(recording: Recording): Analysis {
  const timeline = timelineOf(recording);
  const thinkTimeSeconds = recording.load?.thinkTimeSeconds ?? null;
  const spanMeasures = (span: Span, toTheEnd = false) =>
    measuresOf({ timeline, span, toTheEnd, thinkTimeSeconds });
  const steps = stepSpans(recording, timeline).map((span) => ({
    ...span,
    users: meanUsers(timeline, span),
    measures: spanMeasures(span),
  }));
  const knee = kneeUsers(steps);
  const lastQuarter = {
    fromSecond: Math.floor(timeline.lengthSeconds * 0.75),
    toSecond: timeline.lengthSeconds,
  };
  return {
    lengthSeconds: timeline.lengthSeconds,
    measures: {
      ...spanMeasures(timeline.load, true),
      ...(knee === null ? {} : { 'load.kneeUsers': knee }),
    },
    lastQuarter: spanMeasures(lastQuarter, true),
    steps,
    partitions: partitionStatistics(timeline, timeline.load),
    queriedContainer: queriedContainer(timeline, timeline.load),
    processes: processStatistics(timeline, timeline.load),
    transport: transportStatistics(timeline, lastQuarter),
  };
}

function measuresOf(options: {
  timeline: Timeline;
  span: Span;
  toTheEnd: boolean;
  thinkTimeSeconds: number | null;
}): Measures {
  const { timeline, span, toTheEnd, thinkTimeSeconds } = options;
  return {
    ...loadMeasures({ timeline, span, thinkTimeSeconds }),
    ...operationMeasures(timeline, span),
    ...cosmosMeasures({ timeline, span, toTheEnd }),
    ...partitionMeasures(timeline, span, partitionStatistics(timeline, span)),
    ...processMeasures(processStatistics(timeline, span)),
  };
}
