import type { FlagType } from './flag-types.ts';

/** One flag of a program. */
export interface Flag {
  readonly type: FlagType<unknown>;
  /** The value if the flag is not given; undefined or absent: `ungiven` of its type. */
  readonly default?: unknown;
  /** True if the flag must be given. Default false. */
  readonly required?: true;
  /** The short form, a letter: `n` is given as `-n`. */
  readonly short?: string;
  /** The value where none is given, as in `--dry-run`; another one is then given with `=`. */
  readonly bare?: string;
  /** One line of help. */
  readonly help: string;
  /** The replacement of a deprecated flag; using it prints a warning. */
  readonly deprecated?: string;
  /** Other names of the flag, which other programs use. */
  readonly aliases?: readonly string[];
  /** The reason why the flag is accepted and changes nothing; using it prints a warning. */
  readonly noEffect?: string;
  /** The reason why the flag is always an error. */
  readonly refused?: string;
  /** The release that removed the flag: giving it is an error from then on. */
  readonly removed?: string;
  /** The name of the flag if it is not `flagName` of the key, or if the key is an option. */
  readonly flag?: string;
  /** The default of the option for an embedding program, if it is another one. */
  readonly embedded?: unknown;
  /** The least part of each process in a limit that several divide, unless the limit is 0. */
  readonly leastPart?: number;
}

/** The flags of a program by name, without dashes, in the order of `--help`. */
export type FlagTable = Readonly<Record<string, Flag>>;

/** A flag with its section in `--help`. */
export interface SectionedFlag extends Flag {
  readonly section: string;
}

/** Flags with their sections, by name. */
export type SectionedFlags = Readonly<Record<string, SectionedFlag>>;

/** Returns the name of a flag: `all-pods` for the key `allPods`, unless its row has another one. */
export function flagName(key: string, { flag }: Pick<Flag, 'flag'> = {}): string {
  return flag ?? key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** Returns the value of a flag that is not given. */
export function defaultOf({ type, default: initial }: Flag): unknown {
  return initial ?? type.ungiven;
}

/** Returns the table of a section of `--help`. A row that has a section already stays in it. */
export function inSection<const Rows extends Readonly<Record<string, Flag & Partial<SectionedFlag>>>>(
  section: string,
  rows: Rows,
): { readonly [Name in keyof Rows]: Rows[Name] & { readonly section: string } } {
  const table = Object.entries(rows).map(([name, row]) => [name, { section, ...row }]);
  // The rows keep their names.
  return Object.fromEntries(table) as { [Name in keyof Rows]: Rows[Name] & { section: string } };
}

/** The value of each flag of a table. */
export type FlagValues<T extends FlagTable> = { readonly [Name in keyof T]: FlagValue<T[Name]> };

type FlagValue<F extends Flag> =
  F['type'] extends FlagType<infer Value> ? (IsOptional<F> extends true ? Value | undefined : Value) : never;

type IsOptional<F extends Flag> = F extends { required: true } | { type: { ungiven: unknown } }
  ? false
  : undefined extends F['default']
    ? true
    : false;

/** The input of a rule about several flags. */
interface GivenFlags<T extends FlagTable> {
  readonly values: FlagValues<T>;
  /** Reports whether a flag was given. */
  readonly given: (name: keyof T & string) => boolean;
}

/** A rule about several flags; returns the error message or undefined. */
export type FlagRule<T extends FlagTable> = (flags: GivenFlags<T>) => string | undefined;
