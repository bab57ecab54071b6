import { parseArgs, type ParseArgsConfig } from 'node:util';
import { closest, distance } from 'fastest-levenshtein';
import type { Flag, FlagRule, FlagTable, FlagValues } from './flag-table.ts';
import { FlagValueError } from './flag-types.ts';

/** The result of parsing arguments. */
interface ParsedArguments<T extends FlagTable> {
  readonly values: FlagValues<T>;
  /** All errors; `values` are invalid if there are any. */
  readonly errors: readonly string[];
  readonly warnings: readonly string[];
}

/** A flag on the command line. */
interface GivenFlag {
  readonly name: string;
  readonly text: string | undefined;
}

/** A similar flag is suggested if its edit distance is at most this share of its length. */
const nearShare = 1 / 2;

/**
 * Parses arguments (without node and script): `--flag=value`, `--flag value`, and `--flag` for a
 * boolean. Reports all errors: unknown and repeated flags, invalid values, and, if there are no
 * others, the errors of the rules.
 */
export function parseArguments<T extends FlagTable>(
  table: T,
  rules: readonly FlagRule<T>[],
  args: readonly string[],
): ParsedArguments<T> {
  const errors: string[] = [];
  const given = givenFlags(table, args, errors);
  const entries = Object.entries(table).map(([name, flag]) => {
    const texts = given.get(name);
    if (texts) return [name, valueOf(name, flag.type, texts, errors)];
    if (flag.required) errors.push(`--${name} is required`);
    return [name, flag.default];
  });
  // Each value was parsed by the type of its row.
  const values = Object.fromEntries(entries) as FlagValues<T>;
  if (errors.length === 0) {
    const flags = { values, given: (name: string) => given.has(name) };
    errors.push(...rules.map((rule) => rule(flags)).filter((found) => found !== undefined));
  }
  return { values, errors, warnings: [...given.keys()].flatMap((name) => deprecation(table, name)) };
}

/** The texts of a flag, in order; undefined for `--flag` without value. */
type GivenTexts = (string | undefined)[];

/** The texts of the known flags by name. */
function givenFlags(table: FlagTable, args: readonly string[], errors: string[]): Map<string, GivenTexts> {
  const given = new Map<string, GivenTexts>();
  for (const { name, text } of flagsIn(table, args, errors)) {
    const earlier = given.get(name);
    if (!Object.hasOwn(table, name)) errors.push(unknownFlag(table, name));
    else if (!earlier) given.set(name, [text]);
    else if (table[name]?.type.join) earlier.push(text);
    else errors.push(`--${name} is given more than once`);
  }
  return given;
}

function flagsIn(table: FlagTable, args: readonly string[], errors: string[]): GivenFlag[] {
  const options: ParseArgsConfig['options'] = Object.fromEntries(
    Object.entries(table).map(([name, { type }]) => [
      name,
      { type: type.placeholder === undefined ? 'boolean' : 'string' },
    ]),
  );
  const { tokens } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  return tokens.flatMap((token) => {
    if (token.kind === 'option' && token.rawName.startsWith('--')) return [{ name: token.name, text: token.value }];
    if (token.kind === 'option') errors.push(`unknown flag ${token.rawName}`);
    if (token.kind === 'positional') errors.push(`${JSON.stringify(token.value)} is not a flag`);
    return [];
  });
}

function unknownFlag(table: FlagTable, name: string): string {
  const near = closest(name, Object.keys(table));
  const isNear = distance(name, near) <= near.length * nearShare;
  return `unknown flag --${name}${isNear ? `; did you mean --${near}?` : ''}`;
}

function valueOf(name: string, type: Flag['type'], texts: GivenTexts, errors: string[]): unknown {
  const values = texts.map((text) => valueOfOne(name, type, text, errors));
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
    errors.push(`--${name}: ${JSON.stringify(given)} is not valid: ${error.message}`);
    return undefined;
  }
}

function deprecation(table: FlagTable, name: string): string[] {
  const instead = table[name]?.deprecated;
  return instead === undefined ? [] : [`--${name} is deprecated: ${instead}`];
}
