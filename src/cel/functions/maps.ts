import { type CelMap, type CelValue, Failure, keyIdentity, mapFrom } from '../values/cel-value.ts';
import type { Library } from './library.ts';

/** A map with a further entry. */
function insert(map: CelMap, key: CelValue, value: CelValue): CelValue {
  return insertAll(map, [[key, value]]);
}

function insertAll(map: CelMap, added: readonly (readonly [CelValue, CelValue])[]): CelValue {
  const entries = new Map(
    map.keys().map((key) => [keyIdentity(key) ?? '', [key, map.get(key) ?? null] as const] as const),
  );
  for (const [key, value] of added) {
    const identity = keyIdentity(key);
    if (identity === undefined) return new Failure('unsupported key type');
    if (entries.has(identity)) return new Failure(`insert failed: key ${identity.slice(1)} already exists`);
    entries.set(identity, [key, value]);
  }
  return mapFrom(entries);
}

/** The functions that macros call to make maps. */
export const maps: Library = {
  functions: [
    ['cel.@mapInsert(map<A, B>, A, B): map<A, B>', insert],
    [
      'cel.@mapInsert(map<A, B>, map<A, B>): map<A, B>',
      (map: CelMap, added: CelMap) =>
        insertAll(
          map,
          added.keys().map((key) => [key, added.get(key) ?? null] as const),
        ),
    ],
  ],
};
