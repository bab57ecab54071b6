import { defined } from '../meta/json-value.ts';
import { defaultOf, flagName, type FlagTable, type FlagValues } from './flag-table.ts';
import type { FlagType } from './flag-types.ts';

/** The rows of a table by the names of their flags. */
export type RowsByFlag<T extends FlagTable> = {
  readonly [Key in keyof T as T[Key] extends { readonly flag: infer Name extends string } ? Name : Key]: Omit<
    T[Key],
    'flag'
  > & { readonly type: T[Key]['type']; readonly default: T[Key]['default'] };
};

/** The keys of the rows that set options, and of the rows whose options may be absent. */
type OptionKey<T extends FlagTable> = {
  [Key in keyof T]: T[Key] extends { readonly flag: string } ? Key : never;
}[keyof T];
type OptionalKey<T extends FlagTable> = {
  [Key in OptionKey<T>]: undefined extends Initial<T[Key]> ? Key : never;
}[OptionKey<T>];

type Initial<F> = F extends { readonly embedded: infer Value }
  ? Value
  : F extends { readonly default: infer Value }
    ? Value
    : F extends { readonly type: { readonly ungiven: infer Value } }
      ? Value
      : undefined;

type OptionValue<F> = F extends { readonly type: FlagType<infer Value> } ? Value : never;

// Over keys of the table, so that each option is declared, and documented, by its row.
type Needed<T extends FlagTable, Key extends keyof T> = { readonly [Name in Key]: OptionValue<T[Name]> };
type Optional<T extends FlagTable, Key extends keyof T> = { readonly [Name in Key]?: OptionValue<T[Name]> };

/** The options that the flags of a table set; one without default may be absent. */
export type OptionsOf<T extends FlagTable> = Needed<T, Exclude<OptionKey<T>, OptionalKey<T>>> &
  Optional<T, OptionalKey<T>>;

/** The options of a table that are only present if those with these keys are. */
export type GroupOf<T extends FlagTable, Key extends OptionKey<T>> = OptionsOf<T> & Needed<T, Key>;

/** The table with the names of flags as keys, as arguments are parsed by it. */
export function flagsOf<T extends FlagTable>(table: T): RowsByFlag<T> {
  const rows = Object.entries(table).map(([key, { flag, ...row }]) => [flagName(key, { flag }), row]);
  return Object.fromEntries(rows) as RowsByFlag<T>;
}

/** The options that the values of flags set. */
export function optionsOf<T extends FlagTable>(table: T, values: FlagValues<RowsByFlag<NoInfer<T>>>): OptionsOf<T> {
  const given: Readonly<Record<string, unknown>> = values;
  return optionsBy(table, ({ flag = '' }) => given[flag]);
}

/**
 * Like `optionsOf`, for options that belong together; undefined if one of these keys has no value.
 */
export function groupOf<T extends FlagTable, Key extends OptionKey<T>>(
  table: T,
  values: FlagValues<RowsByFlag<NoInfer<T>>>,
  ...keys: readonly Key[]
): GroupOf<T, Key> | undefined {
  const options = optionsOf(table, values);
  const isPresent = (given: OptionsOf<T>): given is GroupOf<T, Key> => keys.every((key) => key in given);
  return isPresent(options) ? options : undefined;
}

/** The options of an embedding program without flags. */
export function defaultsOf<T extends FlagTable>(table: T): OptionsOf<T> {
  const options = optionsBy(table, (row) => Object.freeze('embedded' in row ? row.embedded : defaultOf(row)));
  Object.freeze(options);
  return options;
}

function optionsBy<T extends FlagTable>(table: T, valueOf: (row: FlagTable[string]) => unknown): OptionsOf<T> {
  const rows = Object.entries(table).filter(([, { flag }]) => flag !== undefined);
  // Each value was parsed by the type of its row, or is its default.
  return defined(Object.fromEntries(rows.map(([key, row]) => [key, valueOf(row)]))) as OptionsOf<T>;
}
