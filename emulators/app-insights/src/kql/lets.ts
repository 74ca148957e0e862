import { unsupported } from './errors.js';
import { compileScalar, nameText } from './expressions/compile.js';
import { type Expr, isNumeric } from './expressions/expression.js';
import { compileTabular } from './operators/compile.js';
import { type Binding, expectParts, type Scope } from './scope.js';
import type { SyntaxNode } from './syntax.js';

/** Declares the name of one `let` statement. Scalars are evaluated at most once, tables each time they are read. */
export function declareLet(node: SyntaxNode, scope: Scope): void {
  expectParts(node, ['Name', 'Expression']);
  const name = nameText(node.part('Name'));
  const expression = node.part('Expression');
  scope.declare(name, bindingOf(expression, scope));
}

function bindingOf(expression: SyntaxNode, scope: Scope): Binding {
  if (expression.kind === 'FunctionDeclaration') {
    expectParts(expression, ['Parameters', 'Body']);
    return { kind: 'function', declaration: expression, scope };
  }
  if (expression.kind === 'MaterializeExpression') {
    expectParts(expression, ['Expression']);
    return bindingOf(expression.part('Expression'), scope);
  }
  if (expression.columns !== undefined)
    return { kind: 'table', relation: () => compileTabular(expression, scope) };
  if (expression.scalarType !== undefined)
    return { kind: 'scalar', value: once(() => compileScalar(expression, scope)) };
  throw unsupported(expression, `let with "${expression.text}"`);
}

function once(compile: () => Expr): () => Expr {
  let value: Expr | undefined;
  return () => {
    value ??= compile();
    return value;
  };
}

/** Binds a call's arguments to a declared function's parameters; answers the body and the scope to compile it in. */
export function bindCall(
  call: SyntaxNode,
  { declaration, scope }: Extract<Binding, { kind: 'function' }>,
  caller: Scope,
): { body: SyntaxNode; inner: Scope } {
  const inner = scope.nested();
  const args = call.optional('ArgumentList')?.list('Expressions') ?? [];
  const parameters = declaration.part('Parameters').list('Parameters');
  if (args.length > parameters.length) throw unsupported(call, 'more arguments than parameters');
  parameters.forEach((parameter, i) => {
    bindParameter(parameter, args[i], { caller, inner });
  });
  const body = declaration.part('Body');
  expectParts(body, ['Statements', 'Expression']);
  for (const statement of body.list('Statements')) {
    if (statement.kind !== 'LetStatement') throw unsupported(statement, `"${statement.text}" in a function`);
    declareLet(statement, inner);
  }
  const result = body.optional('Expression');
  if (result === undefined) throw unsupported(declaration, 'a function without a result');
  return { body: result, inner };
}

function bindParameter(
  parameter: SyntaxNode,
  arg: SyntaxNode | undefined,
  { caller, inner }: { caller: Scope; inner: Scope },
): void {
  expectParts(parameter, ['NameAndType', 'DefaultValue']);
  const declared = parameter.part('NameAndType');
  const type = declared.part('Type');
  if (type.kind !== 'PrimitiveTypeExpression')
    throw unsupported(type, 'a function parameter that is a table');
  const source = arg ?? parameter.optional('DefaultValue')?.part('Value');
  if (source === undefined) throw unsupported(parameter, 'a parameter without a value');
  const value = compileScalar(source, arg === undefined ? inner : caller);
  const expected = type.reference?.name ?? type.text;
  const widened = isNumeric(value.type) && expected === 'real' ? { ...value, type: 'real' as const } : value;
  if (widened.type !== expected && !(value.type === 'int' && expected === 'long')) {
    throw unsupported(source, `a ${value.type} for a parameter of type ${expected}`);
  }
  inner.declare(nameText(declared.part('Name')), {
    kind: 'scalar',
    value: () => ({ ...widened, type: expected as Expr['type'] }),
  });
}
