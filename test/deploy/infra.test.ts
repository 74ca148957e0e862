import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { CONTAINERS, DATABASE } from '@bottleneck-lab/contracts';
import { describe, expect, it } from 'vitest';
import { workbookText } from '../../infra/workbook.js';
import { findTool } from '../../k8s/tools.js';
import { creationThroughput, PACKAGES_RU } from '../../lab/src/seed/containers.js';
import { loadQueries } from '../../lab/src/telemetry/query-library.js';
import { ROOT, readManifests, workloadsOf } from './manifests.js';

const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8').replaceAll('\r\n', '\n');
const MODULES = readdirSync(path.join(ROOT, 'infra/modules')).map((file) => `infra/modules/${file}`);
const main = read('infra/main.bicep');
const cosmos = read('infra/modules/cosmos.bicep');
const cluster = read('infra/modules/cluster.bicep');
const all = [main, ...MODULES.map(read)].join('\n');

const names = (text: string, word: string) =>
  [...text.matchAll(new RegExp(`^${word} (\\w+) `, 'gm'))].map(([, name]) => name as string);

/** Words and functions of Bicep that the templates use; a name that is misspelt is none of them. */
const LANGUAGE = [
  ...['true', 'false', 'if', 'for', 'in', 'existing', 'array', 'int', 'string', 'json', 'take', 'guid'],
  ...['resourceGroup', 'subscription', 'subscriptionResourceId', 'uniqueString', 'utcNow', 'empty'],
  'loadTextContent',
];

/** The text without comments, decorators and literals; what is inserted into a literal stays. */
function expressionsOf(text: string): string {
  return text
    .replace(/^\s*(?:\/\/|@).*$/gm, '')
    .replace(/'(?:\\.|[^'\\])*'/g, (literal) =>
      [...literal.matchAll(/\$\{([^}]*)\}/g)].map(([, inserted]) => ` ${inserted} `).join(' '),
    )
    .replace(/\/\/.*$/gm, '');
}

