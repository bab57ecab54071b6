import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { type JsonPath, pathsIn, valueAt, withoutPath, withValueAt } from '../json-paths.ts';

const wrong: readonly JsonValue[] = ['zz', 5, true, [], {}, -1, '', 1.5, null];

/** Whether a path is inside the object proper: not its kind, version and name. */
export function isInner(path: JsonPath): boolean {
  const [first, second] = path;
  if (first === 'apiVersion' || first === 'kind') return false;
  return first !== 'metadata' || (path.length > 1 && second !== 'name');
}

/** An object with one thing wrong: a value of another type, an unknown field, an item twice, something missing. */
export function corrupted(random: Random, object: JsonObject): JsonObject {
  const paths = pathsIn(object).filter(isInner);
  if (paths.length === 0) return object;
  const path = random.pick(paths);
  const change = random.pick(changes);
  // The path is inside the object, which stays one.
  return change(random, object, path) as JsonObject;
}

const changes: readonly ((random: Random, object: JsonObject, path: JsonPath) => JsonValue)[] = [
  (random, object, path) => withValueAt(object, path, random.pick(wrong)),
  (_, object, path) => withoutPath(object, path),
  (random, object, path) => {
    const target = isJsonObject(valueAt(object, path)) ? path : path.slice(0, -1);
    return withValueAt(object, [...target, random.pick(['unknown', 'Name', 'unknownField'])], 1);
  },
  (random, object, path) => {
    const list = valueAt(object, path);
    return Array.isArray(list) && list.length > 0
      ? withValueAt(object, path, [...list, random.pick(list)])
      : withValueAt(object, path, null);
  },
];
