import type { LibraryQuery } from './query-file.js';

/** docs/reference/queries.md, from the query files. */
export function queriesPage(queries: readonly LibraryQuery[]): string {
  const header = `# Queries

What the telemetry of a run is asked. The files are in [lab/queries](../../lab/queries); this page is generated from them
(\`npm run -s lab -- query --list --markdown > docs/reference/queries.md\`), and a test compares the two.

    npm run lab -- run throttled --telemetry            # record a run
    npm run lab -- query cosmos-calls-per-operation     # of the running stack, else of the newest run with telemetry
    npm run lab -- query partition-throughput --run latest --chart
    npm run lab -- query "requests | summarize count() by name" --json

The text of each is complete, comments included: paste it into the Logs of an Application Insights resource, and set the time range
to that of the run. All of them show the newest run in that range, by the baggage that the load script sends; without any such
request they show what was sent by hand. Counts are sums of \`itemCount\`, so that they are right for sampled telemetry too.
Parameters are \`let\` statements: \`lab query\` sets them to the knobs of the run, \`--set name=value\` to anything else, and in the
portal you change the line.

| name | question |
| --- | --- |
${queries.map(({ name, question }) => `| [\`${name}\`](#${name}) | ${question} |`).join('\n')}
`;
  return `${header}\n${queries.map(section).join('\n')}`;
}

function section({ name, title, question, lookFor, parameters, text }: LibraryQuery): string {
  const set = parameters.map(({ name: parameter, knob }) => `\`${parameter}\` (knob \`${knob}\`)`).join(', ');
  return `## ${name}

**${title}.** ${question}

What to look for: ${lookFor}
${set === '' ? '' : `\nParameter: ${set}.\n`}
\`\`\`kusto
${text
  .split('\n')
  .filter((line) => !line.startsWith('//'))
  .join('\n')
  .trim()}
\`\`\`
`;
}
