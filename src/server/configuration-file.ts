import { parseDocument } from 'yaml';
import { isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { stringAt } from '../meta/read-field.ts';
import { type FieldError, forbidden } from '../status/field-error.ts';

/** The kind of a configuration file and its versions, which have the same fields. */
interface ConfigurationKind {
  readonly kind: string;
  /** The full API group. */
  readonly group: string;
  readonly versions: readonly string[];
}

/** Parses a configuration file in YAML or JSON. Throws an Error if it is not one of the kind. */
export function parseConfiguration(text: string, { kind, group, versions }: ConfigurationKind): JsonObject {
  const document = parseDocument(text);
  const [broken] = document.errors;
  if (broken) throw new Error(`not valid YAML: ${broken.message.split('\n')[0]}`);
  const content: JsonValue = document.toJS({ maxAliasCount: 0 });
  const known = versions.map((version) => `${group}/${version}`);
  if (isJsonObject(content) && known.includes(stringAt(content, 'apiVersion')) && stringAt(content, 'kind') === kind) {
    return content;
  }
  throw new Error(`kind ${kind} of ${known.join(', ')} was expected`);
}

/** An error for each field of an object that is not known. `at` is the path of the object. */
export function unknownFields(at: string, object: JsonObject, known: readonly string[]): FieldError[] {
  const prefix = at === '' ? '' : `${at}.`;
  return Object.keys(object)
    .filter((name) => !known.includes(name))
    .map((name) => forbidden(`${prefix}${name}`, 'unknown field'));
}
