// Writes infra/workbook.json from lab/queries: `node infra/workbook.js` after `tsc -b`. A test compares the two.
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { loadQueries } from '../lab/dist/telemetry/query-library.js';

/** In the order in which the four tests raise them; the rest follows. */
const ORDER = [
  'percentiles-per-step',
  'backend-durations',
  'cosmos-results-over-time',
  'partition-throughput',
  'slowest-operations',
  'cosmos-calls-per-operation',
  'request-units-per-operation',
  'cpu-against-limit',
];

const TIME_RANGE = 'TimeRange';
/** What a bar chart of a query is called in a workbook, whose own bar chart needs time on its axis. */
const VISUALIZATIONS = { timechart: 'timechart', barchart: 'categoricalbar', columnchart: 'categoricalbar' };

/** The workbook as an object; its queries are those of the lab, letter by letter but for parameters. */
export function workbook() {
  const queries = loadQueries();
  const rank = ({ name }) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  const ordered = [...queries].sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
  return {
    version: 'Notebook/1.0',
    items: [introduction(), parameters(queries), ...ordered.flatMap(section)],
    fallbackResourceIds: ['Azure Monitor'],
    $schema: 'https://github.com/Microsoft/Application-Insights-Workbooks/blob/master/schema/workbook.json',
  };
}

function introduction() {
  return text(
    'introduction',
    '# Where is the bottleneck?\n\nThe newest run of the lab in the time range, as its telemetry shows it. Each chart answers one question, ' +
      'and says what to look for. The queries are those of `lab/queries`.',
  );
}

function text(name, json) {
  return { type: 1, content: { json }, name };
}

function parameters(queries) {
  const knobs = [...new Set(queries.flatMap((query) => query.parameters.map(({ knob }) => knob)))];
  return {
    type: 9,
    content: {
      version: 'KqlParameterItem/1.0',
      parameters: [
        {
          version: 'KqlParameterItem/1.0',
          name: TIME_RANGE,
          label: 'Time range',
          type: 4,
          isRequired: true,
          value: { durationMs: 3_600_000 },
          typeSettings: {
            selectableValues: [900_000, 3_600_000, 14_400_000, 86_400_000].map((durationMs) => ({
              durationMs,
            })),
            allowCustom: true,
          },
        },
        ...knobs.map((knob) => ({
          version: 'KqlParameterItem/1.0',
          name: knob,
          label: knob === 'ruPerSecond' ? 'Provisioned RU/s' : knob,
          type: 1,
          isRequired: true,
          value: '900',
        })),
      ],
      style: 'pills',
      queryType: 0,
      resourceType: 'microsoft.insights/components',
    },
    name: 'parameters',
  };
}

function section(query) {
  const { name, title, question, lookFor } = query;
  return [
    text(`${name} question`, `## ${title}\n\n${question}\n\n*What to look for:* ${lookFor}`),
    {
      type: 3,
      content: {
        version: 'KqlItem/1.0',
        query: withParameters(query),
        size: 0,
        title,
        timeContextFromParameter: TIME_RANGE,
        queryType: 0,
        resourceType: 'microsoft.insights/components',
        ...appearance(query.text),
      },
      name,
    },
  ];
}

/** A reader sets parameters at the top of the workbook instead of in the text. */
function withParameters({ text: source, parameters: settable }) {
  return settable.reduce(
    (query, { name, knob }) =>
      query.replace(new RegExp(`^let ${name} = .*;$`, 'm'), `let ${name} = {${knob}};`),
    source,
  );
}

/** A workbook has its own names for what `render` asks for. */
function appearance(source) {
  const [, kind, options = ''] = /\| render (\w+)(?: with \((.*)\))?/.exec(source) ?? [];
  if (kind === undefined) return { visualization: 'table' };
  const visualization = VISUALIZATIONS[kind];
  if (visualization === undefined) throw new Error(`no visualization for render ${kind}`);
  const option = (name) => new RegExp(`${name}=([\\w, ]+?)(?:, \\w+=|$)`).exec(options)?.[1];
  const chartSettings = {
    ...(option('xcolumn') === undefined ? {} : { xAxis: option('xcolumn') }),
    ...(option('ycolumns') === undefined ? {} : { yAxis: option('ycolumns').split(/, */) }),
    ...(option('series') === undefined ? {} : { group: option('series') }),
  };
  return Object.keys(chartSettings).length === 0 ? { visualization } : { visualization, chartSettings };
}

export function workbookText() {
  return `${JSON.stringify(workbook(), null, 2)}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  writeFileSync(new URL('workbook.json', import.meta.url), workbookText());
}