/** Names that stand for a value: none that is declared, a property's, or a member's. */
function usesIn(text: string): Set<string> {
  const values = text
    .replace(/^targetScope.*$/gm, '')
    .replace(/^(?:param|var|resource|module|output) \w+(?: (?:string|int|bool|array|object))?/gm, '')
    .replace(/\.\w+/g, '')
    .replace(/^\s*\w+:/gm, '')
    .replace(/([{,]\s*)\w+:/g, '$1');
  return new Set([...values.matchAll(/[A-Za-z_]\w*/g)].map(([name]) => name));
}

interface WorkbookItem {
  type: number;
  name: string;
  content: {
    query: string;
    visualization: string;
    chartSettings?: { xAxis?: string; yAxis?: string[]; group?: string };
    parameters?: { name: string }[];
  };
}
const items = (JSON.parse(read('infra/workbook.json')) as { items: WorkbookItem[] }).items;

describe('the workbook', () => {
  it('is up to date (npx tsc -b && node infra/workbook.js)', () => {
    expect(read('infra/workbook.json')).toBe(workbookText());
  });

  it('asks every question of the library in its own words', () => {
    const charts = items.filter(({ type }) => type === 3);
    expect(charts.map(({ name }) => name).sort()).toEqual(loadQueries().map(({ name }) => name));
    for (const query of loadQueries()) {
      const chart = charts.find(({ name }) => name === query.name)?.content;
      const set = query.parameters.map(({ name }) => name);
      const lines = (text = '') =>
        text.split('\n').filter((line) => !set.some((name) => line.startsWith(`let ${name} = `)));
      expect(lines(chart?.query)).toEqual(lines(query.text));
      for (const { name, knob } of query.parameters) {
        expect(chart?.query).toContain(`let ${name} = {${knob}};`);
        expect(items.find(({ type }) => type === 9)?.content.parameters?.map((one) => one.name)).toContain(
          knob,
        );
      }
    }
  });

  it('draws what the queries ask for', () => {
    for (const { content } of items.filter(({ type }) => type === 3)) {
      const asked = /\| render (\w+)/.exec(content.query)?.[1];
      const drawn = { timechart: 'timechart', barchart: 'categoricalbar', columnchart: 'categoricalbar' };
      expect(content.visualization).toBe(asked === undefined ? 'table' : drawn[asked as keyof typeof drawn]);
    }
    const steps = items.find(({ name }) => name === 'percentiles-per-step');
    expect(steps?.content.chartSettings).toEqual({ xAxis: 'Step', yAxis: ['RequestsPerSecond', 'P95Ms'] });
  });
});

describe('the resources in Azure', () => {
  it('hold the containers that the services query, with their partition keys', () => {
    const containers = [...cosmos.matchAll(/id: '([\w-]+)'\n {4}partitionKeyPath: '(\/\w+)'/g)].map(
      ([, id, partitionKeyPath]) => ({ id, partitionKeyPath }),
    );
    expect(containers).toEqual(Object.values(CONTAINERS));
    expect(cosmos).toContain(`name: '${DATABASE}'`);
  });

  it('are created with the throughput that gives nine partitions', () => {
    const standard = (parameter: string) =>
      Number(new RegExp(`param ${parameter} int = (\\d+)`).exec(main)?.[1]);
    expect(standard('utilizationThroughput')).toBe(creationThroughput(9));
    expect(standard('packagesThroughput')).toBe(PACKAGES_RU.seeding);
  });

  it('trust the accounts of the pods that use Azure, and no others', () => {
    const pods = workloadsOf(readManifests('base', 'components/azure'));
    const users = pods
      .filter(({ pod }) =>
        pod.containers.some(({ env }) => env?.some(({ name }) => name === 'COSMOS_ENDPOINT')),
      )
      .map(({ pod }) => pod.serviceAccountName);
    const trusted = [...cluster.matchAll(/'(bottleneck-lab-[\w-]+)'/g)].map(([, account]) => account);
    expect([...new Set(trusted)].sort()).toEqual([...new Set(users)].sort());
  });

  it('have no keys, and no file asks for one', () => {
    expect(cosmos).toContain('disableLocalAuth: true');
    expect(cluster).toContain('disableLocalAccounts: true');
    expect(read('infra/modules/registry.bicep')).toContain('adminUserEnabled: false');
    expect(all).not.toMatch(/listKeys|listConnectionStrings|primaryKey|ConnectionString\b|@secure/);
  });

  it.each(MODULES)('%s gets exactly its parameters, and gives what is asked of it', (file) => {
    const name = path.basename(file, '.bicep');
    const call = new RegExp(
      `^module ${name} '[^']+' = (?:if \\([^\\n]+\\) )?\\{\\n([\\s\\S]*?)\\n\\}`,
      'm',
    ).exec(main);
    const given = [...(call?.[1] ?? '').matchAll(/^ {4}(\w+):/gm)].map(([, parameter]) => parameter);
    expect(given.sort()).toEqual(names(read(file), 'param').sort());
    const used = [...main.matchAll(new RegExp(`\\b${name}\\.outputs\\.(\\w+)`, 'g'))].map(
      ([, output]) => output,
    );
    expect([...new Set(used)].sort()).toEqual(names(read(file), 'output').sort());
  });

  it.each(['infra/main.bicep', ...MODULES])('%s uses all it declares, and declares all it uses', (file) => {
    const text = expressionsOf(read(file));
    const declared = [...text.matchAll(/^(?:param|var|resource|module) (\w+) /gm)].map(
      ([, name]) => name as string,
    );
    const loops = [...text.matchAll(/\bfor (\w+) in /g)].map(([, name]) => name as string);
    expect(new Set(declared).size).toBe(declared.length);
    const uses = usesIn(text);
    // A resource or a module is there for itself.
    const values = [...names(text, 'param'), ...names(text, 'var')];
    expect(values.filter((name) => !uses.has(name))).toEqual([]);
    const known = new Set([...declared, ...loops, ...LANGUAGE]);
    expect([...uses].filter((name) => !known.has(name))).toEqual([]);
  });

  it('puts out what the overlay and the values of AKS ask for', () => {
    const outputs = names(main, 'output');
    for (const name of ['cosmosEndpoint', 'cosmosResourceId', 'servicesClientId', 'seedClientId']) {
      expect(outputs).toContain(name);
      expect(read('k8s/overlays/aks/azure.yaml')).toContain(`  ${name}: `);
    }
  });
});

const bicep = findTool('bicep');
describe.skipIf(bicep === null)(
  `the templates, by bicep${bicep === null ? ' (skipped: no bicep on PATH)' : ''}`,
  () => {
    it('compile', () => {
      const args = ['build', path.join(ROOT, 'infra/main.bicep'), '--stdout'];
      expect(JSON.parse(execFileSync(bicep as string, args, { encoding: 'utf8' }))).toHaveProperty(
        'resources',
      );
    });
  },
);
