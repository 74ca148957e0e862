import type { Call, Expression, In, Like, Subquery } from './ast.js';
import type { Evaluator, Predicate } from './environment.js';
import { SqlError } from './errors.js';
import { findFunction } from './functions/registry.js';
import { compileLike } from './like.js';
import { atMost, compileBinary, compileLogical, compileUnary, negate } from './operators.js';
import type { Scope } from './scope.js';
import { compileSelect } from './select.js';
import type { JsonObject, Value } from './values.js';
import { equals, isObject, isPrimitive, setProperty } from './values.js';

/** Turns an analyzed expression into a closure. */
export function compileExpression(expression: Expression, scope: Scope): Evaluator {
  const held = scope.heldSlotOf(expression);
  if (held !== undefined) return readSlot(held);
  const compile = (inner: Expression) => compileExpression(inner, scope);
  switch (expression.kind) {
    case 'literal':
      return constant(expression.value);
    case 'parameter':
      return readParameter(scope.parameters.indexOf(expression.name, expression.span));
    case 'identifier':
      return readSlot(scope.slotOf(expression.name, expression.span));
    case 'property':
      return readProperty(compile(expression.object), expression.name);
    case 'index':
      return readIndex(compile(expression.object), compile(expression.index));
    case 'unary':
      return compileUnary(expression.operator, compile(expression.operand));
    case 'binary':
      return compileBinary(expression.operator, compile(expression.left), compile(expression.right));
    case 'logical':
      return compileLogical(expression.operator, expression.operands.map(compile));
    case 'conditional':
      return conditional(
        compile(expression.condition),
        compile(expression.whenTrue),
        compile(expression.whenFalse),
      );
    case 'in':
      return negatable(compileIn(expression, scope), expression.negated);
    case 'between': {
      const within = between(compile(expression.operand), compile(expression.low), compile(expression.high));
      return negatable(within, expression.negated);
    }
    case 'like':
      return negatable(compileLikeOperator(expression, scope), expression.negated);
    case 'call':
      return compileCall(expression, scope);
    case 'object':
      return construct(expression.properties.map(({ name, value }) => [name, compile(value)] as const));
    case 'array':
      return collect(expression.items.map(compile));
    case 'subquery':
      return compileSubquery(expression, scope);
  }
}

/** A filter keeps a row only if its condition is true; everything else, undefined too, drops it. */
export function compilePredicate(expression: Expression, scope: Scope): Predicate {
  if (expression.kind === 'logical') {
    const operands = expression.operands.map((operand) => compilePredicate(operand, scope));
    return expression.operator === 'and' ? every(operands) : some(operands);
  }
  const evaluate = compileExpression(expression, scope);
  return (environment) => evaluate(environment) === true;
}

function every(operands: readonly Predicate[]): Predicate {
  return (environment) => {
    for (const operand of operands) if (!operand(environment)) return false;
    return true;
  };
}

function some(operands: readonly Predicate[]): Predicate {
  return (environment) => {
    for (const operand of operands) if (operand(environment)) return true;
    return false;
  };
}

/** Builds an object and leaves out what is undefined. */
export function construct(properties: readonly (readonly [string, Evaluator])[]): Evaluator {
  return (environment) => {
    const object: JsonObject = {};
    for (const [name, evaluate] of properties) {
      const value = evaluate(environment);
      if (value !== undefined) setProperty(object, name, value);
    }
    return object;
  };
}

export function readSlot(slot: number): Evaluator {
  return ({ slots }) => slots[slot];
}

function constant(value: Value): Evaluator {
  return () => value;
}

function readParameter(index: number): Evaluator {
  return ({ parameters }) => parameters[index];
}

function readProperty(object: Evaluator, name: string): Evaluator {
  if (name in Object.prototype) {
    // `c.constructor` is the document's own property or nothing.
    return (environment) => ownProperty(object(environment), name);
  }
  return (environment) => {
    const value = object(environment);
    return isObject(value) ? value[name] : undefined;
  };
}

function ownProperty(object: Value, name: string): Value {
  return isObject(object) && Object.hasOwn(object, name) ? object[name] : undefined;
}

