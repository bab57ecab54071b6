import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { sameValue } from '../../meta/read-field.ts';

const step = /\.([^.[]+)|\[(\d+)\]|\[(=?(?:[^\]"]|"(?:[^"\\]|\\.)*")+)\]/gy;

/**
 * The value at a path as the server writes those of conflicts: `.data.key`,
 * `.spec.containers[name="web"].image`, `.metadata.finalizers[="a"]`. Undefined if it is not there.
 * A key with dots is found too.
 */
export function valueAtPath(object: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = object;
  step.lastIndex = 0;
  while (step.lastIndex < path.length) {
    const from = step.lastIndex;
    const match = step.exec(path);
    if (!match || value === undefined) return undefined;
    const [, field, index, keys] = match;
    if (field !== undefined) {
      const dotted: string | undefined = isJsonObject(value) ? longestKey(value, path.slice(from + 1)) : undefined;
      if (dotted === undefined) return undefined;
      step.lastIndex = from + 1 + dotted.length;
      value = isJsonObject(value) ? value[dotted] : undefined;
    } else if (index === undefined) value = itemWith(value, keys ?? '');
    else value = Array.isArray(value) ? value[Number(index)] : undefined;
  }
  return value;
}

/** The longest key of an object with which the rest of a path begins. */
function longestKey(object: { readonly [key: string]: JsonValue }, rest: string): string | undefined {
  const keys = Object.keys(object).filter((key) => rest.startsWith(key) && /^(?:$|[.[])/.test(rest.slice(key.length)));
  return keys.toSorted((one, other) => other.length - one.length)[0];
}

function itemWith(value: JsonValue, keys: string): JsonValue | undefined {
  if (!Array.isArray(value)) return undefined;
  if (keys.startsWith('=')) return value.find((item) => sameValue(item, parsed(keys.slice(1))));
  const pairs = [...keys.matchAll(/([^=,]+)=("(?:[^"\\]|\\.)*"|[^,]+),?/g)];
  return value.find(
    (item) => isJsonObject(item) && pairs.every(([, key = '', text = '']) => sameValue(item[key], parsed(text))),
  );
}

function parsed(text: string): JsonValue | undefined {
  try {
    // The text of a JSON value.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
