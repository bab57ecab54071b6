import { LRUCache } from 'lru-cache';
import { compileLinearRegex, type LinearRegex } from '../../meta/linear-regex.ts';
import { patternSize } from './pattern-size.ts';

/**
 * The greatest size of a pattern, and of all patterns of a schema together. Compiling them takes
 * less than a quarter of a second; the patterns of a real operator are a tenth of it.
 */
export const mostPatternSize = 20_000;

/** The limit of the steps of all compiled patterns that are kept, some 100 bytes each. */
const keptSteps = 200_000;

interface CompiledPattern {
  readonly matcher: LinearRegex | undefined;
  readonly error: string | undefined;
  /** The steps of the compiled pattern: the time for each character of a text grows with them. */
  readonly steps: number;
}

const compiled = new LRUCache<string, CompiledPattern>({
  maxSize: keptSteps,
  sizeCalculation: ({ steps }, pattern) => steps + pattern.length + 1,
});

/**
 * Compiles a regular expression in the syntax of RE2, whose matches take linear time. Schemas share
 * compiled patterns. A pattern that is too large matches nothing, and has no error.
 */
export function compilePattern(pattern: string): CompiledPattern {
  const known = compiled.get(pattern);
  if (known) return known;
  const made = patternSize(pattern) > mostPatternSize ? tooLarge : compile(pattern);
  compiled.set(pattern, made);
  return made;
}

const tooLarge: CompiledPattern = Object.freeze({ matcher: undefined, error: undefined, steps: 0 });

function compile(pattern: string): CompiledPattern {
  try {
    const matcher = compileLinearRegex(pattern);
    return { matcher, error: undefined, steps: matcher.programSize() };
  } catch (error) {
    return { matcher: undefined, error: error instanceof Error ? error.message : String(error), steps: 0 };
  }
}
