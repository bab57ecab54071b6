import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  WebhookConversion,
} from '../../gen/stored/apiextensions-v1.ts';
import { typedConversion } from '../../resources/built-in.ts';
import {
  type BetaConversion,
  type BetaSpec,
  partsAsSent,
  partsOfVersions,
  withBetaColumns,
  type SpecParts,
  type VersionParts,
} from './spec-parts.ts';
import { sameValue } from '../../meta/read-field.ts';
import { validateDns1035Label } from '../../meta/validate-name.ts';
import type { StrategyContext } from '../../registry/definition/strategy.ts';
import { allErrors, errorsOfEach, noErrors } from '../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, required } from '../../status/field-error.ts';
import { checkString } from '../../resources/rules/fields/field-checks.ts';
import { rulesOfV1beta1 } from './schema-rules.ts';
import { checkSpecParts } from './version-parts.ts';

/**
 * All errors of a v1beta1 definition that are about its fields at the top of the spec, which v1
 * does not have, or about the parts that may be there.
 */
function validateV1beta1(spec: BetaSpec, context: StrategyContext): readonly FieldError[] {
  const parts = partsAsSent(spec);
  const prunes = spec.preserveUnknownFields === false;
  return allErrors(
    prunes ? prunedErrors(parts) : noErrors,
    repetitionErrors(parts),
    nameErrors(spec.version || parts.versions[0]?.name || '', parts),
    checkSpecParts(parts, rulesOfV1beta1(parts, prunes, context.identifiers)),
  );
}

/** A definition that prunes unknown fields must have schemas in all versions that it serves. */
function prunedErrors({ top, versions }: SpecParts): readonly FieldError[] {
  if (hasSchema(top)) return noErrors;
  return errorsOfEach(versions, (version, index) =>
    version.served && !hasSchema(version)
      ? [required(`spec.versions[${index}].schema.openAPIV3Schema`, 'because otherwise all fields are pruned')]
      : noErrors,
  );
}

function hasSchema({ schema }: VersionParts): boolean {
  return schema?.openAPIV3Schema !== undefined;
}

/** Each part with its name at the top and the plural for messages. */
const shownParts = [
  ['schema', 'validation', 'schemas'],
  ['subresources', 'subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns', 'additionalPrinterColumns'],
] as const;

/** Each part is either at the top or in versions, and not the same in all versions. */
function repetitionErrors({ top, versions }: SpecParts): readonly FieldError[] {
  return allErrors(
    errorsOfEach(shownParts, ([name, atTop, plural]) =>
      hasPart(top, name) && versions.some((version) => hasPart(version, name))
        ? [forbidden(`spec.${atTop}`, `top-level and per-version ${plural} are mutually exclusive`)]
        : noErrors,
    ),
    errorsOfEach(shownParts, ([name, atTop, plural]) => {
      const [first] = versions;
      const isRepeated = versions.every((one) => hasPart(one, name) && sameValue(one[name], first?.[name]));
      const why = `per-version ${plural} may not all be set to identical values (top-level ${atTop} should be used instead)`;
      return first && isRepeated ? [invalid('spec.versions', [...versions], why)] : noErrors;
    }),
  );
}

/** Columns are a list, which is none if it is empty. */
function hasPart(part: VersionParts, name: keyof VersionParts): boolean {
  const value = part[name];
  return Array.isArray(value) ? value.length > 0 : value !== undefined;
}

/** Checks `spec.version`: it is the name of the first version. */
function nameErrors(version: string, { versions }: SpecParts): readonly FieldError[] {
  const isOther = version !== '' && versions.length > 0 && version !== versions[0]?.name;
  return allErrors(
    version === '' ? noErrors : checkString('spec.version', version, validateDns1035Label),
    isOther ? [invalid('spec.version', version, 'must match the first version in spec.versions')] : noErrors,
  );
}

/**
 * The conversion of CustomResourceDefinitions (spec 9.3). v1beta1 has fields at the top of the spec
 * that v1 has for each version, a single `spec.version`, and other shapes of columns and of the
 * conversion webhook.
 */
export const definitionConversion = typedConversion<
  { readonly spec: BetaSpec },
  Pick<CustomResourceDefinition, 'spec'>
>({
  toStorage: ({ spec, ...crd }) => {
    const { top, versions } = partsAsSent(spec);
    const { group, names, scope, preserveUnknownFields, conversion } = spec;
    return {
      ...crd,
      spec: {
        group,
        names,
        scope: scope ?? 'Namespaced',
        // v1beta1 keeps unknown fields by default.
        preserveUnknownFields: preserveUnknownFields ?? true,
        // Parts at the top apply to each version that does not have them.
        versions: versions.map((one) => ({ ...top, ...one })),
        conversion: conversionToStorage(conversion ?? { strategy: 'None' }),
      },
    };
  },
  fromStorage: ({ spec: { versions: listed, conversion, ...spec }, ...crd }) => {
    const { top, versions } = partsOfVersions(listed ?? []);
    const { schema, ...others } = withBetaColumns(top);
    const [first] = versions;
    return {
      ...crd,
      spec: {
        ...spec,
        preserveUnknownFields: spec.preserveUnknownFields ?? false,
        ...(first ? { version: first.name } : {}),
        ...(schema ? { validation: schema } : {}),
        ...others,
        versions: versions.map(withBetaColumns),
        conversion: conversionFromStorage(conversion),
      },
    };
  },
  validate: ({ spec }, context) => validateV1beta1(spec, context),
});

/** A webhook without `conversionReviewVersions` receives reviews of v1beta1. */
function conversionToStorage({
  webhookClientConfig,
  conversionReviewVersions: reviews = [],
  ...conversion
}: BetaConversion): CustomResourceConversion {
  const isWebhook = conversion.strategy === 'Webhook';
  if (!webhookClientConfig && reviews.length === 0 && !isWebhook) return conversion;
  const webhook: WebhookConversion = {
    ...(webhookClientConfig ? { clientConfig: webhookClientConfig } : {}),
    conversionReviewVersions: reviews.length > 0 ? reviews : isWebhook ? ['v1beta1'] : null,
  };
  return { ...conversion, webhook };
}

function conversionFromStorage({ webhook, ...conversion }: CustomResourceConversion): BetaConversion {
  const { clientConfig, conversionReviewVersions: reviews } = webhook ?? {};
  return {
    ...conversion,
    ...(clientConfig ? { webhookClientConfig: clientConfig } : {}),
    ...(reviews ? { conversionReviewVersions: reviews } : {}),
  };
}
