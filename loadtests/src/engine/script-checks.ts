import { HTTP_VERBS, MODULE_EXPORTS } from './modules/exports.js';
import { exportVariable } from './script-modules.js';

export interface Finding {
  /** Position in the bundle, from 0. */
  readonly line: number;
  readonly column: number;
  readonly text: string;
}

/** The first use in the bundle of something that a module does not offer here, for example `http.cookieJar`. */
export function findUnsupportedMember(bundle: readonly string[]): Finding | undefined {
  for (const [module, exports] of Object.entries(MODULE_EXPORTS)) {
    const member = new RegExp(`\\b${exportVariable(module, 'all')}\\.(\\w+)`, 'g');
    const finding = search(bundle, member, (match) =>
      exports.includes(match[1] as string)
        ? undefined
        : `'${match[1]}' of '${module}' is not supported by the built-in engine; supported are ${exports.join(', ')}`,
    );
    if (finding !== undefined) return finding;
  }
  return undefined;
}

/**
 * The first call that stands alone in a statement without `await`. k6 would wait there; this engine would not, so the
 * load would be another one. The bundler prints one statement per line, which makes such calls findable.
 */
export function findUnawaitedCall(bundle: readonly string[]): Finding | undefined {
  const sleep = [exportVariable('k6', 'sleep'), `${exportVariable('k6', 'all')}\\.sleep`];
  const verbs = HTTP_VERBS.flatMap((verb) => [
    exportVariable('k6/http', verb),
    `${exportVariable('k6/http', 'all')}\\.${verb}`,
  ]);
  const call = new RegExp(`^\\s*(${[...sleep, ...verbs].join('|')})\\(`, 'g');
  return search(bundle, call, (match, line) => {
    const before = bundle[line - 1]?.trimEnd() ?? '';
    if (!/(?:[;{}):]|else)$/.test(before) && before !== '') return undefined;
    const name = /(?:__|\.)(\w+)$/.exec(match[1] as string)?.[1]?.replace(/^.*__/, '');
    return `${name}() must be awaited: write 'await ${name === 'sleep' ? 'sleep' : `http.${name}`}(...)', which k6 accepts too`;
  });
}

function search(
  lines: readonly string[],
  pattern: RegExp,
  judge: (match: RegExpExecArray, line: number) => string | undefined,
): Finding | undefined {
  for (const [line, text] of lines.entries()) {
    for (const match of text.matchAll(pattern)) {
      const problem = judge(match, line);
      if (problem !== undefined) return { line, column: match.index + match[0].search(/\S/), text: problem };
    }
  }
  return undefined;
}
