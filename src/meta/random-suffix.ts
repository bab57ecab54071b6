import { randomInt } from 'node:crypto';

/** Letters and digits that form no words and that nobody confuses; what names are generated from. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

const suffixLength = 5;

/** What is left of a generateName, so that the suffix still fits into a DNS label of 63. */
const baseLimit = 63 - suffixLength;

/** Five characters that follow a `generateName`. */
function randomSuffix(): string {
  return Array.from({ length: suffixLength }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** A name made from a `generateName`: its first 58 characters and a random suffix. */
export function generateName(base: string): string {
  return base.slice(0, baseLimit) + randomSuffix();
}
