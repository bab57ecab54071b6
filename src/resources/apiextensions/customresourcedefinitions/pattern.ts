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
  try {
    return void new RegExp(pattern.replaceAll('(?P<', '(?<'));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return `error parsing regexp: ${reason(error.message)}: \`${pattern}\``;
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

/** Messages of JavaScript and their equivalents in Go. */
const reasons: readonly (readonly [RegExp, string])[] = [
  [/Unterminated group/, 'missing closing )'],
  [/Unterminated character class/, 'missing closing ]'],
  [/Unmatched '\)'/, 'unexpected )'],
  [/Nothing to repeat/, 'missing argument to repetition operator'],
  [/Range out of order in character class/, 'invalid character class range'],
  [/\\ at end of pattern/, 'trailing backslash at end of expression'],
];

function reason(message: string): string {
  return reasons.find(([form]) => form.test(message))?.[1] ?? 'invalid escape sequence';
}
