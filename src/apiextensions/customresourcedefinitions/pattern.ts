import { compilePattern } from '../../scheme/structural/compile-pattern.ts';

/**
 * The error of a regular expression in the syntax of RE2, worded as Go does; undefined if it is
 * valid.
 */
export function patternError(pattern: string): string | undefined {
  return isOrdinary(pattern) ? undefined : compilePattern(pattern).error;
}

/** Groups, escapes and repetitions that the two syntaxes may understand differently. */
const differing = /\(\?(?!:)|\\[^\n.^$*+?()[\]{}|\\/dDwWsSbBtrfvn-]|\{\d{4,}|\{\d*,\d{4,}|\[\[/;

/** Nearly all patterns are valid in JavaScript, too, which finds it out in a tenth of the time. */
function isOrdinary(pattern: string): boolean {
  if (differing.test(pattern)) return false;
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}
