import type { PriorityLevelConfiguration, PriorityLevelConfigurationSpec } from '../../../gen/stored/flowcontrol-v1.ts';
import type { ObjectMeta } from '../../../gen/stored/meta-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { setOwn } from '../../../meta/json-value.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import { typedConversion } from '../../built-in.ts';
import { sharesField } from '../default-priority-levels.ts';

type Limited = NonNullable<PriorityLevelConfigurationSpec['limited']>;
type SharesField = ReturnType<typeof sharesField>;

/** A level in a beta version, in which missing shares equal 0 shares. */
interface BetaLevel {
  readonly metadata: ObjectMeta;
  readonly spec: Omit<PriorityLevelConfigurationSpec, 'limited'> & { readonly limited?: BetaLimited };
  readonly status: PriorityLevelConfiguration['status'];
}

type BetaLimited = Omit<Limited, 'nominalConcurrencyShares'> & { readonly [Name in SharesField]?: number };

/**
 * The annotation that preserves a share of 0 in beta versions, where 0 otherwise means a missing
 * share. Objects in v1 never have it.
 */
export function zeroSharesAnnotation({ apiDomain }: Identifiers): string {
  return `flowcontrol.${apiDomain}/v1beta3-preserve-zero-concurrency-shares`;
}

/** The conversion of priority levels in a beta version. */
export function levelConversion(version: string): Conversion {
  const field = sharesField(version);
  return typedConversion<BetaLevel, PriorityLevelConfiguration>({
    toStorage: ({ metadata, spec, ...level }, identifiers) => {
      const { [zeroSharesAnnotation(identifiers)]: keepsZero, ...annotations } = metadata.annotations ?? {};
      return {
        ...level,
        metadata: keepsZero === undefined ? metadata : { ...metadata, annotations },
        spec: { ...spec, ...(spec.limited ? { limited: stored(spec.limited, field, keepsZero !== undefined) } : {}) },
      } as PriorityLevelConfiguration;
    },
    fromStorage: ({ metadata, spec, ...level }, identifiers) => {
      const { limited, ...others } = spec;
      if (!limited) return { ...level, metadata, spec: others };
      const shown = { ...others, limited: beta(limited, field) };
      if (limited.nominalConcurrencyShares !== 0) return { ...level, metadata, spec: shown };
      const annotations = { ...metadata.annotations };
      setOwn(annotations, zeroSharesAnnotation(identifiers), '');
      return { ...level, metadata: { ...metadata, annotations }, spec: shown };
    },
  });
}

function stored(limited: BetaLimited, field: SharesField, keepsZero: boolean): Partial<Limited> {
  const { assuredConcurrencyShares, nominalConcurrencyShares, ...others } = limited;
  const shares = (field === 'assuredConcurrencyShares' ? assuredConcurrencyShares : nominalConcurrencyShares) ?? 0;
  return shares === 0 && !keepsZero ? others : { nominalConcurrencyShares: shares, ...others };
}

function beta({ nominalConcurrencyShares, ...others }: Limited, field: SharesField): BetaLimited {
  return { [field]: nominalConcurrencyShares, ...others };
}
