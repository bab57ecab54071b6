import { JsonDecodeError } from '../codec/json-decode-error.ts';
import { parseJson } from '../codec/parse-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';

/** The fields of a toleration, by their names in lower case, with their types in Go. */
const fields: ReadonlyMap<string, readonly [name: string, goType: string]> = new Map(
  (
    [
      ['key', 'string'],
      ['operator', 'v1.TolerationOperator'],
      ['value', 'string'],
      ['effect', 'v1.TaintEffect'],
      ['tolerationSeconds', 'int64'],
    ] as const
  ).map(([name, goType]) => [name.toLowerCase(), [name, goType]]),
);

/**
 * Parses a list of tolerations in JSON, with the rules and messages of the decoder of Go: names of
 * fields match in any case, unknown fields are dropped, and null is an empty value. Throws
 * `JsonDecodeError`.
 */
export function parseTolerations(text: string): readonly JsonObject[] {
  const { value } = parseJson(text);
  if (value === null) return [];
  if (!Array.isArray(value)) throw mismatch(value, 'value', '[]v1.Toleration');
  return (value as readonly JsonValue[]).map(readToleration);
}

function readToleration(item: JsonValue): JsonObject {
  if (item === null) return {};
  if (!isJsonObject(item)) throw mismatch(item, 'value', 'v1.Toleration');
  const toleration: JsonObject = {};
  for (const [given, value] of Object.entries(item)) {
    const field = fields.get(given.toLowerCase());
    if (!field || value === null) continue;
    const [name, goType] = field;
    if (!isOfType(value, goType)) throw mismatch(value, `struct field Toleration.${name}`, goType);
    toleration[name] = value;
  }
  return toleration;
}

function isOfType(value: JsonValue, goType: string): boolean {
  return goType === 'int64' ? typeof value === 'bigint' || Number.isSafeInteger(value) : typeof value === 'string';
}

/** The error of a value of another type; a number that does not fit is quoted. */
function mismatch(value: JsonValue, where: string, goType: string): JsonDecodeError {
  const given = goType === 'int64' && typeof value === 'number' ? `number ${value}` : kindOf(value);
  return new JsonDecodeError(`json: cannot unmarshal ${given} into Go ${where} of type ${goType}`);
}

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return 'array';
  if (typeof value === 'boolean') return 'bool';
  return typeof value === 'bigint' ? 'number' : typeof value;
}
