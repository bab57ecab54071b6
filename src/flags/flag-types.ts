import { formatDuration, parseDuration } from '../meta/duration.ts';

/** Parser and formatter of a flag's values. */
export interface FlagType<Value> {
  /** The placeholder of the value in `--help`; undefined for flags without value. */
  readonly placeholder: string | undefined;
  /** Throws `FlagValueError`. */
  parse(text: string): Value;
  /** Formats a value so that `parse` returns it. */
  format(value: Value): string;
  /** The value of a flag that is not given and has no default; absent: none. */
  readonly ungiven?: Value;
  /** All values, if there are few. */
  readonly words?: readonly string[];
  /** Joins the values of a flag that is given several times; absent: it may be given once. */
  join?(values: readonly Value[]): Value;
}

/** An invalid value. The message states the valid ones, as in `use 1 to 10`. */
export class FlagValueError extends Error {
  override readonly name = 'FlagValueError';
}

/** Any text. */
export function text(placeholder: string): FlagType<string> {
  return { placeholder, parse: (given) => given, format: (value) => value };
}

/** One of several words. */
export function choice<const Word extends string>(placeholder: string, words: readonly Word[]): FlagType<Word> {
  return {
    placeholder,
    words,
    parse: (given) => {
      const word = words.find((other) => other === given);
      if (word === undefined) throw new FlagValueError(`use ${alternatives(words)}`);
      return word;
    },
    format: (word) => word,
  };
}

function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** An integer from `least` to `most`, inclusive. */
export function integer(placeholder: string, least = 0, most = Number.MAX_SAFE_INTEGER): FlagType<number> {
  const range = most === Number.MAX_SAFE_INTEGER ? `${least} or more` : `${least} to ${most}`;
  return {
    placeholder,
    parse: (given) => {
      const value = Number(given);
      if (!/^-?[0-9]+$/.test(given) || value < least || value > most) {
        throw new FlagValueError(`use a number, ${range}`);
      }
      return value;
    },
    format: String,
  };
}

const nanosPerMs = 1_000_000n;

/** A duration in Go's syntax (`1m30s`), in milliseconds. */
export function duration({ positive = false } = {}): FlagType<number> {
  return {
    placeholder: 'duration',
    parse: (given) => {
      const nanos = parseDuration(given);
      if (nanos === undefined || nanos < 0n) throw new FlagValueError('use a duration like 30s or 5m');
      const milliseconds = Number(nanos / nanosPerMs);
      if (positive && milliseconds === 0) throw new FlagValueError('use a duration of 1ms or more');
      return milliseconds;
    },
    format: (milliseconds) => formatDuration(BigInt(milliseconds) * nanosPerMs),
  };
}

/**
 * Comma-separated texts; surrounding spaces and empty texts are removed. The lists of a repeated
 * flag are joined.
 */
export function list(placeholder: string): FlagType<readonly string[]> {
  return {
    placeholder,
    parse: (given) =>
      given
        .split(',')
        .map((item) => item.trim())
        .filter(Boolean),
    format: (items) => items.join(','),
    join: (lists) => lists.flat(),
  };
}

/** Values of a flag that is given once for each of them; an empty text is none. */
export function repeated<Value>(type: FlagType<Value>): FlagType<readonly Value[]> {
  return {
    placeholder: type.placeholder,
    parse: (given) => (given === '' ? [] : [type.parse(given)]),
    format: (values) => values.map((value) => type.format(value)).join(', '),
    join: (lists) => lists.flat(),
  };
}

/** `--flag` without value means true, as in Go. */
export const boolean: FlagType<boolean> = {
  placeholder: undefined,
  parse: (given) => {
    if (given === 'true' || given === '1') return true;
    if (given === 'false' || given === '0') return false;
    throw new FlagValueError('use true or false');
  },
  format: String,
};

/** A boolean flag that is off unless it is given. */
export const toggle = { ...boolean, ungiven: false } as const;

/** A type whose values must also pass `problem`, which returns an error message or undefined. */
export function checked<Value>(type: FlagType<Value>, problem: (value: Value) => string | undefined): FlagType<Value> {
  return {
    ...type,
    parse: (given) => {
      const value = type.parse(given);
      const found = problem(value);
      if (found !== undefined) throw new FlagValueError(found);
      return value;
    },
  };
}

/** A number that may have a fraction, from `least` on. */
export function number(placeholder: string, least = 0): FlagType<number> {
  return {
    placeholder,
    parse: (given) => {
      const value = Number(given);
      if (given.trim() === '' || !Number.isFinite(value) || value < least) {
        throw new FlagValueError(`use a number, ${least} or more`);
      }
      return value;
    },
    format: String,
  };
}
