import { parseArgs, type ParseArgsConfig } from 'node:util';
import { defaultOf, type Flag, type FlagRule, type FlagTable, type FlagValues } from './flag-table.ts';
import { FlagValueError } from './flag-types.ts';
import { withoutCredentials } from '../etcd/without-credentials.ts';
import { nearName } from './near-name.ts';

/** The result of parsing arguments. */
interface ParsedArguments<T extends FlagTable> {
  readonly values: FlagValues<T>;
  /** All errors; `values` are invalid if there are any. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
  /** The texts of the flags that were given, by name; undefined for one without value. */
  readonly given: ReadonlyMap<string, readonly (string | undefined)[]>;
  /** The arguments that are no flags. */
  readonly words: readonly string[];
  /** How many of the words precede `--`; undefined without it. */
  readonly wordsBeforeDashes: number | undefined;
}

/** How arguments are read. */
interface ArgumentRules {
  /**
   * True for commands: they may have words, and the last of several values of a flag counts, as is
   * usual at a prompt. Default false: words and repeated flags are errors.
   */
  readonly words?: boolean;
}

/** A flag on the command line. */
interface GivenFlag {
  readonly name: string;
  readonly text: string | undefined;
}

/**
 * Parses arguments (without node and script): `--flag=value`, `--flag value`, `--flag` for a
 * boolean, and short forms (`-n value`, `-nvalue`, `-it`). Reports all errors: unknown and repeated
 * flags, invalid values, and, if there are no others, the errors of the rules.
 */
export function parseArguments<T extends FlagTable>(
  table: T,
  rules: readonly FlagRule<T>[],
  args: readonly string[],
  { words: wordsAllowed = false }: ArgumentRules = {},
): ParsedArguments<T> {
  const errors: string[] = [];
  const found = flagsIn(table, args, wordsAllowed, errors);
  const given = givenFlags(table, found.flags, wordsAllowed, errors);
  const entries = Object.entries(table).map(([name, flag]) => {
    const texts = given.get(name);
    if (texts && flag.refused !== undefined) errors.push(`--${name} is not supported: ${flag.refused}`);
    if (texts) return [name, valueOf(name, flag, texts, errors)];
    if (flag.required) errors.push(`--${name} is required`);
    return [name, defaultOf(flag)];
  });
  // Each value was parsed by the type of its row.
  const values = Object.fromEntries(entries) as FlagValues<T>;
  if (errors.length === 0) {
    const flags = { values, given: (name: string) => given.has(name) };
    errors.push(...rules.map((rule) => rule(flags)).filter((message) => message !== undefined));
  }
  const warnings = [...given.keys()].flatMap((name) => warningsOf(table, name));
  return { values, errors, warnings, given, words: found.words, wordsBeforeDashes: found.wordsBeforeDashes };
}

/** The texts of a flag, in order; undefined for `--flag` without value. */
type GivenTexts = (string | undefined)[];

/** The texts of the known flags by name. */
function givenFlags(
  table: FlagTable,
  flags: readonly GivenFlag[],
  lastCounts: boolean,
  errors: string[],
): Map<string, GivenTexts> {
  const given = new Map<string, GivenTexts>();
  for (const { name, text } of flags) {
    const earlier = given.get(name);
    if (!Object.hasOwn(table, name)) errors.push(unknownFlag(table, name));
    else if (earlier && table[name]?.type.join) earlier.push(text);
    else if (!earlier || lastCounts) given.set(name, [text]);
    else errors.push(`--${name} is given more than once`);
  }
  return given;
}

interface FoundArguments {
  readonly flags: readonly GivenFlag[];
  readonly words: readonly string[];
  readonly wordsBeforeDashes: number | undefined;
}

function flagsIn(table: FlagTable, args: readonly string[], wordsAllowed: boolean, errors: string[]): FoundArguments {
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries(table).map(([name, { short, ...flag }]) => [
      name,
      { type: needsValue(flag) ? 'string' : 'boolean', ...(short === undefined ? {} : { short }) },
    ]),
  );
  const flags: GivenFlag[] = [];
  const words: string[] = [];
  let wordsBeforeDashes: number | undefined;
  const { tokens } = parseArgs({
    args: withOwnNames(table, withLongNames(table, args)),
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional' && !wordsAllowed) errors.push(`${JSON.stringify(token.value)} is not a flag`);
    else if (token.kind === 'positional') words.push(token.value);
    else if (token.kind === 'option-terminator') wordsBeforeDashes = words.length;
    else if (token.rawName.startsWith('--')) flags.push({ name: token.name, text: token.value });
    else if (Object.hasOwn(table, token.name)) flags.push({ name: token.name, text: token.value });
    else errors.push(`unknown flag ${token.rawName}`);
  }
  return { flags, words, wordsBeforeDashes };
}

function needsValue({ type, bare }: Pick<Flag, 'type' | 'bare'>): boolean {
  return type.placeholder !== undefined && bare === undefined;
}

/** `-n=value` as `--namespace=value`, since the parser takes the sign for a part of the value. */
function withLongNames(table: FlagTable, args: readonly string[]): string[] {
  const end = args.indexOf('--');
  return args.map((arg, at) => {
    const [, letter, rest = ''] = /^-([A-Za-z])(=.*)$/s.exec(arg) ?? [];
    const name = letter && Object.keys(table).find((key) => key === letter || table[key]?.short === letter);
    return name && (end < 0 || at < end) ? `--${name}${rest}` : arg;
  });
}

/**
 * Replaces aliases by the names in the table, and underscores in names by dashes, as the components
 * of Kubernetes do.
 */
function withOwnNames(table: FlagTable, args: readonly string[]): string[] {
  const own = new Map(
    Object.entries(table).flatMap(([name, { aliases = [] }]) => [name, ...aliases].map((one) => [one, name] as const)),
  );
  const end = args.indexOf('--');
  return args.map((arg, at) => {
    const [, given = '', rest = ''] = /^--([^=]+)(.*)$/s.exec(arg) ?? [];
    const name = own.get(given) ?? own.get(given.replaceAll('_', '-'));
    return name !== undefined && (end < 0 || at < end) ? `--${name}${rest}` : arg;
  });
}

function unknownFlag(table: FlagTable, name: string): string {
  const near = nearName(name, Object.keys(table));
  return `unknown flag --${name}${near === undefined ? '' : `; did you mean --${near}?`}`;
}

function valueOf(name: string, { type, bare }: Flag, texts: GivenTexts, errors: string[]): unknown {
  const values = texts.map((text) => valueOfOne(name, type, text ?? bare, errors));
  return type.join && values.length > 1 ? type.join(values) : values[0];
}

function valueOfOne(name: string, type: Flag['type'], given: string | undefined, errors: string[]): unknown {
  if (given === undefined && type.placeholder !== undefined) {
    errors.push(`--${name} needs a value`);
    return undefined;
  }
  try {
    return type.parse(given ?? 'true');
  } catch (error) {
    if (!(error instanceof FlagValueError)) throw error;
    errors.push(withoutCredentials(`--${name}: ${JSON.stringify(given)} is not valid: ${error.message}`));
    return undefined;
  }
}

/** The warnings about a flag that is given. The deprecation has the text of kube-apiserver. */
function warningsOf(table: FlagTable, name: string): string[] {
  const { deprecated, noEffect } = table[name] ?? {};
  return [
    ...(deprecated === undefined ? [] : [`Flag --${name} has been deprecated, ${deprecated}`]),
    ...(noEffect === undefined ? [] : [`--${name} has no effect: ${noEffect}`]),
  ];
}
