import { CiError } from './errors.js';

/**
 * Splits a command into program and arguments, without a shell: words are separated by blanks; single or double quotes
 * keep blanks together. A backslash is an ordinary character, as in Windows paths. Throws COMMAND_INVALID.
 */
export function splitCommand(command: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote = '';
  for (const character of command) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word = (word ?? '') + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= '';
    } else if (/\s/.test(character)) {
      if (word !== null) words.push(word);
      word = null;
    } else {
      word = (word ?? '') + character;
    }
  }
  if (quote !== '') {
    throw new CiError('COMMAND_INVALID', `the command '${command}' has an open ${quote}; close it`);
  }
  if (word !== null) words.push(word);
  if (words.length > 0 && words[0] !== '') return words;
  throw new CiError('COMMAND_INVALID', `'${command}' is neither an http or https URL nor a command`);
}
