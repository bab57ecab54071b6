import type {
  CustomResourceConversion,
  CustomResourceDefinition,
  WebhookConversion,
} from '../../gen/stored/apiextensions-v1.ts';
import { typedConversion } from '../../resources/built-in.ts';
import { type BetaConversion, type BetaSpec, partsAsSent, partsOfVersions, withBetaColumns } from './spec-parts.ts';
import { validateV1beta1 } from './validate-v1beta1.ts';

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
