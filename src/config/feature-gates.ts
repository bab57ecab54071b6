import { type ApiRelease, isSince, newestRelease } from '../scheme/api-release.ts';
import { featureGateDependencies } from './feature-gate-dependencies.ts';
import { featureGateEffects } from './feature-gate-effects.ts';
import { type FeatureGateState, featureGateNames, featureGateState, type FeatureStage } from './feature-gate-state.ts';

/** The feature gates of a server. */
interface Features {
  /** True if a feature is on: by its setting, else by its default in the emulated release. */
  readonly isEnabled: (gate: string) => boolean;
  /** Notes about settings that are deprecated or have no effect. */
  readonly warnings: readonly string[];
}

/** The options that decide about features. */
interface FeatureOptions {
  /** The settings: `<gate>=true|false`. */
  readonly featureGates: readonly string[];
  readonly emulatedRelease: ApiRelease;
  /** True if features of later releases have the state of the newest release. */
  readonly emulationForwardCompatible: boolean;
}

/** Settings that stand for all features of a stage that have no setting of their own. */
const stageGates: Readonly<Record<string, FeatureStage>> = { AllAlpha: 'alpha', AllBeta: 'beta' };

/** The first release that checks the dependencies of features. */
const dependenciesSince = '1.35';

/** Reads the settings of feature gates. Throws RangeError with the `featureGateError`, if any. */
export function featuresOf(options: FeatureOptions): Features {
  const problem = featureGateError(options);
  if (problem !== undefined) throw new RangeError(problem);
  const settings = new Map(options.featureGates.map(splitSetting));
  return {
    isEnabled: (name) => isEnabled(name, settings, options),
    warnings: [...settings].flatMap(([name, value]) => warningsOf(name, value, options)),
  };
}

function isEnabled(name: string, settings: ReadonlyMap<string, string>, options: FeatureOptions): boolean {
  const state = featureGateState(name, options.emulatedRelease) ?? laterState(name, options);
  if (state === undefined || state.isRemoved) return state?.isOn ?? false;
  const group = Object.keys(stageGates).find((key) => stageGates[key] === state.stage);
  const set = settings.get(name) ?? (group === undefined ? undefined : settings.get(group));
  return set === undefined ? state.isOn : set === 'true';
}

/** The state of a gate of a later release with forward compatibility. */
function laterState(name: string, { emulationForwardCompatible }: FeatureOptions): FeatureGateState | undefined {
  return emulationForwardCompatible ? featureGateState(name, newestRelease) : undefined;
}

/** The reasons why settings of feature gates are refused; undefined if there are none. */
export function featureGateError(options: FeatureOptions): string | undefined {
  const pairs = options.featureGates.map(splitSetting);
  const problems = pairs.flatMap(([name, value], index) => {
    if (pairs.findIndex(([other]) => other === name) < index) return [`${name} is given more than once`];
    const setting = options.featureGates[index] ?? '';
    if (value !== 'true' && value !== 'false') return [`${JSON.stringify(setting)}: use <gate>=true or <gate>=false`];
    if (Object.hasOwn(stageGates, name)) return [];
    const state = featureGateState(name, options.emulatedRelease);
    if (state === undefined || state.isRemoved) return [unknownGate(name, state, options)];
    if (!state.isLocked || value === String(state.isOn)) return [];
    return [`cannot set feature gate ${name} to ${value}, feature is locked to ${state.isOn}`];
  });
  const all = problems.length === 0 ? dependencyErrors(new Map(pairs), options) : problems;
  return all.length === 0 ? undefined : `--feature-gates: ${all.join('; ')}`;
}

function unknownGate(name: string, state: FeatureGateState | undefined, { emulatedRelease }: FeatureOptions): string {
  const isLater = featureGateState(name, newestRelease) !== undefined;
  const earlier = state ? ` (removed in ${state.since}, and the emulated release is ${emulatedRelease})` : '';
  const later = isLater ? ` (later than the emulated release ${emulatedRelease})` : '';
  return `unrecognized feature gate: ${name}${earlier || later}`;
}

/** The messages about features that are on although a dependency is off. */
function dependencyErrors(settings: ReadonlyMap<string, string>, options: FeatureOptions): readonly string[] {
  const { emulatedRelease: release } = options;
  if (settings.size === 0 || !isSince(release, dependenciesSince)) return [];
  const isKnown = (gate: string): boolean => featureGateState(gate, release)?.isRemoved === false;
  return Object.entries(featureGateDependencies).flatMap(([gate, needs]) => {
    if (!isKnown(gate) || !isEnabled(gate, settings, options)) return [];
    const off = needs.flatMap((need) => {
      const [name = '', since = dependenciesSince] = need.split('@');
      return isSince(release, since) && isKnown(name) && !isEnabled(name, settings, options) ? [name] : [];
    });
    return off.length === 0
      ? []
      : [`${gate} is enabled, but depends on features that are disabled: [${off.join(' ')}]`];
  });
}

function splitSetting(setting: string): readonly [name: string, value: string] {
  const equals = setting.indexOf('=');
  return equals < 0 ? [setting, ''] : [setting.slice(0, equals), setting.slice(equals + 1)];
}

function warningsOf(name: string, value: string, { emulatedRelease }: FeatureOptions): string[] {
  const setting = `feature gate ${name}=${value}`;
  const stage = featureGateState(name, emulatedRelease)?.stage;
  const effect = Object.entries(featureGateEffects).find(([gate]) => gate === name)?.[1];
  const isMissing = effect === undefined && stage !== undefined;
  return [
    ...(stage === 'ga' ? [`setting GA ${setting}; it will be removed in a future release`] : []),
    ...(stage === 'deprecated' ? [`setting deprecated ${setting}; it will be removed in a future release`] : []),
    ...(effect === 'always' && value === 'false' ? [`${setting} has no effect: the feature is always on`] : []),
    ...(isMissing && value === 'true' ? [`${setting} has no effect: this server lacks the feature`] : []),
  ];
}

/** A feature gate of the emulated release. */
interface ReleaseFeature {
  readonly name: string;
  readonly stage: FeatureStage;
  readonly isOn: boolean;
}

/** The feature gates of the emulated release, with `AllAlpha` and `AllBeta`. */
export function featuresOfRelease(options: FeatureOptions): readonly ReleaseFeature[] {
  const settings = new Map(options.featureGates.map(splitSetting));
  const ofStages = Object.entries(stageGates).map(([name, stage]) => {
    return { name, stage, isOn: settings.get(name) === 'true' };
  });
  const ofFeatures = featureGateNames().flatMap((name) => {
    const state = featureGateState(name, options.emulatedRelease);
    if (state === undefined || state.isRemoved) return [];
    return [{ name, stage: state.stage, isOn: isEnabled(name, settings, options) }];
  });
  return [...ofStages, ...ofFeatures];
}
