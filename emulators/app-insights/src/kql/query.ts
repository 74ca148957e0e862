import type { Budget } from './budget.js';
import { type KqlErrorCode, limitExceeded, lineAndColumn, unsupported } from './errors.js';
import {
  AnalysisCancelled,
  list,
  parse,
  type RawCode,
  type RawDiagnostic,
  type RawGlobals,
} from './language.js';
import { declareLet } from './lets.js';
import { compileTabular } from './operators/compile.js';
import type { Relation } from './operators/relation.js';
import { readRender } from './operators/render.js';
import { expectParts, Scope, type Session } from './scope.js';
import { SyntaxNode } from './syntax.js';
import type { Diagnostic, Visualization } from './types.js';

export interface Plan {
  readonly relation: Relation;
  readonly visualization?: Visualization;
}

export interface Parsed {
  readonly text: string;
  readonly root: SyntaxNode;
  readonly code: RawCode;
  readonly diagnostics: readonly Diagnostic[];
  /** What the errors among the diagnostics make of the query; undefined without any. */
  readonly failure: KqlErrorCode | undefined;
}

export function parseQuery(text: string, globals: RawGlobals, budget: Budget): Parsed {
  const code = analysed(text, globals, budget);
  const diagnostics = list(code.GetDiagnostics()).map((d) => toDiagnostic(d, text));
  const isError = (d: { Severity: string }) => d.Severity === 'Error';
  const hasErrors = diagnostics.some((d) => d.severity === 'error');
  const syntax = list(code.GetSyntaxDiagnostics()).some(isError);
  const failure = hasErrors ? failureOf(code, diagnostics, syntax) : undefined;
  return { text, root: new SyntaxNode(code.Syntax, text), code, diagnostics, failure };
}

function analysed(text: string, globals: RawGlobals, budget: Budget): RawCode {
  try {
    return parse(text, globals, () => budget.isOverdue);
  } catch (error) {
    if (error instanceof AnalysisCancelled) budget.checkTime();
    throw error;
  }
}

/** The service gives up on the analysis of texts nested too deeply, and says so by a diagnostic. */
function failureOf(code: RawCode, diagnostics: readonly Diagnostic[], syntax: boolean): KqlErrorCode {
  if (code.ResultType === null && diagnostics.some((d) => /depth exceeds/i.test(d.message))) return 'LIMIT';
  return syntax ? 'SYNTAX' : 'SEMANTIC';
}

function toDiagnostic(raw: RawDiagnostic, text: string): Diagnostic {
  return {
    code: raw.Code,
    message: raw.Message,
    severity: raw.Severity === 'Error' ? 'error' : 'warning',
    start: raw.Start,
    length: raw.Length,
    ...lineAndColumn(text, raw.Start),
  };
}

/** Compiles the whole query: its `let` statements, and the one expression that is its result. */
export function compileQuery(root: SyntaxNode, session: Session): Plan {
  if (root.kind !== 'QueryBlock')
    throw unsupported(root, `"${root.text.slice(0, 40)}"; only queries can be run`);
  expectParts(root, ['Statements']);
  const scope = Scope.root(session);
  const statements = root.list('Statements');
  const result = statements.at(-1);
  for (const statement of statements) {
    if (statement === result && statement.kind === 'ExpressionStatement') break;
    if (statement.kind !== 'LetStatement')
      throw unsupported(statement, `the statement "${statement.text.slice(0, 40)}"`);
    declareLet(statement, scope);
  }
  if (result?.kind !== 'ExpressionStatement') throw unsupported(root, 'a query without a result expression');
  return compileResult(result.part('Expression'), scope);
}

function compileResult(node: SyntaxNode, scope: Scope): Plan {
  const operator = node.kind === 'PipeExpression' ? node.part('Operator') : undefined;
  if (operator?.kind === 'RenderOperator') {
    const relation = compileTabular(node.part('Expression'), scope);
    return { relation, visualization: readRender(operator, scope) };
  }
  if (node.columns !== undefined) return { relation: compileTabular(node, scope) };
  throw unsupported(node, 'a result that is no table; use print');
}

/** String literals of all kinds, and comments: brackets in them do not nest. */
const QUOTED_OR_COMMENT =
  /```[\s\S]*?```|@"(?:""|[^"])*"|@'(?:''|[^'])*'|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/[^\n]*/g;

/** Texts that the language service could choke on are refused before it sees them. */
export function checkSize(
  text: string,
  { maxQueryLength, maxNesting }: { maxQueryLength: number; maxNesting: number },
): void {
  const place = (start: number) => ({ document: text, start, length: 0 });
  if (text.length > maxQueryLength) {
    throw limitExceeded(
      place(0),
      `The query has ${text.length} characters; at most maxQueryLength = ${maxQueryLength} are allowed`,
    );
  }
  const code = text.replaceAll(QUOTED_OR_COMMENT, (skipped) => ' '.repeat(skipped.length));
  let depth = 0;
  for (let i = 0; i < code.length; i += 1) {
    const c = code.charCodeAt(i);
    if (c === 40 || c === 91 || c === 123) depth += 1;
    else if (c === 41 || c === 93 || c === 125) depth = Math.max(0, depth - 1);
    if (depth > maxNesting) {
      throw limitExceeded(place(i), `Brackets are nested more than maxNesting = ${maxNesting} deep`);
    }
  }
}
