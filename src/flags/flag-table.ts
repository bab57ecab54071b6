import type { FlagType } from './flag-types.ts';

/** One flag of a program. */
export interface Flag {
  readonly type: FlagType<unknown>;
  /** Its value where it is not given. `undefined`: it has none then. */
  readonly default: unknown;
  /** It has to be given. Default false. */
  readonly required?: true;
  /** The heading of `--help` under which it stands. */
  readonly section: string;
  /** What it is for, in one line. */
  readonly help: string;
  /** What to use instead, for a flag that will go: giving it prints a warning. */
  readonly deprecated?: string;
}

/** The flags of a program by name, without dashes, in the order of `--help`. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** The value of each flag of a table. */
export type FlagValues<T extends FlagTable> = { readonly [Name in keyof T]: FlagValue<T[Name]> };

type FlagValue<F extends Flag> =
  F['type'] extends FlagType<infer Value> ? (IsOptional<F> extends true ? Value | undefined : Value) : never;

type IsOptional<F extends Flag> = F extends { required: true } ? false : undefined extends F['default'] ? true : false;

/** What a rule about several flags looks at. */
export interface GivenFlags<T extends FlagTable> {
  readonly values: FlagValues<T>;
  /** Whether a flag stands on the command line. */
  readonly given: (name: keyof T & string) => boolean;
}

/** A rule about several flags: what is wrong with them together, or undefined. */
export type FlagRule<T extends FlagTable> = (flags: GivenFlags<T>) => string | undefined;
