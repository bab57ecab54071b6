import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/resource-definition.ts';
import { isSet, objectAt, objectsAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { invalidObject } from '../../../status/status-error.ts';

/**
 * The conversions of CustomResourceDefinitions (spec 9.3). v1beta1 has fields at the top of the
 * spec that v1 has for each version, a single `spec.version`, and other shapes of columns and of
 * the conversion webhook.
 */
export const definitionConversions = {
  'apiextensions/v1beta1': { toStorage, fromStorage },
} satisfies Readonly<Record<string, Conversion>>;

function toStorage(crd: JsonObject, { apiDomain }: Identifiers): JsonObject {
  const errors = contradictions(objectAt(crd, 'spec'));
  if (errors.length > 0) {
    const subject = { group: `apiextensions.${apiDomain}`, resource: 'CustomResourceDefinition' };
    throw invalidObject(subject, stringAt(objectAt(crd, 'metadata'), 'name'), errors);
  }
  const { version, validation, subresources, additionalPrinterColumns, conversion, ...spec } = objectAt(crd, 'spec');
  const listed = objectsAt(spec, 'versions');
  const named = version === undefined || version === '' ? [] : [{ name: version, served: true, storage: true }];
  const versions = listed.length > 0 ? listed : named;
  // Fields at the top apply to each version that does not set them.
  const common: JsonObject = {
    ...(validation === undefined ? {} : { schema: validation }),
    ...(subresources === undefined ? {} : { subresources }),
    ...(additionalPrinterColumns === undefined ? {} : { additionalPrinterColumns }),
  };
  return {
    ...crd,
    spec: {
      ...spec,
      scope: spec['scope'] ?? 'Namespaced',
      // v1beta1 keeps unknown fields by default.
      preserveUnknownFields: spec['preserveUnknownFields'] ?? true,
      versions: versions.map((one) => withColumns({ ...common, ...one }, 'JSONPath', 'jsonPath')),
      ...(conversion === undefined ? {} : { conversion: conversionToStorage(objectAt({ conversion }, 'conversion')) }),
    },
  };
}

/**
 * Fields that are either at the top of the spec or in each version: the name at the top, the name
 * in a version, and the plural for messages.
 */
const saidOnce = [
  ['validation', 'schema', 'schemas'],
  ['subresources', 'subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns', 'additionalPrinterColumns'],
] as const;

/**
 * Errors of a v1beta1 spec whose top contradicts its versions. v1 has no such fields, so they must
 * be found before the conversion.
 */
function contradictions(spec: JsonObject): readonly FieldError[] {
  const versions = objectsAt(spec, 'versions');
  const [first] = versions;
  const version = stringAt(spec, 'version');
  const other = first !== undefined && version !== '' && version !== stringAt(first, 'name');
  return [
    ...(other ? [invalid('spec.version', version, 'must match the first version in spec.versions')] : []),
    ...saidOnce
      .filter(([top, inner]) => isSet(spec, top) && versions.some((one) => isSet(one, inner)))
      .map(([top, , shown]) => forbidden(`spec.${top}`, `top-level and per-version ${shown} are mutually exclusive`)),
  ];
}

function fromStorage(crd: JsonObject): JsonObject {
  const { versions: _versions, conversion, ...spec } = objectAt(crd, 'spec');
  const versions = objectsAt(objectAt(crd, 'spec'), 'versions').map((one) => withColumns(one, 'jsonPath', 'JSONPath'));
  const [first] = versions;
  const common = first && versions.every((one) => perVersion.every((name) => sameValue(one[name], first[name])));
  return {
    ...crd,
    spec: {
      ...spec,
      preserveUnknownFields: spec['preserveUnknownFields'] ?? false,
      ...(first ? { version: stringAt(first, 'name') } : {}),
      ...(common ? topLevel(first) : {}),
      versions: common ? versions.map(withoutCommon) : versions,
      ...(conversion === undefined
        ? {}
        : { conversion: conversionFromStorage(objectAt({ conversion }, 'conversion')) }),
    },
  };
}

/** Fields that v1beta1 requires at the top if they are equal in all versions. */
const perVersion = ['schema', 'subresources', 'additionalPrinterColumns'];

function topLevel({ schema, subresources, additionalPrinterColumns }: JsonObject): JsonObject {
  return {
    ...(schema === undefined ? {} : { validation: schema }),
    ...(subresources === undefined ? {} : { subresources }),
    ...(additionalPrinterColumns === undefined ? {} : { additionalPrinterColumns }),
  };
}

function withoutCommon(version: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(version).filter(([name]) => !perVersion.includes(name)));
}

function withColumns(version: JsonObject, from: string, to: string): JsonObject {
  if (!isSet(version, 'additionalPrinterColumns')) return version;
  const columns = objectsAt(version, 'additionalPrinterColumns').map((column) =>
    Object.fromEntries(Object.entries(column).map(([name, value]) => [name === from ? to : name, value])),
  );
  return { ...version, additionalPrinterColumns: columns };
}

function conversionToStorage({ webhookClientConfig, conversionReviewVersions, ...conversion }: JsonObject): JsonObject {
  const isPlain = webhookClientConfig === undefined && conversionReviewVersions === undefined;
  if (isPlain && conversion['strategy'] !== 'Webhook') return conversion;
  return {
    ...conversion,
    webhook: {
      ...(webhookClientConfig === undefined ? {} : { clientConfig: webhookClientConfig }),
      ...reviewVersionsOf(conversion, conversionReviewVersions),
    },
  };
}

/** A webhook without `conversionReviewVersions` receives reviews of v1beta1. */
function reviewVersionsOf(conversion: JsonObject, versions: JsonValue | undefined): JsonObject {
  const isNone = versions === undefined || (Array.isArray(versions) && versions.length === 0);
  if (!isNone) return { conversionReviewVersions: versions };
  return conversion['strategy'] === 'Webhook' ? { conversionReviewVersions: ['v1beta1'] } : {};
}

function conversionFromStorage({ webhook, ...conversion }: JsonObject): JsonObject {
  const inner = objectAt({ webhook: webhook ?? null }, 'webhook');
  const client = getOwn(inner, 'clientConfig');
  const versions = getOwn(inner, 'conversionReviewVersions');
  return {
    ...conversion,
    ...(client === undefined ? {} : { webhookClientConfig: client }),
    ...(versions === undefined ? {} : { conversionReviewVersions: versions }),
  };
}
