import { type ApiRelease, minorOf } from '../scheme/api-release.ts';
import { featureGateHistory } from './feature-gate-history.ts';

/** The stage of a feature. */
export type FeatureStage = 'alpha' | 'beta' | 'ga' | 'deprecated';

/** A feature gate in a release. */
export interface FeatureGateState {
  /** The stage; the last stage of a removed gate. */
  readonly stage: FeatureStage;
  /** The default. For a removed gate the last default, which cannot be changed any more. */
  readonly isOn: boolean;
  /** True if the gate cannot be changed from its default. */
  readonly isLocked: boolean;
  /** True if the release no longer knows the gate. */
  readonly isRemoved: boolean;
  /** The release of the last change, such as `1.24`. */
  readonly since: string;
}

const stages: Readonly<Record<string, FeatureStage>> = { a: 'alpha', b: 'beta', g: 'ga', d: 'deprecated' };

const defaults: Readonly<Record<FeatureStage, boolean>> = { alpha: false, beta: true, ga: true, deprecated: false };

/** The names of all feature gates. */
export function featureGateNames(): readonly string[] {
  return featureGateHistory.match(/^\w+/gm) ?? [];
}

/** The state of a feature gate in a release; undefined if the gate is later or unknown. */
export function featureGateState(name: string, release: ApiRelease): FeatureGateState | undefined {
  return featureGateChanges(name).findLast(({ since }) => minorOf(since) <= minorOf(release));
}

/** The changes of a feature gate over the releases, the oldest first; empty for an unknown gate. */
export function featureGateChanges(name: string): readonly FeatureGateState[] {
  const start = featureGateHistory.indexOf(`\n${name} `);
  if (start < 0) return [];
  const line = featureGateHistory.slice(start + 1, featureGateHistory.indexOf('\n', start + 1));
  const changes: FeatureGateState[] = [];
  for (const text of line.split(' ').slice(1)) changes.push(readChange(text, changes.at(-1)));
  return changes;
}

function readChange(text: string, last: FeatureGateState | undefined): FeatureGateState {
  const since = `1.${Number.parseInt(text.slice(1), 10)}`;
  const stage = stages[text.charAt(0)];
  if (stage === undefined) return { stage: 'ga', isOn: true, isLocked: true, ...last, isRemoved: true, since };
  const isUsual = !/[+-]/.test(text);
  return {
    stage,
    isOn: isUsual ? defaults[stage] : text.includes('+'),
    isLocked: text.endsWith('!'),
    isRemoved: false,
    since,
  };
}
