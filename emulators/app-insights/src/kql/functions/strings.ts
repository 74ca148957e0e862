import { runtimeError } from '../errors.js';
import { constantValue, derived, type Expr, requireConstant } from '../expressions/expression.js';
import { textOf } from '../values/text.js';
import { convertText } from './conversions.js';
import { accepted, type Call, checkedArguments, type FunctionTable, strict } from './function.js';
import { compileRegex, regexSource } from './regex.js';
import { checkedText } from './text-size.js';

const SURROGATE = /[\ud800-\udfff]/;

/** Characters are code points, as in Kusto; the split is paid only where a text has any beyond 16 bits. */
function slice(text: string, start: number, end?: number): string {
  if (!SURROGATE.test(text)) return text.slice(start, end);
  return [...text].slice(start, end).join('');
}

function characterCount(text: string): number {
  return SURROGATE.test(text) ? [...text].length : text.length;
}

function substring(text: string, start: number, length?: number): string {
  const size = characterCount(text);
  const from = start < 0 ? Math.max(0, size + start) : start;
  if (length === undefined) return slice(text, from);
  return length <= 0 ? '' : slice(text, from, from + length);
}

function countOverlapping(text: string, search: string): number {
  if (search === '') return 0;
  let count = 0;
  for (let at = text.indexOf(search); at !== -1; at = text.indexOf(search, at + 1)) count += 1;
  return count;
}

export const STRING_FUNCTIONS: FunctionTable = {
  strlen: strict({
    signature: 'strlen(text: string): long',
    params: ['text'],
    result: 'long',
    apply: characterCount,
  }),
  tolower: strict({
    signature: 'tolower(text: string): string',
    params: ['text'],
    result: 'string',
    apply: (text: string) => text.toLowerCase(),
  }),
  toupper: strict({
    signature: 'toupper(text: string): string',
    params: ['text'],
    result: 'string',
    apply: (text: string) => text.toUpperCase(),
  }),
  reverse: strict({
    signature: 'reverse(text: string): string',
    params: ['text'],
    result: 'string',
    apply: (text: string) => [...text].reverse().join(''),
  }),
  substring: strict({
    signature: 'substring(text: string, start: long [, length: long]): string',
    note: 'A negative start counts from the end.',
    params: ['text', 'integer', 'integer?'],
    result: 'string',
    apply: substring,
  }),
  indexof: strict({
    signature: 'indexof(text: string, lookup: string): long',
    note: 'Without the optional start, length and occurrence.',
    params: ['text', 'text'],
    result: 'long',
    apply: (text: string, lookup: string) => {
      const at = text.indexOf(lookup);
      return at === -1 ? -1 : characterCount(text.slice(0, at));
    },
  }),
  countof: {
    signature: 'countof(text: string, search: string [, "normal" | "regex"]): long',
    compile: countOf,
  },
  split: {
    signature: 'split(text: string, delimiter: string [, index: long]): dynamic',
    note: 'The delimiter must not be empty.',
    compile: split,
  },
  strcat: {
    signature: 'strcat(value, ...): string',
    note: 'Any scalar types; null adds nothing.',
    compile: strcat,
  },
  strcat_delim: { signature: 'strcat_delim(delimiter: string, value, ...): string', compile: strcatDelim },
  strcat_array: {
    signature: 'strcat_array(array: dynamic, delimiter: string): string',
    compile: strcatArray,
  },
  replace_string: {
    signature: 'replace_string(text, lookup, rewrite: string): string',
    compile: replaceString,
  },
  replace_regex: {
    signature: 'replace_regex(text: string, regex: string, rewrite: string): string',
    note: '`\\0` to `\\9` in the rewrite stand for the match and its groups.',
    compile: replaceRegex,
  },
  extract: {
    signature: 'extract(regex: string, group: long, text: string [, typeof(type)]): string',
    note: 'No match gives an empty string, or null of the type.',
    compile: extract,
  },
  extract_all: {
    signature: 'extract_all(regex: string, text: string): dynamic',
    note: 'Without the optional list of groups.',
    compile: extractAll,
  },
  trim: trimFunction('trim', 'both'),
  trim_start: trimFunction('trim_start', 'start'),
  trim_end: trimFunction('trim_end', 'end'),
};

function countOf(call: Call): Expr {
  const [text, search, kind] = checkedArguments(call, ['text', 'text', 'text?']) as [Expr, Expr, Expr?];
  const mode = kind === undefined ? 'normal' : requireConstant(kind, call.node, 'a kind of countof()');
  if (mode === 'regex') {
    const pattern = compileRegex(regexSource(search, call.node), call.node);
    const { budget } = call.scope.session;
    return derived('long', [text], (row) => {
      const matcher = pattern.matcher(text.read(row) as string);
      let count = 0;
      for (; matcher.find(); count += 1) budget.tick();
      return count;
    });
  }
  if (mode !== 'normal')
    throw runtimeError(call.node, `countof() kind "${mode}"; allowed are "normal" and "regex"`);
  return derived('long', [text, search], (row) =>
    countOverlapping(text.read(row) as string, search.read(row) as string),
  );
}

function split(call: Call): Expr {
  const [text, delimiter, index] = checkedArguments(call, ['text', 'text', 'integer?']) as [
    Expr,
    Expr,
    Expr?,
  ];
  return derived('dynamic', index === undefined ? [text, delimiter] : [text, delimiter, index], (row) => {
    const separator = delimiter.read(row) as string;
    if (separator === '') throw runtimeError(call.node, 'split() with an empty delimiter');
    const parts = (text.read(row) as string).split(separator);
    if (index === undefined) return parts;
    const at = index.read(row) as number | null;
    const part = at === null || at < 0 ? undefined : parts[at];
    return part === undefined ? null : [part];
  });
}

