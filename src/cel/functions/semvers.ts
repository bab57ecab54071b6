import { libraryTypes } from '../../identifiers/expression-types.ts';
import { type CelValue, Failure, Opaque } from '../values/cel-value.ts';
import type { Library } from './library.ts';

/** A semantic version. Parts before a release are numbers or texts. */
interface Semver {
  readonly numbers: readonly bigint[];
  readonly before: readonly (bigint | string)[];
}

const number = '(0|[1-9]\\d*)';
const label = '[0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*';
const syntax = new RegExp(`^${number}\\.${number}\\.${number}(?:-(${label}))?(?:\\+${label})?$`);
const longest = 256;

/** Reads a semantic version without a leading `v`; undefined if the text is none. */
export function readSemver(text: string): Semver | undefined {
  const found = text.length > longest ? null : syntax.exec(text);
  if (!found) return undefined;
  const before = (found[4] ?? '').split('.').filter((part) => part !== '');
  if (before.some((part) => /^0\d+$/.test(part))) return undefined;
  return {
    numbers: found.slice(1, 4).map(BigInt),
    before: before.map((part) => (/^\d+$/.test(part) ? BigInt(part) : part)),
  };
}

/** Removes a leading `v` and leading zeros, and adds missing numbers; undefined if it may not. */
function normalised(text: string): string | undefined {
  const [first = '', second, ...third] = text.replace(/^v/, '').split('.');
  const parts = [first, second, third.length > 0 ? third.join('.') : undefined].filter((part) => part !== undefined);
  if (parts.length < 3 && /[+-]/.test(parts.at(-1) ?? '')) return undefined;
  const numbers = parts.map((part) => part.replace(/^0+(?=\d)/, ''));
  return [...numbers, '0', '0'].slice(0, 3).join('.');
}

/** Versions are equal whatever their builds are. */
function identityOf({ numbers, before }: Semver): string {
  return `${numbers.join('.')}-${before.join('.')}`;
}

/** A semantic version as a value; a Failure if the text is none. */
export function semverValue(text: string, isLoose = false): CelValue {
  const version = readSemver((isLoose ? normalised(text) : text) ?? '');
  return version
    ? new Opaque(`${libraryTypes}Semver`, identityOf(version), version)
    : new Failure(`invalid semantic version: ${JSON.stringify(text)}`);
}

function isSemver(text: string, isLoose = false): boolean {
  return readSemver((isLoose ? normalised(text) : text) ?? '') !== undefined;
}

function versionOf(value: Opaque): Semver {
  return value.content as Semver;
}

/**
 * Compares two versions: negative if `left` is the earlier one. A version before a release comes
 * before it; numbers come before texts.
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
