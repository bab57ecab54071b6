import { equalValues } from '../../scheme/model/equal-values.ts';
import type {
  CustomResourceDefinitionVersion,
  CustomResourceSubresourceScale,
  SelectableField as Declared,
} from '../../gen/stored/apiextensions-v1.ts';
import { getOwn, type JsonObject, isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { Strategy, SubresourceStrategy } from '../../registry/definition/strategy.ts';
import type { StatusSubject } from '../../status/status-error.ts';
import { keepMetadata } from '../../resources/rules/fields/keep-metadata.ts';
import { embeddedObjectErrors } from './embedded-objects.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { allErrors, noErrors } from '../../status/all-errors.ts';
import { customScale, fieldsOfPath, scaleErrors, statusScaleErrors } from './custom-scale.ts';

/** The strategy of a version of a custom resource, as the definition declares it. */
export function customStrategy(
  subject: StatusSubject,
  declared: CustomResourceDefinitionVersion,
  schema: () => ObjectSchema,
): Strategy {
  const { scale, status } = declared.subresources ?? {};
  const hasStatus = status !== undefined;
  const subresources: Record<string, SubresourceStrategy> = {
    ...(hasStatus ? { status: { ...keepMetadata(), ...(scale ? validateStatusOf(scale) : {}) } } : {}),
    ...(scale ? { scale: customScale(scale, subject) } : {}),
  };
  return {
    plainFinalizers: true,
    generation: true,
    // Without the sub-resource, the status is a field like others.
    raisesGeneration: (object, old) => differs(object, old, hasStatus ? ['metadata', 'status'] : ['metadata']),
    allowUnconditionalUpdate: false,
    validate: (object) => {
      const { structural } = schema();
      const embedded = structural ? embeddedObjectErrors(structural, object) : noErrors;
      return scale ? allErrors(scaleErrors(scale, object), embedded) : embedded;
    },
    ...customFields(declared),
    subresources,
  };
}

/** The validation of a status write, which checks only the status. */
function validateStatusOf(scale: CustomResourceSubresourceScale): Pick<SubresourceStrategy, 'validateUpdate'> {
  return { validateUpdate: (object) => statusScaleErrors(scale, object) };
}

/**
 * Reports whether two objects differ in other fields than these. A missing field, null and an empty
 * list are three values, unlike in built-in kinds.
 */
function differs(object: JsonObject, old: JsonObject, ignored: readonly string[]): boolean {
  const names = [...Object.keys(object), ...Object.keys(old)];
  return names.some((name) => !ignored.includes(name) && !equalValues(getOwn(object, name), getOwn(old, name)));
}

/** A field that selectors may name, by its path in objects. */
interface SelectableField {
  readonly name: string;
  readonly path: readonly string[];
}

/** The selectable fields of a version of a custom resource (`selectableFields`). */
function customFields({
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

/** The text of a string, a number or a boolean; '' for everything else. */
function textAt(object: JsonObject, path: readonly string[]): string {
  const value = path.reduce<JsonValue | undefined>(
    (part, name) => (part !== undefined && isJsonObject(part) ? getOwn(part, name) : undefined),
    object,
  );
  return value === undefined || value === null || typeof value === 'object' ? '' : String(value);
}