function readIndex(object: Evaluator, index: Evaluator): Evaluator {
  return (environment) => {
    const container = object(environment);
    const key = index(environment);
    if (typeof key === 'string') return ownProperty(container, key);
    return Array.isArray(container) && Number.isInteger(key) ? container[key as number] : undefined;
  };
}

function conditional(condition: Evaluator, whenTrue: Evaluator, whenFalse: Evaluator): Evaluator {
  return (environment) => (condition(environment) === true ? whenTrue(environment) : whenFalse(environment));
}

function negatable(evaluate: Evaluator, negated: boolean): Evaluator {
  return negated ? (environment) => negate(evaluate(environment)) : evaluate;
}

function between(operand: Evaluator, low: Evaluator, high: Evaluator): Evaluator {
  const atLeastLow: Evaluator = (environment) => atMost(low(environment), operand(environment));
  const atMostHigh: Evaluator = (environment) => atMost(operand(environment), high(environment));
  return compileLogical('and', [atLeastLow, atMostHigh]);
}

/** Literal primitives are looked up in a set, so that long generated lists stay cheap. */
function compileIn({ operand, items }: In, scope: Scope): Evaluator {
  const needle = compileExpression(operand, scope);
  const literals = new Set<Value>();
  const others: Evaluator[] = [];
  for (const item of items) {
    if (item.kind === 'literal' && isPrimitive(item.value)) literals.add(item.value);
    else others.push(compileExpression(item, scope));
  }
  return (environment) => {
    const value = needle(environment);
    if (value === undefined) return undefined;
    return literals.has(value) || others.some((item) => equals(item(environment), value));
  };
}

function compileLikeOperator({ operand, pattern, escape: escapeCharacter }: Like, scope: Scope): Evaluator {
  const text = compileExpression(operand, scope);
  const patternText = compileExpression(pattern, scope);
  let compiledPattern: string | undefined;
  let matches: (text: string) => boolean = () => false;
  return (environment) => {
    const value = text(environment);
    const currentPattern = patternText(environment);
    if (typeof value !== 'string' || typeof currentPattern !== 'string') return undefined;
    if (currentPattern !== compiledPattern) {
      matches = compileLike(currentPattern, escapeCharacter);
      compiledPattern = currentPattern;
    }
    return matches(value);
  };
}

function compileCall({ name, args, nameSpan, span }: Call, scope: Scope): Evaluator {
  const { text } = scope.query;
  const definition = findFunction(name);
  if (definition === undefined) {
    const message = `${name} is not a function that can be evaluated here`;
    throw new SqlError({ code: 'INVALID', message, text, span: nameSpan });
  }
  const evaluators = args.map((arg) => compileExpression(arg, scope));
  const { refuse } = definition;
  return (environment) => {
    const values = evaluators.map((evaluate) => evaluate(environment));
    const refusal = refuse?.(values) ?? null;
    if (refusal !== null)
      throw new SqlError({ code: 'UNSUPPORTED', message: `${name}: ${refusal}`, text, span });
    return definition.evaluate(values, environment.surroundings);
  };
}

function collect(items: readonly Evaluator[]): Evaluator {
  return (environment) => {
    const array: Value[] = [];
    for (const evaluate of items) {
      const value = evaluate(environment);
      if (value !== undefined) array.push(value);
    }
    return array;
  };
}

function compileSubquery({ form, query, span }: Subquery, scope: Scope): Evaluator {
  const rows = compileSelect(query, scope.inner(query)).rows;
  if (form === 'array') return (environment) => [...rows(environment)];
  if (form === 'exists') {
    return (environment) => {
      for (const _row of rows(environment)) return true;
      return false;
    };
  }
  return (environment) => {
    let count = 0;
    let result: Value;
    for (const row of rows(environment)) {
      if (++count > 1) {
        const message = 'The cardinality of a scalar subquery result set cannot be greater than one';
        throw new SqlError({ code: 'INVALID', message, text: query.text, span });
      }
      result = row;
    }
    return result;
  };
}
