import { unsupported } from '../errors.js';
import { compileScalar } from '../expressions/compile.js';
import { constant, type Expr, typeOf } from '../expressions/expression.js';
import { bindCall } from '../lets.js';
import { expectParts, type Scope } from '../scope.js';
import type { SyntaxNode } from '../syntax.js';
import { scalarFunction } from './table.js';

/** A call of a function from the table, or of one that a `let` statement declares. */
export function callFunction(node: SyntaxNode, scope: Scope): Expr {
  const aggregate = scope.aggregate?.(node);
  if (aggregate !== undefined) return aggregate;
  const name = node.part('Name').text;
  const declared = scope.binding(name);
  if (declared?.kind === 'function') {
    const { body, inner } = bindCall(node, declared, scope);
    const result = compileScalar(body, inner);
    if (result.type === typeOf(node)) return result;
    throw unsupported(node, `${name}() that gives ${result.type} where ${typeOf(node)} is expected`);
  }
  const known = scalarFunction(name);
  if (known === undefined) throw unsupported(node, `the function ${name}()`);
  const argNodes = argumentNodes(node);
  const args = argNodes.map((arg) => compileArgument(arg, scope));
  return known.compile({ name, node, args, argNodes, scope });
}

export function argumentNodes(node: SyntaxNode): SyntaxNode[] {
  const list = node.part('ArgumentList');
  expectParts(list, ['Expressions']);
  return list.list('Expressions');
}

function compileArgument(node: SyntaxNode, scope: Scope): Expr {
  return node.kind === 'TypeOfLiteralExpression'
    ? constant('string', typeName(node))
    : compileScalar(node, scope);
}

/** `typeof(long)` → `long`. */
export function typeName(node: SyntaxNode): string {
  const types = node.list('Types');
  const [type] = types;
  const name = type?.reference?.name ?? type?.text;
  if (types.length === 1 && type?.kind === 'PrimitiveTypeExpression' && name !== undefined) return name;
  throw unsupported(node, node.text);
}
