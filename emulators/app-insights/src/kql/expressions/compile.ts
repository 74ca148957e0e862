import { unsupported } from '../errors.js';
import { callFunction } from '../functions/call.js';
import { compileTabular, firstColumn, scalarResult } from '../operators/compile.js';
import { expectParts, type Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import { compileArithmetic, compileNegation } from './arithmetic.js';
import { compileBetween, compileComparison, conjunction, disjunction } from './comparison.js';
import { type Expr, typeOf } from './expression.js';
import { compileDynamic, compileLiteral, compileString } from './literals.js';
import { compileIn, type Elements, elementsOf } from './membership.js';
import { element, property } from './paths.js';
import { compileStringOperator, hasTerms } from './string-operators.js';

type Compile = (node: SyntaxNode, scope: Scope) => Expr;
type Combine = (node: SyntaxNode, operands: { left: Expr; right: Expr }) => Expr;

interface Form {
  readonly parts: readonly string[];
  readonly compile: Compile;
}

/** Compiles a scalar expression; refuses every kind of node that is not in the table below. */
export function compileScalar(node: SyntaxNode, scope: Scope): Expr {
  scope.countNode(node);
  const form = FORMS[node.kind] ?? (isStringOperator(node.kind) ? STRING_FORM : undefined);
  if (form === undefined) throw unsupported(node, `"${node.text}" (${node.kind})`);
  expectParts(node, form.parts);
  return form.compile(node, scope);
}

/** A condition must be bool by analysis already; this guards what the analysis lets through. */
export function compileCondition(node: SyntaxNode, scope: Scope): Expr {
  const condition = compileScalar(node, scope);
  if (condition.type === 'bool') return condition;
  throw unsupported(node, `a ${condition.type} as condition; compare it or use tobool()`);
}

function binary(combine: Combine): Form {
  return {
    parts: ['Left', 'Right'],
    compile: (node, scope) =>
      combine(node, {
        left: compileScalar(node.part('Left'), scope),
        right: compileScalar(node.part('Right'), scope),
      }),
  };
}

function isStringOperator(kind: string): boolean {
  return /^(Not)?(Has|Contains|StartsWith|EndsWith)\w*Expression$|^(EqualTilde|BangTilde|MatchesRegex)Expression$/.test(
    kind,
  );
}

const LITERAL: Form = { parts: [], compile: compileLiteral };
const STRING: Form = { parts: ['Tokens'], compile: compileString };
const ARITHMETIC = binary(compileArithmetic);
const COMPARISON = binary(compileComparison);
const STRING_FORM = binary(compileStringOperator);
const IN: Form = { parts: ['Left', 'Right'], compile: compileInList };
const BETWEEN: Form = { parts: ['Left', 'Right'], compile: compileRange };
const HAS_LIST: Form = { parts: ['Left', 'Right'], compile: compileHasList };

const FORMS: Readonly<Record<string, Form>> = {
  BooleanLiteralExpression: LITERAL,
  IntLiteralExpression: LITERAL,
  LongLiteralExpression: LITERAL,
  RealLiteralExpression: LITERAL,
  DateTimeLiteralExpression: LITERAL,
  TimespanLiteralExpression: LITERAL,
  GuidLiteralExpression: LITERAL,
  StringLiteralExpression: STRING,
  CompoundStringLiteralExpression: STRING,
  DynamicExpression: { parts: ['Expression'], compile: compileDynamic },
  ParenthesizedExpression: {
    parts: ['Expression'],
    compile: (n, s) => compileScalar(n.part('Expression'), s),
  },
  NameReference: { parts: ['Name'], compile: compileName },
  PathExpression: { parts: ['Expression', 'Selector'], compile: compilePath },
  ElementExpression: { parts: ['Expression', 'Selector'], compile: compileElement },
  UnaryMinusExpression: {
    parts: ['Expression'],
    compile: (n, s) => compileNegation(n, compileScalar(n.part('Expression'), s)),
  },
  UnaryPlusExpression: { parts: ['Expression'], compile: (n, s) => compileScalar(n.part('Expression'), s) },
  AddExpression: ARITHMETIC,
  SubtractExpression: ARITHMETIC,
  MultiplyExpression: ARITHMETIC,
  DivideExpression: ARITHMETIC,
  ModuloExpression: ARITHMETIC,
  EqualExpression: COMPARISON,
  NotEqualExpression: COMPARISON,
  LessThanExpression: COMPARISON,
  LessThanOrEqualExpression: COMPARISON,
  GreaterThanExpression: COMPARISON,
  GreaterThanOrEqualExpression: COMPARISON,
  AndExpression: binary((_, { left, right }) => conjunction(left, right)),
  OrExpression: binary((_, { left, right }) => disjunction(left, right)),
  BetweenExpression: BETWEEN,
  NotBetweenExpression: BETWEEN,
  InExpression: IN,
  InCsExpression: IN,
  NotInExpression: IN,
  NotInCsExpression: IN,
  HasAnyExpression: HAS_LIST,
  HasAllExpression: HAS_LIST,
  FunctionCallExpression: { parts: ['Name', 'ArgumentList'], compile: callFunction },
  ToScalarExpression: { parts: ['Expression'], compile: compileToScalar },
};

function compileName(node: SyntaxNode, scope: Scope): Expr {
  const reference = node.reference;
  const name = reference?.name ?? node.part('Name').text;
  if (reference?.kind === 'column') {
    const column = scope.column(name);
    if (column !== undefined) return column;
  }
  if (reference?.kind === 'variable' || reference?.kind === 'parameter') {
    const binding = scope.binding(name);
    if (binding?.kind === 'scalar') return boundValue(node, binding.value(), scope);
  }
  throw unsupported(node, `the name ${node.text} as a value`);
}

/** An argument that depends on the caller's row must not be read with a row of another table. */
function boundValue(node: SyntaxNode, value: Expr, scope: Scope): Expr {
  if (value.constant || !scope.insideRow) return value;
  throw unsupported(node, `${node.text}, which depends on the caller's row, inside another table`);
}

function compilePath(node: SyntaxNode, scope: Scope): Expr {
  const target = compileScalar(node.part('Expression'), scope);
  const selector = node.part('Selector');
  if (target.type !== 'dynamic') throw unsupported(node, `.${selector.text} on a ${target.type}`);
  if (selector.kind === 'NameReference') return property(target, nameText(selector));
  if (selector.kind === 'BracketedExpression') return selected(node, target, selector, scope);
  throw unsupported(selector, `".${selector.text}"`);
}

function compileElement(node: SyntaxNode, scope: Scope): Expr {
  return selected(node, compileScalar(node.part('Expression'), scope), node.part('Selector'), scope);
}

function selected(node: SyntaxNode, target: Expr, selector: SyntaxNode, scope: Scope): Expr {
  const inner = selector.kind === 'BracketedExpression' ? selector.part('Expression') : selector;
  return element(node, target, compileScalar(inner, scope));
}

/** The name itself, without `['...']` around it. */
export function nameText(node: SyntaxNode): string {
  if (node.kind === 'BracketedName') return String(node.part('Name').part('Token').literal);
  const inner = node.optional('Name');
  return inner === undefined || inner.isToken ? (inner ?? node).word : nameText(inner);
}

function compileRange(node: SyntaxNode, scope: Scope): Expr {
  const couple = node.part('Right');
  expectParts(couple, ['First', 'Second']);
  return compileBetween(node, {
    value: compileScalar(node.part('Left'), scope),
    low: compileScalar(couple.part('First'), scope),
    high: compileScalar(couple.part('Second'), scope),
  });
}

function compileInList(node: SyntaxNode, scope: Scope): Expr {
  return compileIn(node, compileScalar(node.part('Left'), scope), listOf(node.part('Right'), scope));
}

function compileHasList(node: SyntaxNode, scope: Scope): Expr {
  const lists = listOf(node.part('Right'), scope);
  const terms = lists.flatMap((list) => list.values);
  if (terms.every((term) => typeof term === 'string')) {
    return hasTerms(node, compileScalar(node.part('Left'), scope), terms as string[]);
  }
  throw unsupported(node, 'terms that are no strings');
}

/** The right side of `in` and `has_any`: constants, constant dynamic arrays, or one tabular expression. */
function listOf(right: SyntaxNode, scope: Scope): Elements[] {
  expectParts(right, ['Expressions']);
  const items = right.list('Expressions');
  const [only] = items;
  if (items.length === 1 && only?.columns !== undefined) return [firstColumn(only, scope)];
  return items.map((item) => elementsOf(compileScalar(item, scope), item));
}

function compileToScalar(node: SyntaxNode, scope: Scope): Expr {
  const inner = node.part('Expression');
  if (inner.columns === undefined) return compileScalar(inner, scope);
  return scalarResult(typeOf(node), compileTabular(inner, scope), scope.session);
}
