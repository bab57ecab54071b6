import type { JsonValue } from '../../meta/json-value.ts';
import { identityOfValue } from '../../meta/read-field.ts';

/** The characters of generated names, to which the digits of a hash are mapped. */
const alphabet = 'bcdfghjklmnpqrstvwxz2456789';

/**
 * The hash of a template in the names of the objects that are made from it: equal templates have
 * equal hashes, and the number of collisions changes it. It differs from the hash of other
 * programs, which hash the memory of their own types; controllers compare templates, never hashes.
 */
export function templateHash(template: unknown, collisionCount = 0): string {
  // A template is a part of an object, which is JSON.
  const text = `${identityOfValue(template as JsonValue)}${collisionCount === 0 ? '' : collisionCount}`;
  const digits = Buffer.from(String(fnv1a(text)));
  return Array.from(digits, (digit) => alphabet[digit % alphabet.length]).join('');
}

/** FNV-1a with 32 bits. */
function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
