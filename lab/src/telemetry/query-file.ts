import { TelemetryError } from './errors.js';

/** One query of the library: its text, and what its leading comments say about it. */
export interface LibraryQuery {
  /** The file's name without its ending. */
  name: string;
  title: string;
  question: string;
  lookFor: string;
  /** `let` statements that a reader sets, with the knob of a run that they stand for. */
  parameters: { name: string; knob: string }[];
  /** The whole file: comments are part of the language, so it can be pasted as it is. */
  text: string;
}

const FIELDS = ['title', 'question', 'look for', 'parameter'] as const;
type Field = (typeof FIELDS)[number];

const COMMENT = /^\/\/ ?(.*)$/;
const FIELD = new RegExp(`^(${FIELDS.join('|')}): +(\\S.*)$`);
const PARAMETER = /^([A-Za-z]\w*) = (\w+)$/;

/**
 * Reads the comments before the first statement: `// title: ...`, `// question: ...`, `// look for: ...`, each once,
 * continued on comment lines that are indented, and `// parameter: name = knob`, any number of times.
 * Throws QUERY_FILE_INVALID with everything that is wrong.
 */
export function parseQueryFile(name: string, text: string): LibraryQuery {
  const problems: string[] = [];
  const fields = readFields(text, problems);
  const one = (field: Field): string => {
    const values = fields.filter((entry) => entry.field === field).map((entry) => entry.value);
    if (values.length !== 1) {
      problems.push(`"// ${field}: ..." must be there once, not ${values.length} times`);
    }
    return values[0] ?? '';
  };
  const [title, question, lookFor] = [one('title'), one('question'), one('look for')];
  const parameters = fields
    .filter((entry) => entry.field === 'parameter')
    .flatMap(({ value }) => {
      const [, parameter = '', knob = ''] = PARAMETER.exec(value) ?? [];
      if (parameter === '') problems.push(`"// parameter: ${value}" must be name = knob`);
      else if (!hasLet(text, parameter))
        problems.push(`parameter ${parameter} has no let statement of its own line`);
      return [{ name: parameter, knob }];
    });
  if (problems.length > 0)
    throw new TelemetryError('QUERY_FILE_INVALID', `${name}.kql: ${problems.join('; ')}`);
  return { name, title, question, lookFor, parameters, text };
}

function readFields(text: string, problems: string[]): { field: Field; value: string }[] {
  const fields: { field: Field; value: string }[] = [];
  for (const line of text.split(/\r?\n/)) {
    const comment = COMMENT.exec(line)?.[1];
    if (comment === undefined) break;
    const found = FIELD.exec(comment);
    const last = fields.at(-1);
    if (found !== null) fields.push({ field: found[1] as Field, value: (found[2] as string).trim() });
    else if (last !== undefined && /^ +\S/.test(comment)) last.value += ` ${comment.trim()}`;
    else problems.push(`"${line}" is none of ${FIELDS.map((field) => `"// ${field}: ..."`).join(', ')}`);
  }
  return fields;
}

const letLine = (name: string) => new RegExp(`^(let ${name} = )(.*);[ \\t]*$`, 'm');

export function hasLet(text: string, name: string): boolean {
  return letLine(name).test(text);
}

/** A number, a timespan, a boolean, or a text in quotes: what may stand in a `let` without changing the query's form. */
const LITERAL = /^(-?\d+(\.\d+)?(ms|s|m|h|d)?|true|false|'[^'\\\r\n]*'|"[^"\\\r\n]*"|datetime\([\w:.+-]+\))$/;

/** The text with other values in its `let` statements. Throws PARAMETER_UNKNOWN. */
export function setParameters(text: string, values: Readonly<Record<string, string>>): string {
  let result = text;
  for (const [name, value] of Object.entries(values)) {
    if (!/^[A-Za-z]\w*$/.test(name) || !hasLet(result, name)) {
      throw new TelemetryError('PARAMETER_UNKNOWN', `the query has no line "let ${name} = ...;"`);
    }
    if (!LITERAL.test(value)) {
      throw new TelemetryError(
        'PARAMETER_UNKNOWN',
        `${name} can not be ${value}; a number, a timespan (10s), true, false, datetime(...) or a text in quotes is allowed`,
      );
    }
    result = result.replace(letLine(name), (_, beginning: string) => `${beginning}${value};`);
  }
  return result;
}
