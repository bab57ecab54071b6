import { randomInt } from 'node:crypto';

/** The characters of generated names: no vowels and no characters that look alike. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

const suffixLength = 5;

/**
 * Maximum length of the kept `generateName`, so that the name is at most a DNS label of 63
 * characters.
 */
const baseLimit = 63 - suffixLength;

/** The five characters after a `generateName`. */
function randomSuffix(): string {
  return Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Generates a name: the first 58 characters of `base` and a random suffix. */
export function generateName(base: string): string {
  return base.slice(0, baseLimit) + randomSuffix();
}
