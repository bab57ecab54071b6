import { getOwn, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { Conversion } from '../../registry/definition/resource-definition.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import { namesOfParts, partsAsSent, partsOfVersions, withColumns } from './spec-parts.ts';
import { validateV1beta1 } from './validate-v1beta1.ts';

/**
 * The conversions of CustomResourceDefinitions (spec 9.3). v1beta1 has fields at the top of the
 * spec that v1 has for each version, a single `spec.version`, and other shapes of columns and of
 * the conversion webhook.
 */
export const definitionConversions = {
  'apiextensions/v1beta1': { toStorage, fromStorage, validate: validateV1beta1 },
} satisfies Readonly<Record<string, Conversion>>;

/** The fields of a v1beta1 spec that v1 has in versions. */
const onlyAtTop: ReadonlySet<string> = new Set(['version', ...namesOfParts.map(([, atTop]) => atTop)]);

function toStorage(crd: JsonObject): JsonObject {
  const { conversion, ...sent } = objectAt(crd, 'spec');
  const { top, versions } = partsAsSent(sent);
  const spec = Object.fromEntries(Object.entries(sent).filter(([name]) => !onlyAtTop.has(name)));
  return {
    ...crd,
    spec: {
      ...spec,
      scope: spec['scope'] ?? 'Namespaced',
      // v1beta1 keeps unknown fields by default.
      preserveUnknownFields: spec['preserveUnknownFields'] ?? true,
      // Parts at the top apply to each version that does not have them.
      versions: versions.map((one) => ({ ...top, ...one })),
      ...(conversion === undefined ? {} : { conversion: conversionToStorage(objectAt({ conversion }, 'conversion')) }),
    },
  };
}

function fromStorage(crd: JsonObject): JsonObject {
  const { versions: _versions, conversion, ...spec } = objectAt(crd, 'spec');
  const { top, versions } = partsOfVersions(objectAt(crd, 'spec'));
  const [first] = versions;
  const columns = withColumns(top, 'jsonPath', 'JSONPath');
  return {
    ...crd,
    spec: {
      ...spec,
      preserveUnknownFields: spec['preserveUnknownFields'] ?? false,
      ...(first ? { version: stringAt(first, 'name') } : {}),
      ...Object.fromEntries(
        namesOfParts.flatMap(([name, atTop]) => {
          const value = getOwn(columns, name);
          return value === undefined ? [] : [[atTop, value] as const];
        }),
      ),
      versions: versions.map((one) => withColumns(one, 'jsonPath', 'JSONPath')),
      ...(conversion === undefined
        ? {}
        : { conversion: conversionFromStorage(objectAt({ conversion }, 'conversion')) }),
    },
  };
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
