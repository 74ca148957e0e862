import { unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import { constantValue } from '../expressions/expression.js';
import { expectParts, type Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import type { Visualization } from '../types.js';

/** Kinds that Application Insights' Logs draws. */
const KINDS = new Set([
  'anomalychart',
  'areachart',
  'barchart',
  'card',
  'columnchart',
  'linechart',
  'piechart',
  'scatterchart',
  'table',
  'timechart',
  'timepivot',
  'stackedareachart',
]);

const PROPERTIES = new Set([
  'accumulate',
  'anomalycolumns',
  'kind',
  'legend',
  'series',
  'title',
  'xaxis',
  'xcolumn',
  'xmax',
  'xmin',
  'xtitle',
  'yaxis',
  'ycolumns',
  'ymax',
  'ymin',
  'ysplit',
  'ytitle',
]);

export const RENDER_KINDS: readonly string[] = [...KINDS];
export const RENDER_PROPERTIES: readonly string[] = [...PROPERTIES];

/** `render` changes nothing about the rows: it says how to draw them. */
export function readRender(node: SyntaxNode, scope: Scope): Visualization {
  expectParts(node, ['Parameters', 'WithClause']);
  const kind = node.part('ChartType').word;
  if (!KINDS.has(kind)) throw unsupported(node, `render ${kind}; allowed are ${RENDER_KINDS.join(', ')}`);
  const clause = node.optional('WithClause');
  const written = [...node.list('Parameters'), ...(clause?.list('Properties') ?? [])];
  return { kind, properties: Object.fromEntries(written.map((property) => readProperty(property, scope))) };
}

function readProperty(node: SyntaxNode, scope: Scope): [string, string | number | boolean | string[]] {
  const name = node.part('Name').text;
  if (!PROPERTIES.has(name))
    throw unsupported(node, `the render property ${name}; allowed are ${RENDER_PROPERTIES.join(', ')}`);
  const value = node.part('Expression');
  switch (value.kind) {
    case 'NameReferenceList':
      return [name, value.list('Names').map((n) => n.text)];
    case 'NameReference':
    case 'TokenLiteralExpression':
    case 'NameDeclaration':
      return [name, value.text];
    default:
      return [name, constantValue(compileScalar(value, scope)) as string | number | boolean];
  }
}
