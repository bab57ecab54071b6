import { equalValues } from '../../apply/equal-values.ts';
import type { CustomResourceDefinitionVersion } from '../../gen/stored/apiextensions-v1.ts';
import { getOwn, type JsonObject } from '../../meta/json-value.ts';
import type { Strategy, SubresourceStrategy } from '../../registry/definition/strategy.ts';
import type { StatusSubject } from '../../status/status-error.ts';
import { keepMetadata } from '../../resources/rules/fields/keep-metadata.ts';
import { customFields } from './custom-fields.ts';
import { embeddedObjectErrors } from './embedded-objects.ts';
import type { ObjectSchema } from '../../scheme/model/schema.ts';
import { allErrors, noErrors } from '../../status/all-errors.ts';
import { customScale, scaleErrors } from './custom-scale.ts';

/** The strategy of a version of a custom resource, as the definition declares it. */
export function customStrategy(
  subject: StatusSubject,
  declared: CustomResourceDefinitionVersion,
  schema: () => ObjectSchema,
): Strategy {
  const { scale, status } = declared.subresources ?? {};
  const hasStatus = status !== undefined;
  const subresources: Record<string, SubresourceStrategy> = {
    ...(hasStatus ? { status: keepMetadata() } : {}),
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
      return scale ? allErrors(embedded, scaleErrors(scale, object)) : embedded;
    },
    ...customFields(declared),
    subresources,
  };
}

/**
 * Reports whether two objects differ in other fields than these. A missing field, null and an empty
 * list are three values, unlike in built-in kinds.
 */
function differs(object: JsonObject, old: JsonObject, ignored: readonly string[]): boolean {
  const names = [...Object.keys(object), ...Object.keys(old)];
  return names.some((name) => !ignored.includes(name) && !equalValues(getOwn(object, name), getOwn(old, name)));
}
