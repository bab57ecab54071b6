import type { Column } from '../../../codec/table-definition.ts';
import type { LeaseCandidate, LeaseCandidateSpec } from '../../../gen/stored/coordination-v1beta1.ts';
import { validateConfigKey } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { builtIn, typedConversion } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { compareSemvers, readSemver } from '../../../cel/functions/semvers.ts';
import { type FieldError, invalid, required } from '../../../status/field-error.ts';
import { checkStrategy, oldestEmulationVersion } from '../lease-strategy.ts';
import type { ObjectMeta } from '../../../gen/stored/meta-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { setOwn } from '../../../meta/json-value.ts';

/** A candidate in v1alpha1, which has a list of strategies in order of preference. */
interface AlphaCandidate {
  readonly metadata: ObjectMeta;
  readonly spec: Omit<LeaseCandidateSpec, 'strategy' | 'binaryVersion'> & {
    readonly binaryVersion?: string;
    readonly preferredStrategies?: readonly string[] | null;
  };
}

/**
 * The annotation that stores the strategies as JSON if they are not exactly one, because later
 * versions have a single one.
 */
function allStrategies({ apiDomain }: Identifiers): string {
  return `coordination.${apiDomain}/preferred-strategies`;
}

/** The conversion of candidates in v1alpha1. */
const candidateConversion = typedConversion<AlphaCandidate, Omit<LeaseCandidate, 'apiVersion' | 'kind'>>({
  toStorage: ({ metadata, spec: { preferredStrategies, binaryVersion = '', ...spec }, ...candidate }, identifiers) => {
    const strategies = preferredStrategies ?? [];
    const [strategy = ''] = strategies;
    const annotations = { ...metadata.annotations };
    const isOne = strategies.length === 0 || (strategies.length === 1 && strategy !== '');
    if (!isOne) setOwn(annotations, allStrategies(identifiers), JSON.stringify(strategies));
    return {
      ...candidate,
      metadata: isOne ? metadata : { ...metadata, annotations },
      spec: { ...spec, binaryVersion, ...(strategy === '' ? {} : { strategy }) },
    };
  },
  fromStorage: ({ metadata, spec: { strategy, ...spec }, ...candidate }, identifiers) => {
    const { [allStrategies(identifiers)]: all, ...annotations } = metadata.annotations ?? {};
    const kept = all === undefined ? undefined : readStrategies(all);
    return {
      ...candidate,
      metadata: kept ? { ...metadata, annotations } : metadata,
      spec: { ...spec, preferredStrategies: kept ?? (strategy === undefined ? [] : [strategy]) },
    };
  },
});

/** Parses the annotation; undefined if it is invalid. */
function readStrategies(text: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}

/** The strategy of LeaseCandidates. */
const candidateStrategy: Strategy<LeaseCandidate> = {
  validateName: validateConfigKey,
  validate: validateCandidate,
  validateUpdate: ({ spec }, old) => checkImmutable('spec.leaseName', spec.leaseName, old.spec.leaseName),
  allowCreateOnUpdate: true,
  allowUnconditionalUpdate: false,
};

/** The columns of LeaseCandidates. */
const columns: readonly Column<LeaseCandidate>[] = [
  nameColumn,
  textColumn('LeaseName', 'Lease that the candidate wants.', ({ spec }) => spec.leaseName),
  textColumn('BinaryVersion', 'Version of the program.', ({ spec }) => spec.binaryVersion),
  textColumn('EmulationVersion', 'Version that the program behaves as.', ({ spec }) => spec.emulationVersion ?? ''),
  ageColumn,
];

/** The resource `leasecandidates` of the group `coordination`. */
export const leaseCandidates = builtIn<LeaseCandidate>({
  group: 'coordination',
  resource: 'leasecandidates',
  kind: 'LeaseCandidate',
  namespaced: true,
  versions: {
    v1beta1: { introduced: '1.33', optIn: true, deprecated: { since: '1.36', removed: '1.39' } },
    v1alpha2: { introduced: '1.32', deprecated: { since: '1.35', removed: '1.38' } },
    v1alpha1: {
      introduced: '1.31',
      deprecated: { since: '1.34', removed: '1.32' },
      conversion: candidateConversion,
    },
  },
  columns,
  strategy: candidateStrategy,
});

/** All errors of a candidate. Its versions must be semantic versions. */
function validateCandidate({ spec }: LeaseCandidate): readonly FieldError[] {
  const { binaryVersion, emulationVersion = '', strategy = '' } = spec;
  const emulated = readSemver(emulationVersion);
  const binary = readSemver(binaryVersion);
  const notSemver = 'must be a valid semantic version';
  const emulationField = 'spec.emulationVersion';
  const binaryField = 'spec.binaryVersion';
  // An unreadable version counts as the lowest one.
  const isBelow = emulated !== undefined && (binary === undefined || compareSemvers(binary, emulated) < 0);
  const isUnset = emulated === undefined || isZero(emulationVersion);
  return [
    ...(emulationVersion !== '' && !emulated ? [invalid(emulationField, emulationVersion, notSemver)] : []),
    ...(binaryVersion === '' ? [required(binaryField)] : []),
    ...(binaryVersion !== '' && !binary ? [invalid(binaryField, binaryVersion, notSemver)] : []),
    ...(binaryVersion !== '' && isBelow
      ? [invalid(binaryField, binaryVersion, 'must be greater than or equal to `emulationVersion`')]
      : []),
    ...(strategy === oldestEmulationVersion && isUnset
      ? [required(emulationField, "must be specified when `strategy` is 'OldestEmulationVersion'")]
      : []),
    ...(strategy === '' ? [required('spec.strategy')] : checkStrategy('spec.strategy', strategy)),
  ];
}

function isZero(version: string): boolean {
  return /^0\.0\.0(?:\+|$)/.test(version);
}
