import { JsonDecodeError } from '../codec/decode-error.ts';
import { parseJson } from '../codec/parse-json.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';

/** The fields of a toleration, by their names in lower case, with their types in Go. */
const fields: ReadonlyMap<string, readonly [name: string, goType: string]> = new Map(
  (
    [
      ['key', 'string'],
      ['operator', 'TolerationOperator'],
      ['value', 'string'],
      ['effect', 'TaintEffect'],
      ['tolerationSeconds', 'int64'],
    ] as const
  ).map(([name, goType]) => [name.toLowerCase(), [name, goType]]),
);

/** The package of the Go type that messages name: a version of the API, or the internal one. */
type GoPackage = 'v1' | 'core';

/**
 * Parses a list of tolerations in JSON, with the rules and messages of the decoder of Go: names of
 * fields match in any case, unknown fields are dropped, and null is an empty value. Throws
 * `JsonDecodeError`.
 */
export function parseTolerations(text: string, goPackage: GoPackage = 'v1'): readonly JsonObject[] {
  const { value } = parseJson(text);
  if (value === null) return [];
  if (!Array.isArray(value)) throw mismatch(value, 'value', `[]${goPackage}.Toleration`);
  return (value as readonly JsonValue[]).map((item) => readToleration(item, goPackage));
}

function readToleration(item: JsonValue, goPackage: GoPackage): JsonObject {
  if (item === null) return {};
  if (!isJsonObject(item)) throw mismatch(item, 'value', `${goPackage}.Toleration`);
  const toleration: JsonObject = {};
  for (const [given, value] of Object.entries(item)) {
    const field = fields.get(given.toLowerCase());
    if (!field || value === null) continue;
    const [name, type] = field;
    if (!isOfType(value, type)) throw mismatch(value, fieldIn(goPackage, name), qualifiedType(goPackage, type));
    toleration[name] = value;
  }
  return toleration;
}

/** Fields of internal types have no names in JSON. */
function fieldIn(goPackage: GoPackage, name: string): string {
  const shown = goPackage === 'core' ? `${name.slice(0, 1).toUpperCase()}${name.slice(1)}` : name;
  return `struct field Toleration.${shown}`;
}

/** Types of Go itself begin with a small letter. */
function qualifiedType(goPackage: GoPackage, type: string): string {
  return /^[a-z]/.test(type) ? type : `${goPackage}.${type}`;
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
