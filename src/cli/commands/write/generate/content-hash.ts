import { createHash } from 'node:crypto';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { nameOf } from '../../../../meta/object-meta.ts';
import { sortKeys } from '../../../../meta/sort-keys.ts';

/** Digits that could form words are replaced. */
const digits: Readonly<Record<string, string>> = { 0: 'g', 1: 'h', 3: 'k', a: 'm', e: 't' };
const length = 10;

/**
 * Ends the name of a ConfigMap or Secret with a hash of its content, the same as other clients give
 * it.
 */
export function withContentHash<T extends JsonObject>(object: T): T {
  const { kind = '', data = {}, binaryData, type } = object;
  const name = nameOf(object);
  const content: JsonObject = {
    kind,
    name,
    data,
    ...(binaryData === undefined ? {} : { binaryData }),
    ...(kind === 'Secret' ? { type: type ?? '' } : {}),
  };
  const hash = createHash('sha256')
    .update(JSON.stringify(sortKeys(content)))
    .digest('hex')
    .slice(0, length);
  const suffix = hash
    .split('')
    .map((digit) => digits[digit] ?? digit)
    .join('');
  return { ...object, metadata: { ...(object.metadata as JsonObject), name: `${name}-${suffix}` } };
}
