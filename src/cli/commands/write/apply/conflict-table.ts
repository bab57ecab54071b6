import type { StatusError } from '../../../../client/error-of-response.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../../meta/json-value.ts';
import { conflictsOf } from '../../../objects/client-side-fields.ts';
import { shortName } from '../../../objects/written-objects.ts';
import { columnWidths, formatRows, visibleText } from '../../../format-rows.ts';
import { sameValue } from '../../../../meta/read-field.ts';

const widestValue = 40;

/** The fields of a Secret that are shown. */
const openFieldOfSecret = /^\.(?:type|immutable|metadata\.(?:labels|finalizers))(?![A-Za-z])/;

/**
 * Shows the fields of other managers that an apply would change, with both values, and the ways
 * out. Empty for a conflict of another kind. Values of Secrets are hidden, those
 * in the annotation of their last apply too.
 */
export function conflictTable(error: StatusError, ours: JsonObject, theirs: JsonObject): string {
  const conflicts = conflictsOf(error);
  if (conflicts.length === 0) return '';
  const isHidden = ours.kind === 'Secret';
  const shown = (object: JsonObject, path: string): string =>
    isHidden && !openFieldOfSecret.test(path) ? '***' : valueText(valueAtPath(object, path));
  const rows = conflicts.map(({ field, manager }) =>
    [field, manager, shown(ours, field), shown(theirs, field)].map(visibleText),
  );
  const table = [['FIELD', 'MANAGER', 'YOURS', 'THEIRS'], ...rows];
  return [
    `${shortName(ours)}: other managers have set these fields:`,
    formatRows(table, columnWidths(table)).trimEnd(),
    'Three ways out:',
    '  take them over:       apply again with --force-conflicts; the other manager loses them',
    '  leave them alone:     remove the fields from the file',
    '  own them together:    write the values of THEIRS in the file\n',
  ].join('\n');
}

function valueText(value: JsonValue | undefined): string {
  if (value === undefined) return '<none>';
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return text.length > widestValue ? `${text.slice(0, widestValue - 1)}…` : text;
}

const step = /\.([^.[]+)|\[(\d+)\]|\[(=?(?:[^\]"]|"(?:[^"\\]|\\.)*")+)\]/gy;

/**
 * The value at a path in the notation of conflicts: `.data.key`,
 * `.spec.containers[name="web"].image`, `.metadata.finalizers[="a"]`. Undefined if there is none. A
 * key may contain dots.
 */
function valueAtPath(object: JsonValue, path: string): JsonValue | undefined {
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

/** The longest key of an object that the rest of a path begins with. */
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
    // The text is a JSON value.
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}
