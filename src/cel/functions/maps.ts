import { type CelMap, type CelValue, Failure, keyIdentity, mapFrom } from '../values/cel-value.ts';
import { keptWork, spend, type WorkMeter } from '../values/work-meter.ts';
import { type Library, Metered } from './library.ts';

/** A map with a further entry. */
function insert(meter: WorkMeter, map: CelMap, key: CelValue, value: CelValue): CelValue {
  return insertAll(meter, map, [[key, value]]);
}

function insertAll(meter: WorkMeter, map: CelMap, added: readonly (readonly [CelValue, CelValue])[]): CelValue {
  const keys = map.keys(meter);
  spend(meter, keys.length * keptWork);
  const entries = new Map(keys.map((key) => [keyIdentity(key) ?? '', [key, map.get(key) ?? null] as const] as const));
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
    ['cel.@mapInsert(map<A, B>, A, B): map<A, B>', new Metered(insert)],
    [
      'cel.@mapInsert(map<A, B>, map<A, B>): map<A, B>',
      new Metered((meter, map: CelMap, added: CelMap) => {
        const entries = added.keys(meter).map((key) => [key, added.get(key) ?? null] as const);
        return insertAll(meter, map, entries);
      }),
    ],
  ],
};
