import { libraryTypes } from '../../identifiers/expression-types.ts';
import { type CelValue, Failure, Opaque } from '../values/cel-value.ts';
import type { Library } from './library.ts';

/** A semantic version. Parts before a release are numbers or texts. */
interface Semver {
  readonly numbers: readonly bigint[];
  readonly before: readonly (bigint | string)[];
}

const largest = 2n ** 64n;

/** The longest text of a version, which no real version reaches. */
const longest = 256;

/** Parses a semantic version without a leading `v`; undefined if the text is invalid. */
export function readSemver(text: string): Semver | undefined {
  const version = parseSemver(text);
  return version instanceof Failure ? undefined : version;
}

/** Parses a semantic version without a leading `v`; a Failure if the text is invalid. */
function parseSemver(text: string): Semver | Failure {
  if (text === '') return new Failure('Version string empty');
  if (text.length > longest) return new Failure(`version must have at most ${longest} characters`);
  const [major = '', minor, ...third] = text.split('.');
  if (minor === undefined || third.length === 0) return new Failure('No Major.Minor.Patch elements found');
  const rest = third.join('.');
  const [withBefore, build] = splitOnce(rest, '+');
  const [patch, before] = splitOnce(withBefore, '-');
  const numbers: bigint[] = [];
  for (const [name, part] of Object.entries({ Major: major, Minor: minor, Patch: patch })) {
    const value = readNumber(name, part);
    if (value instanceof Failure) return value;
    numbers.push(value);
  }
  const parts: (bigint | string)[] = [];
  for (const part of before?.split('.') ?? []) {
    const value = readLabel(part);
    if (value instanceof Failure) return value;
    parts.push(value);
  }
  return buildProblem(build) ?? { numbers, before: parts };
}

function splitOnce(text: string, separator: string): readonly [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

function readNumber(name: string, text: string): bigint | Failure {
  if (!/^[0-9]*$/.test(text))
    return new Failure(`Invalid character(s) found in ${name.toLowerCase()} number ${JSON.stringify(text)}`);
  if (/^0[0-9]/.test(text))
    return new Failure(`${name} number must not contain leading zeroes ${JSON.stringify(text)}`);
  return parseUint(text);
}

function parseUint(text: string): bigint | Failure {
  const value = text === '' ? undefined : BigInt(text);
  if (value !== undefined && value < largest) return value;
  const why = value === undefined ? 'invalid syntax' : 'value out of range';
  return new Failure(`strconv.ParseUint: parsing ${JSON.stringify(text)}: ${why}`);
}

/** Parses an identifier of a pre-release. */
function readLabel(text: string): bigint | string | Failure {
  if (text === '') return new Failure('Prerelease is empty');
  if (!/^[0-9A-Za-z-]+$/.test(text))
    return new Failure(`Invalid character(s) found in prerelease ${JSON.stringify(text)}`);
  if (!/^[0-9]+$/.test(text)) return text;
  return /^0[0-9]/.test(text)
    ? new Failure(`Numeric PreRelease version must not contain leading zeroes ${JSON.stringify(text)}`)
    : parseUint(text);
}

function buildProblem(build: string | undefined): Failure | undefined {
  for (const part of build?.split('.') ?? []) {
    if (part === '') return new Failure('Build meta data is empty');
    if (!/^[0-9A-Za-z-]+$/.test(part))
      return new Failure(`Invalid character(s) found in build meta data ${JSON.stringify(part)}`);
  }
  return undefined;
}

/** Parses a version after removing a leading `v` and leading zeros, and adding missing numbers. */
function readLoose(text: string): Semver | Failure {
  const [first = '', second, ...third] = text.replace(/^v/, '').split('.');
  const parts = [first, second, third.length > 0 ? third.join('.') : undefined].filter((part) => part !== undefined);
  const numbers = parts.map((part) =>
    part.replace(/^0+(?=\d)|^0+(?=[^\d])/, (zeros, at: number, whole: string) =>
      /\d/.test(whole.charAt(at + zeros.length)) ? '' : '0',
    ),
  );
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? ''))
    return new Failure('short version cannot contain PreRelease/Build meta data');
  return parseSemver([...numbers, '0', '0'].slice(0, 3).join('.'));
}

/** The identity of a version. Build metadata is ignored in comparisons. */
function identityOf({ numbers, before }: Semver): string {
  return `${numbers.join('.')}-${before.join('.')}`;
}

/** The value of a semantic version; a Failure if the text is invalid. */
export function semverValue(text: string, isLoose = false): CelValue {
  const version = isLoose ? readLoose(text) : parseSemver(text);
  return version instanceof Failure ? version : new Opaque(`${libraryTypes}Semver`, identityOf(version), version);
}

function isSemver(text: string, isLoose = false): boolean {
  return !((isLoose ? readLoose(text) : parseSemver(text)) instanceof Failure);
}

function versionOf(value: Opaque): Semver {
  return value.content as Semver;
}

/**
 * Compares two versions; negative if `left` is lower. A pre-release is lower than its release, and
 * numeric identifiers are lower than others.
 */
export function compareSemvers(left: Semver, right: Semver): number {
  for (const [index, value] of left.numbers.entries()) {
    const other = right.numbers[index] ?? 0n;
    if (value !== other) return value < other ? -1 : 1;
  }
  if (left.before.length === 0 || right.before.length === 0)
    return right.before.length - left.before.length && (left.before.length === 0 ? 1 : -1);
  return compareParts(left.before, right.before);
}

function compareParts(left: Semver['before'], right: Semver['before']): number {
  for (const [index, value] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (value === other) continue;
    if (typeof value !== typeof other) return typeof value === 'bigint' ? -1 : 1;
    return value < other ? -1 : 1;
  }
  return left.length < right.length ? -1 : 0;
}

function numberAt(index: number): (value: Opaque) => bigint {
  return (value) => versionOf(value).numbers[index] ?? 0n;
}

/** Semantic versions. */
export const semvers: Library = {
  functions: [
    ['semver(string): Semver', (text: string) => semverValue(text)],
    ['semver(string, bool): Semver', semverValue],
    ['isSemver(string): bool', (text: string) => isSemver(text)],
    ['isSemver(string, bool): bool', isSemver],
  ],
  methods: [
    ['major(Semver): int', numberAt(0)],
    ['minor(Semver): int', numberAt(1)],
    ['patch(Semver): int', numberAt(2)],
    ['isGreaterThan(Semver, Semver): bool', (a: Opaque, b: Opaque) => compareSemvers(versionOf(a), versionOf(b)) > 0],
    ['isLessThan(Semver, Semver): bool', (a: Opaque, b: Opaque) => compareSemvers(versionOf(a), versionOf(b)) < 0],
    ['compareTo(Semver, Semver): int', (a: Opaque, b: Opaque) => BigInt(compareSemvers(versionOf(a), versionOf(b)))],
  ],
};
