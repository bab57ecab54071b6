import type { LeaseCandidate, LeaseCandidateSpec } from '../../../gen/stored/coordination-v1beta1.ts';
import type { ObjectMeta } from '../../../gen/stored/meta-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { setOwn } from '../../../meta/json-value.ts';
import { typedConversion } from '../../built-in.ts';

/** A candidate in v1alpha1, which has several strategies in the order of preference. */
interface AlphaCandidate {
  readonly metadata: ObjectMeta;
  readonly spec: Omit<LeaseCandidateSpec, 'strategy' | 'binaryVersion'> & {
    readonly binaryVersion?: string;
    readonly preferredStrategies?: readonly string[] | null;
  };
}

/**
 * The annotation with all strategies, as JSON, if they are not a single one: later versions have
 * one.
 */
function allStrategies({ apiDomain }: Identifiers): string {
  return `coordination.${apiDomain}/preferred-strategies`;
}

/** The conversion of candidates in v1alpha1. */
export const candidateConversion = typedConversion<AlphaCandidate, Omit<LeaseCandidate, 'apiVersion' | 'kind'>>({
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

/** The strategies in the annotation; undefined if somebody else wrote it. */
function readStrategies(text: string): readonly string[] | undefined {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) && list.every((item) => typeof item === 'string') ? list : undefined;
  } catch {
    return undefined;
  }
}
