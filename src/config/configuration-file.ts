import type { YAMLParseError } from 'yaml';
import { yamlLibrary } from '../codec/yaml-library.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { stringAt } from '../meta/read-field.ts';
import { type FieldError, forbidden, invalidType } from '../status/field-error.ts';

/** The kind of a configuration file. */
interface ConfigurationKind {
  readonly kind: string;
  /** The group versions of the kind, which have the same fields. */
  readonly apiVersions: readonly string[];
  /** True if errors must not quote the file. */
  readonly isSecret?: boolean;
}

/** Parses a configuration file in YAML or JSON. Throws an Error if it is not one of the kind. */
export function parseConfiguration(
  text: string,
  { kind, apiVersions, isSecret = false }: ConfigurationKind,
): JsonObject {
  const content = parseYaml(text, isSecret);
  if (
    isJsonObject(content) &&
    apiVersions.includes(stringAt(content, 'apiVersion')) &&
    stringAt(content, 'kind') === kind
  ) {
    return content;
  }
  throw new Error(`kind ${kind} of ${apiVersions.join(', ')} was expected`);
}

/** Parses a configuration file of any kind or none. Throws an Error if it holds no object. */
export function parseConfigurationObject(text: string): JsonObject {
  const content = parseYaml(text);
  if (isJsonObject(content)) return content;
  throw new Error('an object was expected');
}

function parseYaml(text: string, isSecret = false): JsonValue {
  const document = yamlLibrary().parseDocument(text);
  const [broken] = document.errors;
  if (broken) throw new Error(`not valid YAML: ${isSecret ? codeAndPlace(broken) : broken.message.split('\n')[0]}`);
  return document.toJS({ maxAliasCount: 0 });
}

/** The code and the position of a parse error, without the message, which may quote the file. */
function codeAndPlace({ code, linePos }: YAMLParseError): string {
  const place = linePos?.[0];
  return place ? `${code} at line ${place.line}, column ${place.col}` : code;
}

/** An error for each field of an object that is not known. `at` is the path of the object. */
export function unknownFields(at: string, object: JsonObject, known: readonly string[]): FieldError[] {
  const prefix = at === '' ? '' : `${at}.`;
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => forbidden(`${prefix}${name}`, 'unknown field'));
}

/** The types of the values in a configuration file. `null` is valid for each and means absent. */
export type ConfigurationShape =
  | 'string'
  | 'boolean'
  | { readonly list: ConfigurationShape }
  | { readonly fields: Readonly<Record<string, ConfigurationShape>> };

/** The errors of unknown fields and wrong types. `at` is the path of the value. */
export function shapeErrors(at: string, value: JsonValue, shape: ConfigurationShape): FieldError[] {
  if (value === null) return [];
  if (typeof shape === 'string') return typeof value === shape ? [] : [invalidType(at, value, `must be a ${shape}`)];
  if ('list' in shape) {
    if (!Array.isArray(value)) return [invalidType(at, value, 'must be a list')];
    return value.flatMap((item, index) => itemErrors(`${at}[${index}]`, item, shape.list));
  }
  return isJsonObject(value) ? fieldErrors(at, value, shape.fields) : [invalidType(at, value, 'must be an object')];
}

/** The errors of a list item. `null` is refused: the item and its rule would be lost silently. */
function itemErrors(at: string, item: JsonValue, shape: ConfigurationShape): FieldError[] {
  return item === null ? [invalidType(at, item, 'must not be null')] : shapeErrors(at, item, shape);
}

function fieldErrors(
  at: string,
  object: JsonObject,
  fields: Readonly<Record<string, ConfigurationShape>>,
): FieldError[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const path = at === '' ? name : `${at}.${name}`;
    const shape = Object.hasOwn(fields, name) ? fields[name] : undefined;
    if (shape === undefined) return [forbidden(path, 'unknown field')];
    return value === undefined ? [] : shapeErrors(path, value, shape);
  });
}
