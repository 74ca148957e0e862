import type { StackStatus } from '../stack/stack-status.js';
import { TelemetryError } from '../telemetry/errors.js';
import { type Operation, readOperation } from '../telemetry/operation.js';
import { loadQueries } from '../telemetry/query-library.js';
import { liveSource, type QueryAnswer, type TelemetrySource } from '../telemetry/telemetry-source.js';
import type {
  MapEdge,
  OperationListed,
  QueryAnswered,
  QueryChecked,
  QueryCompletions,
  QueryListed,
} from './api.js';
import { ConsoleError } from './errors.js';
import { applicationMap, listOperations, type OperationList } from './operations.js';
import type { RunLibrary } from './run-library.js';
import type { RunSession } from './run-session.js';
import type { TelemetryTasks } from './telemetry-tasks.js';

/** Questions to the telemetry of a run, be it on disk or still on its way. */
export interface TelemetryViews {
  library(): QueryListed[];
  query(run: string, text: string): Promise<QueryAnswered>;
  check(text: string): Promise<QueryChecked>;
  complete(text: string, position: number): Promise<QueryCompletions>;
  operations(asked: {
    run: string;
    list: OperationList;
    fromSecond: number;
    toSecond: number;
  }): Promise<OperationListed[]>;
  operation(run: string, id: string): Promise<Operation>;
  map(run: string): Promise<MapEdge[]>;
}

interface AskedRun {
  id: string;
  loadStartMs: number;
  source: TelemetrySource;
}

export function createTelemetryViews(options: {
  runs: RunSession;
  library: RunLibrary;
  tasks: TelemetryTasks;
  status: () => Promise<StackStatus | null>;
}): TelemetryViews {
  const { runs, library, tasks, status } = options;

  const asked = async (run: string): Promise<AskedRun> => {
    const live = runs.view();
    if (live !== null && runs.isGoing(run)) {
      const endpoint = (await status())?.telemetry?.endpoint ?? null;
      if (endpoint === null)
        throw new TelemetryError('NO_TELEMETRY', 'the stack of this run sends no telemetry');
      return { id: live.id, loadStartMs: live.startedAtMs ?? Date.now(), source: liveSource(endpoint) };
    }
    const folder = library.folder(run);
    const { id, startedAtMs } = library.view(run);
    return { id, loadStartMs: startedAtMs ?? 0, source: folderOf(folder, id, tasks) };
  };

  return {
    library: () =>
      loadQueries().map(({ name, title, question, lookFor, text }) => ({
        ...{ name, title, question, lookFor, text },
      })),
    async query(run, text) {
      const { source } = await asked(run);
      const { columns, rows, visualization } = await source.query(text);
      return {
        source: source.description,
        columns: columns.map(({ name, type }) => ({ name, type })),
        rows,
        visualization:
          visualization === undefined
            ? null
            : { kind: visualization.kind, properties: { ...visualization.properties } },
      };
    },
    check: async (text) => (await tasks.run({ kind: 'check', text })) as QueryChecked,
    complete: async (text, position) =>
      (await tasks.run({ kind: 'complete', text, position })) as QueryCompletions,
    async operations({ run, list, fromSecond, toSecond }) {
      const { id, loadStartMs, source } = await asked(run);
      return listOperations({ source, list, range: { run: id, loadStartMs, fromSecond, toSecond } });
    },
    async operation(run, id) {
      if (!/^[0-9a-f]{32}$/.test(id)) {
        throw new ConsoleError('BAD_REQUEST', `"${id}" is no operation_Id: 32 hexadecimal digits`);
      }
      const { source } = await asked(run);
      const operation = await readOperation(source, id);
      if (operation === null) throw new TelemetryError('TRACE_UNKNOWN', `nothing of operation ${id} is left`);
      return operation;
    },
    async map(run) {
      const { id, source } = await asked(run);
      return applicationMap(source, id);
    },
  };
}

/** A run's folder, asked in the thread for queries. */
function folderOf(folder: string, id: string, tasks: TelemetryTasks): TelemetrySource {
  return {
    description: `run ${id}`,
    query: async (text) => (await tasks.run({ kind: 'query', folder, text })) as QueryAnswer,
  };
}
