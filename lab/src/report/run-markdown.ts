import type { ResultFinding, RunResult } from '../results/result-schema.js';
import { caveatOf, sealedNote } from './key-figures.js';
import { markdownTable } from './layout.js';
import {
  expectedTable,
  measuresTable,
  partitionsTable,
  publishedTable,
  type ReportTable,
  stepsTable,
  validityTable,
} from './report-tables.js';
import { setUpTable } from './set-up.js';

/** `report.md` of one run. */
export function runMarkdown(result: RunResult): string {
  const caveat = caveatOf(result);
  const sections = [
    `# ${result.scenario.title}\n\nRun \`${result.id}\`, scenario \`${result.scenario.name}\`, ${result.startedAt}.`,
    caveat === '' ? '' : `> **${caveat}**`,
    diagnosisSection(result),
    section(publishedTable(result)),
    section(expectedTable(result)),
    section(stepsTable(result)),
    section(partitionsTable(result)),
    section(measuresTable(result)),
    section({
      ...validityTable(result, '**failed**'),
      lead: result.validity.valid ? 'This run is valid.' : 'This run is **not valid**.',
    }),
    section(setUpTable(result)),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function diagnosisSection(result: RunResult): string {
  if (result.sealed) return `## Bottleneck\n\n${sealedNote(result)}`;
  const { diagnosis, telemetry } = result;
  const [first, ...others] = diagnosis.findings;
  if (first === undefined) return '';
  const parts = [`## Bottleneck: ${first.title}`, findingText(first, telemetry)];
  for (const other of others)
    parts.push(
      `### ${other.confidence === 'low' ? 'Perhaps' : 'Also'}: ${other.title}`,
      findingText(other, telemetry),
    );
  return parts.join('\n\n');
}

function findingText({ evidence, next, confidence }: ResultFinding, telemetry: boolean): string {
  return [
    ...evidence.map((one) => `- ${capital(one.text)}.${queryNote(one, telemetry)}`),
    '',
    `Confidence: ${confidence}. To try next:`,
    '',
    ...next.map((one) => `- ${one.text}${one.knob === null ? '' : ` (\`${one.knob}\`)`}`),
  ].join('\n');
}

/** Where there is telemetry to ask: the query that shows it. */
function queryNote({ query }: ResultFinding['evidence'][number], telemetry: boolean): string {
  return telemetry && query !== null ? ` Query: \`${query}\`.` : '';
}

function section(table: ReportTable | null): string {
  if (table === null) return '';
  const { title, lead, header, rows, right, codeNames } = table;
  const named = codeNames ? rows.map(([name, ...rest]) => [code(name), ...rest]) : rows;
  return [`## ${title}`, ...(lead === '' ? [] : [lead]), markdownTable(header, named, right)].join('\n\n');
}

/** Names of measures as code; other words are left as they are. */
function code(name = ''): string {
  return name.includes('.') ? `\`${name}\`` : name;
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
