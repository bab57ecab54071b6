import type { Pod, PodAffinityTerm } from '../../../gen/stored/core-v1.ts';
import type { LabelSelector } from '../../../gen/stored/meta-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';

/** True if `matchLabelKeys` of topology spread constraints are merged into their selectors. */
export function mergesSpreadKeys({ isFeatureEnabled }: EmulatedRelease): boolean {
  return ['MatchLabelKeysInPodTopologySpread', 'MatchLabelKeysInPodTopologySpreadSelectorMerge'].every(
    isFeatureEnabled,
  );
}

/**
 * Adds requirements for labels of a new pod to the selectors of its affinity terms and spread
 * constraints: the pod's values for `matchLabelKeys`, and other values for `mismatchLabelKeys`.
 * Mutates.
 */
export function mergeLabelKeys({ metadata: { labels = {} }, spec }: Pod, emulated: EmulatedRelease): void {
  if (emulated.isFeatureEnabled('MatchLabelKeysInPodAffinity')) {
    for (const { labelSelector, matchLabelKeys, mismatchLabelKeys } of affinityTerms(spec)) {
      add(labelSelector, matchLabelKeys, 'In', labels);
      add(labelSelector, mismatchLabelKeys, 'NotIn', labels);
    }
  }
  if (!mergesSpreadKeys(emulated)) return;
  for (const { labelSelector, matchLabelKeys } of spec.topologySpreadConstraints ?? []) {
    add(labelSelector, matchLabelKeys, 'In', labels);
  }
}

function affinityTerms({ affinity }: Pod['spec']): readonly PodAffinityTerm[] {
  return [affinity?.podAffinity, affinity?.podAntiAffinity].flatMap((rules) => [
    ...(rules?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map(({ podAffinityTerm }) => podAffinityTerm),
    ...(rules?.requiredDuringSchedulingIgnoredDuringExecution ?? []),
  ]);
}

function add(
  selector: LabelSelector | undefined,
  keys: readonly string[] = [],
  operator: 'In' | 'NotIn',
  labels: Readonly<Record<string, string>>,
): void {
  // A missing selector matches nothing and stays missing.
  if (!selector) return;
  for (const key of keys) {
    const value = getOwn(labels, key);
    if (value !== undefined) (selector.matchExpressions ??= []).push({ key, operator, values: [value] });
  }
}
