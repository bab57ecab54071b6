import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { isInner } from '../bodies/corrupted.ts';
import { chance, times, weighted } from '../choices.ts';
import { compact, type JsonPath, pathsIn, valueAt } from '../json-paths.ts';

const operations = { add: 8, remove: 4, replace: 5, test: 2, move: 2, copy: 2, unknown: 0.1 };
const strangeIndexes: readonly string[] = ['-', '1', '5', '-1', '01', 'x'];

/** A JSON patch of some operations on places that an object has. */
export function randomJsonPatch(random: Random, object: JsonObject): JsonValue[] {
  const paths = pathsIn(object).filter(isInner);
  return times(random.between(1, 3), () => operation(random, object, paths));
}

function operation(random: Random, object: JsonObject, paths: readonly JsonPath[]): JsonObject {
  const pick = (): JsonPath => (paths.length === 0 ? ['metadata', 'labels'] : random.pick(paths));
  const op = weighted(random, operations);
  const path = pick();
  const value = chance(random, 0.05) ? random.pick<JsonValue>([null, 'zz', 5, {}]) : valueAt(object, path);
  return compact({
    op,
    ...(op === 'move' || op === 'copy' ? { from: pointer(random, pick()) } : {}),
    path: pointer(random, path),
    ...(op === 'add' || op === 'replace' || op === 'test' ? { value } : {}),
  });
}

/** A JSON pointer; an index is now and then one of another kind. */
function pointer(random: Random, path: JsonPath): string {
  const last = path.at(-1);
  const bent = typeof last === 'number' && chance(random, 0.3);
  const keys = bent ? [...path.slice(0, -1), random.pick(strangeIndexes)] : path;
  return keys.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
