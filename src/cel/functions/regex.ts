import { compileLinearRegex, type LinearRegex } from '../../meta/linear-regex.ts';
import { type CelValue, Failure, listFrom } from '../values/cel-value.ts';
import type { Library } from './library.ts';
import { memoizeText } from '../../meta/memoize.ts';

/** A longer pattern takes too long to compile. */
const longestPattern = 10_000;

/** A pattern that matches in linear time, or why there is none. Rules have few patterns. */
export const compilePattern: (text: string) => LinearRegex | Failure = memoizeText(compile, { most: 500 });

function compile(text: string): LinearRegex | Failure {
  if (text.length > longestPattern) return new Failure('error parsing regexp: expression too large');
  try {
    return compileLinearRegex(text);
  } catch (error) {
    return new Failure(error instanceof Error ? error.message : 'error parsing regexp');
  }
}

function matches(text: string, pattern: string): CelValue {
  const regex = compilePattern(pattern);
  return regex instanceof Failure ? regex : regex.test(text);
}

function find(text: string, pattern: string): CelValue {
  const found = findAll(text, pattern, 1n);
  return found instanceof Failure ? found : (found[0] ?? '');
}

/** The matches that do not overlap, at most `limit`; all if it is negative. */
function findAll(text: string, pattern: string, limit: bigint): readonly string[] | Failure {
  const regex = compilePattern(pattern);
  if (regex instanceof Failure) return regex;
  const found: string[] = [];
  const matcher = regex.matcher(text);
  const most = limit < 0n ? Infinity : Number(limit);
  for (let more = most > 0 && matcher.find(); more; more = found.length < most && matcher.find()) {
    found.push(matcher.group() ?? '');
  }
  return found;
}

function listOrFailure(found: readonly string[] | Failure): CelValue {
  return found instanceof Failure ? found : listFrom(found);
}

/** Regular expressions. */
export const regex: Library = {
  functions: [['matches(string, string): bool', matches]],
  methods: [
    ['matches(string, string): bool', matches],
    ['find(string, string): string', find],
    [
      'findAll(string, string): list<string>',
      (text: string, pattern: string) => listOrFailure(findAll(text, pattern, -1n)),
    ],
    [
      'findAll(string, string, int): list<string>',
      (text: string, pattern: string, limit: bigint) => listOrFailure(findAll(text, pattern, limit)),
    ],
  ],
};
