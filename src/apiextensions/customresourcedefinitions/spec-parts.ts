import type {
  CustomResourceColumnDefinition,
  CustomResourceConversion,
  CustomResourceDefinitionSpec,
  CustomResourceDefinitionVersion,
  CustomResourceValidation,
  WebhookConversion,
} from '../../gen/stored/apiextensions-v1.ts';
import { sameValue } from '../../meta/read-field.ts';

/** The names of the parts in v1, each with its name at the top of the spec in v1beta1. */
export const namesOfParts = [
  ['schema', 'validation'],
  ['subresources', 'subresources'],
  ['additionalPrinterColumns', 'additionalPrinterColumns'],
  ['selectableFields', 'selectableFields'],
] as const;

/** The parts of a version, or of all of them. */
export type VersionParts = Pick<CustomResourceDefinitionVersion, (typeof namesOfParts)[number][0]>;

/**
 * The schema, sub-resources, columns and selectable fields of a definition, with the names of v1.
 * Each is either at the top, for all versions, or in versions. v1 has none at the top;
 * kube-apiserver moves the parts that are equal in all versions there before it validates them.
 */
export interface SpecParts {
  readonly top: VersionParts;
  readonly versions: readonly CustomResourceDefinitionVersion[];
}

/** The parts of the versions of a v1 spec. Parts that are equal in all versions are at the top. */
export function partsOfVersions(versions: readonly CustomResourceDefinitionVersion[]): SpecParts {
  const [first] = versions;
  const top: VersionParts = {};
  const rest = versions.map((version) => ({ ...version }));
  for (const [name] of namesOfParts) {
    const value = first?.[name];
    if (!versions.every((version) => sameValue(version[name], value))) continue;
    if (value !== undefined) Object.assign(top, { [name]: value });
    for (const version of rest) delete version[name];
  }
  return { top, versions: rest };
}

/** A column in v1beta1. */
type BetaColumn = Omit<CustomResourceColumnDefinition, 'jsonPath'> & { readonly JSONPath: string };
type WithBetaColumns<T> = Omit<T, 'additionalPrinterColumns'> & { readonly additionalPrinterColumns?: BetaColumn[] };

/** The conversion in v1beta1, with the fields of the webhook. */
export type BetaConversion = Omit<CustomResourceConversion, 'webhook'> & {
  readonly webhookClientConfig?: NonNullable<WebhookConversion['clientConfig']>;
  readonly conversionReviewVersions?: string[];
};

/** A spec in v1beta1: parts can be at its top, and it may have one version instead of a list. */
export interface BetaSpec
  extends WithBetaColumns<VersionParts>,
    Omit<CustomResourceDefinitionSpec, 'scope' | 'versions' | 'conversion'> {
  readonly scope?: CustomResourceDefinitionSpec['scope'];
  readonly version?: string;
  readonly validation?: CustomResourceValidation;
  readonly versions?: WithBetaColumns<CustomResourceDefinitionVersion>[];
  readonly conversion?: BetaConversion;
}

/**
 * The parts of a v1beta1 spec, each where it was sent. A spec without a list of versions has the
 * one named by `version`.
 */
export function partsAsSent(spec: BetaSpec): SpecParts {
  const { version: name, versions = [], validation, subresources, selectableFields } = spec;
  const only: NonNullable<BetaSpec['versions']> =
    name && versions.length === 0 ? [{ name, served: true, storage: true }] : [];
  return {
    top: {
      ...(validation ? { schema: validation } : {}),
      ...(subresources ? { subresources } : {}),
      ...columnsToStorage(spec),
      ...(selectableFields ? { selectableFields } : {}),
    },
    versions: [...versions, ...only].map(({ additionalPrinterColumns: columns, ...version }) => ({
      ...version,
      ...(columns ? columnsToStorage({ additionalPrinterColumns: columns }) : {}),
    })),
  };
}

function columnsToStorage({
  additionalPrinterColumns: columns,
}: WithBetaColumns<VersionParts>): Pick<VersionParts, 'additionalPrinterColumns'> {
  if (!columns) return {};
  return { additionalPrinterColumns: columns.map(({ JSONPath: jsonPath, ...column }) => ({ ...column, jsonPath })) };
}

/** Renames the path of each column to the field of v1beta1. Mutates nothing. */
export function withBetaColumns<T extends VersionParts>({
  additionalPrinterColumns: columns,
  ...part
}: T): WithBetaColumns<T> {
  if (!columns) return part;
  return {
    ...part,
    additionalPrinterColumns: columns.map(({ jsonPath: JSONPath, ...column }) => ({ ...column, JSONPath })),
  };
}

/** True if the status is a sub-resource of a version, or of all if the part is at the top. */
export function hasStatus({ subresources }: VersionParts): boolean {
  return subresources?.status !== undefined;
}
