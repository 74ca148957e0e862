import { AGGREGATES } from './aggregates/table.js';
import { DEFAULT_LIMITS } from './budget.js';
import { SCALAR_OPERATORS } from './expressions/operator-list.js';
import { FUNCTION_TOPICS } from './functions/table.js';
import { PERFORMANCE_HINTS } from './operators/operator.js';
import { tabularOperators } from './operators/operator-table.js';
import { RENDER_KINDS, RENDER_PROPERTIES } from './operators/render.js';
import { SOURCE_SYNTAX } from './operators/sources.js';

interface Described {
  readonly signature: string;
  readonly note?: string;
}

const INTRODUCTION = `# Kusto query language: what the Application Insights stand-in runs

<!-- Generated from the evaluator's tables by emulators/app-insights/scripts/write-kql-reference.js; edit those. -->

Queries are parsed and analysed by Microsoft's own language service, so syntax, result column names, result types and most error texts are
Kusto's. They are run by the stand-in's own evaluator. What is listed here is run; **everything else is refused with its name and
position** (\`UNSUPPORTED\`, with line and column), never skipped. That goes for operators, functions, parameters and hints alike.`;

/** Differences from Kusto that a query's author can notice. */
const DEVIATIONS: readonly string[] = [
  '`int` and `long` values are exact within ±(2^53 − 1); a result outside of that is an error, not a wrapped number. There is no `decimal`.',
  '`datetime` has ticks of 100 ns, exact from 1991 to 2048; further away single ticks can be lost (microseconds are exact from 1963 to 2077).',
  '`percentile` and `dcount` are exact. In Kusto they are estimates, so small differences on large data are to be expected there.',
  '`take`, `take_any`, ties of `arg_max` and the left row of an innerunique join are arbitrary in Kusto; here it is the first in order of arrival.',
  'Numbers inside `dynamic` values are doubles: 1.0 and 1 are the same, and print as 1.',
  'Datetimes and timespans inside `dynamic` values are text, as in JSON; convert them back with `todatetime()` and `totimespan()`.',
  'A `dynamic` value compared with a scalar must hold that kind of value (a missing one counts as null, beside strings as empty). Other ' +
    'combinations, and arithmetic with `dynamic`, are errors that ask for a conversion.',
  'A `string` compared with a `bool` is converted as by `tobool()`, so `success == true` finds the text "True". A string compared with a number is refused.',
  'Regular expressions, the right side of `in`, periods, bin sizes of `make-series` and numbers of rows must not depend on the row.',
  'Regular expressions have at most 1,000 characters and at most 1,000 repetitions in nested counts.',
  'Strings that a function would make longer than 1,048,576 characters are an error; Kusto cuts them.',
  'Strings are ordered by UTF-16 code unit.',
  'Of real numbers, `tostring()` writes the shortest decimal that reads back the same, with `.0` for whole ones; very large and very small ones ' +
    'are written as `1e+21`.',
];

/** Behaviour for which no public documentation was found. */
const INFERRED: readonly string[] = [
  '`avg` of nothing is NaN, and so are `stdev` and `variance` of fewer than two values; `percentile` of nothing is null.',
  '`tostring(true)` is `true` (App Insights writes "True" into its string columns itself).',
  '`x has ""` is true.',
  'NaN is left out by `min`, `max` and `percentile`.',
];

const NULLS = `- \`null == null\` is null, \`null == x\` is false, \`null != x\` is true; other operators give null when an operand is null.
- \`false and null\` is false, \`true or null\` is true; \`where\` treats null as false.
- Strings are never null: a missing one is empty.
- Aggregates leave nulls out; \`count()\` counts rows.
- Whole-number division cuts towards zero, and gives null for a zero divisor; real division gives an infinity or NaN. \`%\` is never negative.`;

/** The reference page, in Markdown. */
export function kqlReference(): string {
  return `${[
    INTRODUCTION,
    section(
      'Sources',
      table(
        ['Source', 'Notes'],
        SOURCE_SYNTAX.map(({ syntax, note }) => [code(syntax), note ?? '']),
      ),
    ),
    section('Operators', operatorTable()),
    section('render', renderText()),
    section('let', LETS),
    section('Scalar operators', scalarOperators()),
    section('Nulls and numbers', NULLS),
    section('Aggregate functions', functionTable(Object.values(AGGREGATES))),
    section('Scalar functions', scalarFunctions()),
    section('Limits', limits()),
    section('Differences from Kusto', bullets(DEVIATIONS)),
    section(
      'Inferred',
      `Not found in public documentation; an assumption until somebody compares.\n\n${bullets(INFERRED)}`,
    ),
  ].join('\n\n')}\n`;
}

const LETS = `Scalars, tables (\`let T = requests | ...\`, also with \`materialize()\`), and functions with scalar parameters, whose body may have \`let\`
statements of its own: \`let f = (x: long, y: long = 3) { x + y };\`. Tabular parameters are refused. \`toscalar(table)\` gives the first column of
the first row; no row gives null.`;

function section(title: string, body: string): string {
  return `## ${title}\n\n${body}`;
}

function code(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}

function bullets(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

function operatorTable(): string {
  const rows = Object.values(tabularOperators()).map(({ syntax, note }) => [code(syntax), note ?? '']);
  return `${table(['Operator', 'Notes'], rows)}\n\nHints that change no result are accepted and have no effect: ${PERFORMANCE_HINTS.map(code).join(', ')}.`;
}

function renderText(): string {
  return `\`render kind [with (property = value, ...)]\` as the last operator; it is handed on with the result. Kinds: ${RENDER_KINDS.join(', ')}. Properties: ${RENDER_PROPERTIES.join(', ')}.`;
}

function scalarOperators(): string {
  return table(
    ['Topic', 'Operators'],
    Object.entries(SCALAR_OPERATORS).map(([topic, operators]) => [topic, operators.map(code).join(' ')]),
  );
}

function functionTable(functions: readonly Described[]): string {
  return table(
    ['Function', 'Notes'],
    functions.map(({ signature, note }) => [code(signature), note ?? '']),
  );
}

function scalarFunctions(): string {
  return Object.entries(FUNCTION_TOPICS)
    .map(([topic, functions]) => `### ${topic}\n\n${functionTable(Object.values(functions))}`)
    .join('\n\n');
}

function limits(): string {
  const meanings: Record<keyof typeof DEFAULT_LIMITS, string> = {
    timeoutMs: 'Wall time of parsing, compiling and running, ms.',
    maxResultRows: 'Rows of the result.',
    maxMemoryBytes: 'Estimated bytes held at once by sorts, joins, groups, lists and the result.',
    maxQueryLength: 'Characters of the query text.',
    maxNesting: 'Nested brackets.',
  };
  const rows = Object.entries(meanings).map(([name, meaning]) => [
    code(name),
    DEFAULT_LIMITS[name as keyof typeof DEFAULT_LIMITS].toLocaleString('en-US'),
    meaning,
  ]);
  return `A query that exceeds one fails with \`LIMIT\` and its name; it never returns part of a result.\n\n${table(['Limit', 'Default', 'Meaning'], rows)}`;
}
