import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { annotationsOf } from '../../../meta/object-meta.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import { required } from '../../../status/field-error.ts';
import { keepingParts } from '../../rules/versions/kept-parts.ts';

/** The annotation with the fields that v1beta1 lacks, used while v1beta1 is stored. */
function annotationName({ apiDomain }: Identifiers): string {
  return `storagemigration.${apiDomain}/v1alpha1-spec`;
}

/** The conversion of v1alpha1, which has a version in the resource, and conditions of its own. */
export const firstMigrations: Conversion = keepingParts(
  {
    toStorage(migration, identifiers) {
      const { resource, continueToken } = objectAt(migration, 'spec');
      const { version, ...named } = isJsonObject(resource) ? resource : {};
      const extra = {
        ...(version === undefined ? {} : { version }),
        ...(continueToken === undefined ? {} : { continueToken }),
      };
      const converted = {
        ...migration,
        spec: { resource: { group: '', resource: '', ...named } },
        ...withConditions(migration, ({ lastUpdateTime = null, reason = '', message = '', ...rest }) => ({
          ...rest,
          lastTransitionTime: lastUpdateTime,
          reason,
          message,
        })),
      };
      return Object.keys(extra).length > 0 ? annotated(converted, identifiers, JSON.stringify(extra)) : converted;
    },
    fromStorage(migration, identifiers) {
      const { version, continueToken } = extraOf(migration, identifiers);
      const { group, resource } = objectAt(migration, 'spec', 'resource');
      return {
        ...annotated(migration, identifiers, undefined),
        spec: {
          resource: {
            ...(group ? { group } : {}),
            ...(version === undefined ? {} : { version }),
            ...(resource === undefined ? {} : { resource }),
          },
          ...(continueToken === undefined ? {} : { continueToken }),
        },
        ...withConditions(migration, ({ lastTransitionTime = null, observedGeneration: _generation, ...rest }) => ({
          ...rest,
          lastUpdateTime: lastTransitionTime,
        })),
      };
    },
    validate: (migration) =>
      stringAt(objectAt(migration, 'spec', 'resource'), 'version') === ''
        ? [required('spec.resource.version', 'version is required')]
        : [],
  },
  'storagemigration',
  'api.storagemigration.v1beta1.StorageVersionMigration',
);

function withConditions(migration: JsonObject, convert: (condition: JsonObject) => JsonObject): JsonObject {
  const status = objectAt(migration, 'status');
  const { conditions } = status;
  if (!Array.isArray(conditions)) return { status };
  const converted: JsonValue[] = conditions.map((one) => (isJsonObject(one) ? convert(one) : one));
  return { status: { ...status, conditions: converted } };
}

function annotated(migration: JsonObject, identifiers: Identifiers, text: string | undefined): JsonObject {
  const { annotations: _annotations, ...metadata } = objectAt(migration, 'metadata');
  const name = annotationName(identifiers);
  const { [name]: _old, ...others } = annotationsOf(migration);
  const annotations = text === undefined ? others : { ...others, [name]: text };
  return {
    ...migration,
    metadata: Object.keys(annotations).length > 0 ? { ...metadata, annotations } : metadata,
  };
}

function extraOf(migration: JsonObject, identifiers: Identifiers): JsonObject {
  const text = annotationsOf(migration)[annotationName(identifiers)];
  if (text === undefined) return {};
  try {
    const parsed = JSON.parse(text) as JsonValue;
    return isJsonObject(parsed) ? parsed : {};
  } catch {
    // A client wrote the annotation, and it is invalid: there is no version.
    return {};
  }
}
