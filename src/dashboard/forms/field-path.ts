import { getOwn, isJsonObject, type JsonObject, type JsonValue, setOwn } from '../../meta/json-value.ts';

/** The fields, keys and indexes that lead to a value. */
export type FieldPath = readonly (string | number)[];

/** The value at a path; undefined if there is none. */
function valueAtPath(object: JsonValue | undefined, path: FieldPath): JsonValue | undefined {
  let at = object;
  for (const step of path) at = stepInto(at, step);
  return at;
}

function stepInto(value: JsonValue | undefined, step: string | number): JsonValue | undefined {
  if (Array.isArray(value)) return value[Number(step)];
  return isJsonObject(value) ? getOwn(value, String(step)) : undefined;
}

/**
 * A copy of an object with another value at a path; undefined removes the field, key or item.
 * Missing fields on the way are made.
 */
export function withValue(object: JsonObject, path: FieldPath, value: JsonValue | undefined): JsonObject {
  const changed = changedAt(object, path, value);
  return isJsonObject(changed) ? changed : object;
}

function changedAt(at: JsonValue | undefined, path: FieldPath, value: JsonValue | undefined): JsonValue | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return value;
  const below = changedAt(stepInto(at, step), rest, value);
  if (Array.isArray(at)) {
    const index = Number(step);
    return below === undefined ? at.toSpliced(index, 1) : at.toSpliced(index, 1, below);
  }
  const copy: JsonObject = {};
  for (const [name, known] of Object.entries(isJsonObject(at) ? at : {})) {
    if (name !== step) setOwn(copy, name, known);
    else if (below !== undefined) setOwn(copy, name, below);
  }
  if (below !== undefined && !Object.hasOwn(copy, step)) setOwn(copy, String(step), below);
  return copy;
}

/** A copy of an object in which an item of a list is before the one above it. */
export function withItemMovedUp(object: JsonObject, path: FieldPath): JsonObject {
  const above = path.slice(0, -1);
  const index = Number(path.at(-1));
  const list = valueAtPath(object, above);
  const item = Array.isArray(list) ? list[index] : undefined;
  if (!Array.isArray(list) || item === undefined || index < 1) return object;
  return withValue(object, above, list.toSpliced(index, 1).toSpliced(index - 1, 0, item));
}

/** A path as in errors of servers: `spec.containers[0].image`, `metadata.labels[a.b/c]`. */
export function pathText(path: FieldPath): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number' || !/^[\w-]+$/.test(step)) return `[${step}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');
}
