import type {
  CustomResourceDefinitionVersion,
  SelectableField as Declared,
} from '../../gen/stored/apiextensions-v1.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { Strategy } from '../../registry/definition/strategy.ts';

/** A field that selectors may name, by its path in objects. */
interface SelectableField {
  readonly name: string;
  readonly path: readonly string[];
}

/** The selectable fields of a version of a custom resource (`selectableFields`). */
export function customFields({
  selectableFields: declared = [],
}: CustomResourceDefinitionVersion): Required<Pick<Strategy, 'selectableFields' | 'fieldsOf'>> {
  const fields = declared.map(fieldOf);
  return {
    selectableFields: fields.map(({ name }) => name),
    fieldsOf: (object) => Object.fromEntries(fields.map(({ name, path }) => [name, textAt(object, path)])),
  };
}

function fieldOf({ jsonPath }: Declared): SelectableField {
  const path = fieldsOfPath(jsonPath);
  return { name: path.join('.'), path };
}

/** The names in a path such as `.spec.color`. */
export function fieldsOfPath(jsonPath: string): readonly string[] {
  return jsonPath.split('.').filter((name) => name !== '');
}

/** The text of a string, a number or a boolean; '' for everything else. */
function textAt(object: JsonObject, path: readonly string[]): string {
  const value = path.reduce<JsonValue | undefined>(
    (part, name) => (part !== undefined && isJsonObject(part) ? getOwn(part, name) : undefined),
    object,
  );
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