function texts(args: readonly Expr[]): ((row: readonly unknown[]) => string)[] {
  return args.map(({ type, read }) => {
    const text = textOf(type);
    return type === 'string' ? (read as (row: readonly unknown[]) => string) : (row) => text(read(row));
  });
}

function strcat(call: Call): Expr {
  const parts = texts(call.args);
  return derived('string', call.args, (row) => {
    let text = '';
    for (const part of parts) text += part(row);
    return checkedText(text, call.node);
  });
}

function strcatDelim(call: Call): Expr {
  const [delimiter, ...rest] = call.args as [Expr, ...Expr[]];
  const separator = accepted('text', delimiter, call, 0);
  const parts = texts(rest);
  return derived('string', [separator, ...rest], (row) =>
    checkedText(parts.map((part) => part(row)).join(separator.read(row) as string), call.node),
  );
}

function strcatArray(call: Call): Expr {
  const [array, delimiter] = checkedArguments(call, ['dynamic', 'text']) as [Expr, Expr];
  const text = textOf('dynamic');
  return derived('string', [array, delimiter], (row) => {
    const values = array.read(row);
    if (!Array.isArray(values)) return '';
    return checkedText(values.map(text).join(delimiter.read(row) as string), call.node);
  });
}

function replaceString(call: Call): Expr {
  const [text, lookup, rewrite] = checkedArguments(call, ['text', 'text', 'text']) as [Expr, Expr, Expr];
  return derived('string', [text, lookup, rewrite], (row) => {
    const source = text.read(row) as string;
    const search = lookup.read(row) as string;
    if (search === '') return source;
    return checkedText(source.split(search).join(rewrite.read(row) as string), call.node);
  });
}

function replaceRegex(call: Call): Expr {
  const [text, regex, rewrite] = checkedArguments(call, ['text', 'text', 'text']) as [Expr, Expr, Expr];
  const pattern = compileRegex(regexSource(regex, call.node), call.node);
  const parts = rewriteParts(requireConstant(rewrite, call.node, 'a rewrite pattern') as string);
  const unknown = parts.find((part) => typeof part === 'number' && part > pattern.groupCount());
  if (unknown !== undefined) throw runtimeError(call.node, `The regular expression has no group ${unknown}`);
  const { budget } = call.scope.session;
  return derived('string', [text], (row) => {
    const source = text.read(row) as string;
    const matcher = pattern.matcher(source);
    let result = '';
    let end = 0;
    while (matcher.find()) {
      budget.tick();
      result += source.slice(end, matcher.start());
      for (const part of parts) result += typeof part === 'number' ? (matcher.group(part) ?? '') : part;
      end = matcher.end();
      checkedText(result, call.node);
    }
    return checkedText(result + source.slice(end), call.node);
  });
}

/** Literal texts and group numbers of a rewrite pattern: `\\0` is the match, `\\1` its first group, `\\\\` a backslash. */
function rewriteParts(rewrite: string): (string | number)[] {
  return [...rewrite.matchAll(/\\(\d)|\\\\|[^\\]+|\\/g)].map(([part, group]) => {
    if (group !== undefined) return Number(group);
    return part === '\\\\' ? '\\' : part;
  });
}

function extract(call: Call): Expr {
  const [regex, group, text] = checkedArguments({ ...call, args: call.args.slice(0, 3) }, [
    'text',
    'integer',
    'text',
  ]) as [Expr, Expr, Expr];
  const pattern = compileRegex(regexSource(regex, call.node), call.node);
  const index = requireConstant(group, call.node, 'a capture group') as number;
  if (index < 0 || index > pattern.groupCount()) {
    throw runtimeError(call.node, `The regular expression has ${pattern.groupCount()} groups, not ${index}`);
  }
  const found = derived('string', [text], (row) => {
    const matcher = pattern.matcher(text.read(row) as string);
    return matcher.find() ? (matcher.group(index) ?? '') : '';
  });
  const type = call.args[3];
  if (type === undefined) return found;
  return convertText(call, found, constantValue(type) as string);
}

function extractAll(call: Call): Expr {
  const [regex, text] = checkedArguments(call, ['text', 'text']) as [Expr, Expr];
  const pattern = compileRegex(regexSource(regex, call.node), call.node);
  const groups = pattern.groupCount();
  if (groups < 1 || groups > 16) {
    throw runtimeError(call.node, `extract_all() needs 1 to 16 capture groups, not ${groups}`);
  }
  const { budget } = call.scope.session;
  return derived('dynamic', [text], (row) => {
    const matcher = pattern.matcher(text.read(row) as string);
    const matches: unknown[] = [];
    while (matcher.find()) {
      budget.tick();
      const values = Array.from({ length: groups }, (_, i) => matcher.group(i + 1) ?? '');
      matches.push(groups === 1 ? values[0] : values);
    }
    return matches.length === 0 ? null : matches;
  });
}

function trimFunction(name: string, side: 'both' | 'start' | 'end') {
  return {
    signature: `${name}(regex: string, text: string): string`,
    note: 'Removes one match at each trimmed end.',
    compile: (call: Call): Expr => {
      const [regex, text] = checkedArguments(call, ['text', 'text']) as [Expr, Expr];
      const source = regexSource(regex, call.node);
      const start = side === 'end' ? undefined : compileRegex(`^(?:${source})`, call.node);
      const end = side === 'start' ? undefined : compileRegex(`(?:${source})$`, call.node);
      return derived('string', [text], (row) => {
        let value = text.read(row) as string;
        if (start !== undefined) value = start.matcher(value).replaceFirst('');
        if (end !== undefined) value = end.matcher(value).replaceFirst('');
        return value;
      });
    },
  };
}
