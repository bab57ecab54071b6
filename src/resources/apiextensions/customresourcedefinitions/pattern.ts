import { RE2JS } from 're2js';

/** The beginnings of Perl groups that RE2 does not support. */
const unsupportedGroup = /^\(\?(?:=|!|<=|<!|>|#|\(|\||R|[0-9])/;

/**
 * The error of a regular expression in the syntax of RE2, worded as Go does; undefined if it is
 * valid.
 */
export function patternError(pattern: string): string | undefined {
  const perl = groupStarts(pattern).find((start) => unsupportedGroup.test(pattern.slice(start)));
  if (perl !== undefined) {
    const shown = unsupportedGroup.exec(pattern.slice(perl))?.[0] ?? '';
    return `error parsing regexp: invalid or unsupported Perl syntax: \`${shown}\``;
  }
  return isOrdinary(pattern) || pattern.length > longestPattern ? undefined : compileError(pattern);
}

/** A longer pattern takes too long to compile; no text matches it. */
const longestPattern = 10_000;

/** Nearly all patterns are valid in JavaScript, too, which finds it out in a tenth of the time. */
function isOrdinary(pattern: string): boolean {
  try {
    return new RegExp(pattern.replaceAll('(?P<', '(?<')) instanceof RegExp;
  } catch {
    return false;
  }
}

function compileError(pattern: string): string | undefined {
  try {
    return void RE2JS.compile(pattern);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The indices at which a group begins with `(?`, outside of classes and escapes. */
function groupStarts(pattern: string): readonly number[] {
  const starts: number[] = [];
  let inClass = false;
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern[at];
    if (character === '\\') at++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(' && pattern[at + 1] === '?') starts.push(at);
  }
  return starts;
}
