import { existsSync } from 'node:fs';
import path from 'node:path';
import {
  createKqlEngine,
  type Diagnostic,
  KqlError,
  openTelemetryFolder,
  type QueryResult,
  TABLES,
  type Visualization,
} from '@bottleneck-lab/app-insights-emulator';
import { request } from 'undici';
import { TELEMETRY_FOLDER } from '../results/index.js';
import { TelemetryError } from './errors.js';

export type QueryAnswer = Pick<QueryResult, 'columns' | 'rows' | 'visualization'>;

/** Telemetry that can be asked: of a run, from its folder, or of a running stack. */
export interface TelemetrySource {
  /** In a few words: which telemetry this is. */
  description: string;
  /** Throws QUERY_REFUSED with the engine's diagnostics as its message. */
  query(text: string): Promise<QueryAnswer>;
}

/** The telemetry in a run's folder. Throws RUN_WITHOUT_TELEMETRY or TELEMETRY_UNREADABLE. */
export async function folderSource(runFolder: string): Promise<TelemetrySource> {
  const folder = path.join(runFolder, TELEMETRY_FOLDER);
  const name = path.basename(runFolder);
  if (!existsSync(folder)) {
    throw new TelemetryError(
      'RUN_WITHOUT_TELEMETRY',
      `${name} was recorded without telemetry; run the scenario again with --telemetry`,
    );
  }
  const { sources, report } = await openTelemetryFolder(folder).catch((cause: Error) => {
    throw new TelemetryError('TELEMETRY_UNREADABLE', `${folder}: ${cause.message}`, { cause });
  });
  const engine = createKqlEngine(TABLES);
  const cut = report.tornLines.length === 0 ? '' : `, ${report.tornLines.length} deliveries cut off`;
  return {
    description: `run ${name}, ${report.rows} items${cut}`,
    async query(text) {
      try {
        return engine.execute(text, sources, { limits: { timeoutMs: 60_000 } });
      } catch (error) {
        if (error instanceof KqlError) throw refused(error.diagnostics.map(diagnosticLine), error);
        throw error;
      }
    },
  };
}

/** What the stand-in of a running stack has received and still keeps. */
export function liveSource(endpoint: string): TelemetrySource {
  return {
    description: `the running stack, ${endpoint}`,
    async query(text) {
      const { statusCode, body } = await request(`${endpoint}/v1/apps/live/query`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', prefer: 'include-render=true' },
        body: JSON.stringify({ query: text }),
      }).catch((cause: Error) => {
        throw new TelemetryError('NO_TELEMETRY', `${endpoint} did not answer: ${cause.message}`, { cause });
      });
      const answer = (await body.json()) as ApiAnswer;
      if (statusCode !== 200) throw refused(messageOf(answer, statusCode).split('\n'));
      return answerOf(answer);
    },
  };
}

/** The API's words: one line per diagnostic. */
const messageOf = ({ error }: ApiAnswer, status: number) =>
  error?.innererror?.message ?? error?.message ?? `status ${status}`;

interface ApiAnswer {
  tables?: { columns: QueryAnswer['columns']; rows: unknown[][] }[];
  render?: { visualization: string } & Visualization['properties'];
  error?: { message?: string; innererror?: { message?: string } };
}

/** The API sends dynamic values as JSON text. */
function answerOf({ tables, render }: ApiAnswer): QueryAnswer {
  const { columns = [], rows = [] } = tables?.[0] ?? {};
  const dynamic = columns.map(({ type }) => type === 'dynamic');
  const values = rows.map((row) => row.map((value, at) => (dynamic[at] ? parsed(value) : value)));
  if (render === undefined) return { columns, rows: values };
  const { visualization: kind, ...properties } = render;
  return { columns, rows: values, visualization: { kind, properties } };
}

function parsed(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

const diagnosticLine = ({ line, column, code, message }: Diagnostic) =>
  `${line}:${column} ${code}: ${message}`;

const refused = (lines: readonly string[], cause?: unknown) =>
  new TelemetryError(
    'QUERY_REFUSED',
    `the query was refused\n${lines.map((line) => `  ${line}`).join('\n')}`,
    { cause },
  );

/** Rows as objects, by column name. */
export function records({ columns, rows }: QueryAnswer): Record<string, unknown>[] {
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, at) => [name, row[at]])));
}
