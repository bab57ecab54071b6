import { type ApiRelease, isSince } from '../scheme/api-release.ts';
import { type FeatureGate, featureGates } from './gate-table.ts';

/** The feature gates of a server. */
interface Features {
  /** True if a feature is on: as set, or by the default of its stage. */
  readonly isEnabled: (gate: string) => boolean;
  /** Notes about settings that are deprecated or have no effect. */
  readonly warnings: readonly string[];
}

/** The options that decide about features. */
interface FeatureOptions {
  /** The settings: `<gate>=true|false`. */
  readonly featureGates: readonly string[];
  readonly emulatedRelease: ApiRelease;
  /** Later features than those of the release exist too, and are on. */
  readonly emulationForwardCompatible: boolean;
}

type Stage = 'alpha' | 'beta' | 'ga' | 'deprecated';

/** The stages from the last to the first. */
const stages = ['deprecated', 'ga', 'beta', 'alpha'] as const;

/** Alpha features are off by default, beta ones on; GA ones cannot be turned off (spec 9.2). */
const defaults: Readonly<Record<Stage, boolean>> = { alpha: false, beta: true, ga: true, deprecated: false };

/** Settings that stand for all features of a stage that have no setting of their own. */
const stageGates: Readonly<Record<string, Stage>> = { AllAlpha: 'alpha', AllBeta: 'beta' };

const gates: ReadonlyMap<string, FeatureGate> = new Map(Object.entries(featureGates));

/** Reads the settings of feature gates. Throws RangeError with the `featureGateFault`, if any. */
export function featuresOf(options: FeatureOptions): Features {
  const fault = featureGateFault(options);
  if (fault !== undefined) throw new RangeError(fault);
  const settings = new Map(options.featureGates.map(splitSetting));
  return {
    isEnabled: (name) => {
      const stage = stageOf(name, options);
      const group = Object.keys(stageGates).find((key) => stageGates[key] === stage);
      const set = settings.get(name) ?? (group === undefined ? undefined : settings.get(group));
      if (set !== undefined) return set === 'true';
      return stage === undefined ? options.emulationForwardCompatible : defaults[stage];
    },
    warnings: [...settings].flatMap(([name, value]) => warningsOf(name, value, stageOf(name, options))),
  };
}

/** The reasons why settings of feature gates are refused; undefined if there are none. */
export function featureGateFault(options: FeatureOptions): string | undefined {
  const faults = options.featureGates.flatMap((setting, index, all) => {
    const [name, value] = splitSetting(setting);
    const repeated = all.findIndex((other) => splitSetting(other)[0] === name) < index;
    if (repeated) return [`${name} is given more than once`];
    if (value !== 'true' && value !== 'false') return [`${JSON.stringify(setting)}: use <gate>=true or <gate>=false`];
    if (Object.hasOwn(stageGates, name)) return [];
    const stage = stageOf(name, options);
    if (stage === undefined) return [unknownGate(name, options)];
    if (stage !== 'ga' || value === 'true') return [];
    return [`cannot set feature gate ${name} to false, feature is locked to true`];
  });
  return faults.length === 0 ? undefined : `--feature-gates: ${faults.join('; ')}`;
}

function unknownGate(name: string, { emulatedRelease }: FeatureOptions): string {
  const isLater = gates.has(name);
  return `unrecognized feature gate: ${name}${isLater ? ` (later than the emulated release ${emulatedRelease})` : ''}`;
}

function splitSetting(setting: string): readonly [name: string, value: string] {
  const equals = setting.indexOf('=');
  return equals < 0 ? [setting, ''] : [setting.slice(0, equals), setting.slice(equals + 1)];
}

/** The stage of a feature in the emulated release; undefined if the release does not have it. */
function stageOf(name: string, { emulatedRelease }: FeatureOptions): Stage | undefined {
  const gate = gates.get(name);
  return stages.find((stage) => {
    const since = gate?.[stage];
    return since !== undefined && isSince(emulatedRelease, since);
  });
}

function warningsOf(name: string, value: string, stage: Stage | undefined): string[] {
  const setting = `feature gate ${name}=${value}`;
  const { effect } = gates.get(name) ?? {};
  return [
    ...(stage === 'ga' ? [`setting GA ${setting}; it will be removed in a future release`] : []),
    ...(stage === 'deprecated' ? [`setting deprecated ${setting}; it will be removed in a future release`] : []),
    ...(effect === 'always' && value === 'false' ? [`${setting} has no effect: the feature is always on`] : []),
    ...(effect === 'missing' && value === 'true' ? [`${setting} has no effect: this server lacks the feature`] : []),
  ];
}
