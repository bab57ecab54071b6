/** A word or an operator of a line of the shell. */
export interface ShellToken {
  readonly text: string;
  readonly isOperator: boolean;
}

/** Longer words come from variables that are repeated. */
const longestWord = 1024 * 1024;

const operators = ['&&', '||', '>>', ';', '|', '>', '<', '\n'] as const;

/**
 * Splits a line of the shell into words and operators: quotes, backslashes and `$NAME` as in sh. A
 * variable is read when its word is, so that `$?` is the result of the command before.
 * Throws for a quote that is not closed, and for a word of more than a million characters.
 */
export function* shellTokens(line: string, variable: (name: string) => string): Generator<ShellToken> {
  let word: string | undefined;
  let at = 0;
  const add = (text: string): void => {
    word = (word ?? '') + text;
    if (word.length > longestWord) throw new Error('a word is too long');
  };
  function* endWord(): Generator<ShellToken> {
    if (word !== undefined) yield { text: word, isOperator: false };
    word = undefined;
  }
  /** Reads a variable at `at`, which is after the dollar sign. */
  const readVariable = (): string => {
    const [whole = '', braced, plain] = /^(?:\{([A-Za-z_]\w*|\?)\}|([A-Za-z_]\w*|\?))/.exec(line.slice(at)) ?? [];
    at += whole.length;
    return whole === '' ? '$' : variable(braced ?? plain ?? '');
  };
  while (at < line.length) {
    const character = line[at] ?? '';
    const operator = operators.find((one) => line.startsWith(one, at));
    if (operator !== undefined) {
      yield* endWord();
      yield { text: operator === '\n' ? ';' : operator, isOperator: true };
      at += operator.length;
    } else if (character === "'") {
      const end = line.indexOf("'", at + 1);
      if (end < 0) throw new Error('unterminated quoted string');
      add(line.slice(at + 1, end));
      at = end + 1;
    } else if (character === '"') {
      at++;
      add('');
      while (line[at] !== '"') {
        if (at >= line.length) throw new Error('unterminated quoted string');
        const next = line[at++] ?? '';
        if (next === '\\' && /["\\$`]/.test(line[at] ?? '')) add(line[at++] ?? '');
        else add(next === '$' ? readVariable() : next);
      }
      at++;
    } else if (/\s/.test(character)) {
      yield* endWord();
      at++;
    } else if (character === '#' && word === undefined) {
      at = line.length;
    } else {
      at++;
      if (character === '\\') add(line[at++] ?? '');
      else add(character === '$' ? readVariable() : character);
    }
  }
  yield* endWord();
}
