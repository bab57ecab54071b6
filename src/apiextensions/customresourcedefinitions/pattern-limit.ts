import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { mostPatternSize } from '../../scheme/structural/compile-pattern.ts';
import { patternSize } from '../../scheme/structural/pattern-size.ts';
import { type FieldError, invalid } from '../../status/field-error.ts';

/**
 * Refuses a schema whose patterns take too long to compile, which the first object of its kind
 * would have to wait for. Equal patterns count once.
 */
export function patternLimitErrors(field: string, schema: JsonObject): readonly FieldError[] {
  const found = new Set<string>();
  collectPatterns(schema, found);
  let size = 0;
  for (const pattern of found) size += patternSize(pattern);
  if (size <= mostPatternSize) return [];
  const why = `its patterns have ${size} characters, with repetitions written out; at most ${mostPatternSize} are allowed`;
  return [invalid(field, '', why)];
}

/** The parts of a schema that are values. */
const values: ReadonlySet<string> = new Set(['default', 'enum', 'example']);

function collectPatterns(part: JsonValue, found: Set<string>): void {
  if (Array.isArray(part)) for (const item of part) collectPatterns(item, found);
  else if (isJsonObject(part)) {
    for (const [name, value] of Object.entries(part)) {
      if (name === 'pattern' && typeof value === 'string') found.add(value);
      else if (!values.has(name)) collectPatterns(value, found);
    }
  }
}
