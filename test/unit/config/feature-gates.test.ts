import assert from 'node:assert/strict';
import { builtInDefinitions } from '../../../src/catalogue/definitions.ts';
import { featureGateEffects } from '../../../src/config/feature-gate-effects.ts';
import { featureGateNames } from '../../../src/config/feature-gate-state.ts';
import { admissionPlugins } from '../../../src/admission/chain/create-chain.ts';
import { type MessageRow, messageRows } from '../../../src/gen/schema.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { type ApiRelease, apiReleases } from '../../../src/scheme/api-release.ts';
import { featureGateError, featuresOf, featuresOfRelease } from '../../../src/config/feature-gates.ts';

const options = (featureGates: readonly string[], emulatedRelease: ApiRelease = '1.23') => ({
  featureGates,
  emulatedRelease,
  emulationForwardCompatible: false,
});

describe('feature gates', () => {
  const states: readonly (readonly [release: ApiRelease, settings: string[], gate: string, on: boolean])[] = [
    ['1.22', [], 'EphemeralContainers', false],
    ['1.23', [], 'EphemeralContainers', true],
    ['1.25', [], 'EphemeralContainers', true],
    ['1.15', [], 'EphemeralContainers', false],
    ['1.22', ['EphemeralContainers=true'], 'EphemeralContainers', true],
    ['1.23', ['EphemeralContainers=false'], 'EphemeralContainers', false],
    ['1.22', ['AllAlpha=true'], 'EphemeralContainers', true],
    ['1.23', ['AllAlpha=true'], 'CSIStorageCapacity', true],
    ['1.23', ['AllBeta=false'], 'CSIStorageCapacity', false],
    ['1.23', ['AllBeta=false', 'CSIStorageCapacity=true'], 'CSIStorageCapacity', true],
    ['1.24', ['AllBeta=false'], 'CSIStorageCapacity', true],
    // A gate that was removed leaves its feature as it was.
    ['1.36', ['AllBeta=false'], 'CSIStorageCapacity', true],
    ['1.36', [], 'DRAControlPlaneController', false],
    // The default of a stage has exceptions.
    ['1.32', [], 'WatchList', true],
    ['1.33', [], 'WatchList', false],
    ['1.34', [], 'WatchList', true],
    ['1.28', [], 'KMSv1', true],
    ['1.29', [], 'KMSv1', false],
    ['1.36', [], 'ClusterTrustBundle', false],
    ['1.36', ['AllBeta=true'], 'ClusterTrustBundle', true],
  ];
  for (const [release, settings, gate, on] of states) {
    it(`${release} ${settings.join(',')}: ${gate} is ${on ? 'on' : 'off'}`, () => {
      assert.equal(featuresOf(options(settings, release)).isEnabled(gate), on);
    });
  }

  const faults: readonly (readonly [settings: string[], fault: RegExp])[] = [
    [['NoSuch=true'], /--feature-gates: unrecognized feature gate: NoSuch$/],
    [['APISelfSubjectReview=true'], /unrecognized feature gate: APISelfSubjectReview \(later than .* 1\.23\)/],
    [['ServerSideApply=false'], /cannot set feature gate ServerSideApply to false, feature is locked to true/],
    [['AllAlpha'], /"AllAlpha": use <gate>=true or <gate>=false/],
    [['AllAlpha=maybe'], /use <gate>=true or <gate>=false/],
    [['AllAlpha=true', 'AllAlpha=false'], /AllAlpha is given more than once/],
    [['RootCAConfigMap=true'], /gate: RootCAConfigMap \(removed in 1\.22, and the emulated release is 1\.23\)/],
    [['TopologyAwareHints=yes'], /"TopologyAwareHints=yes": use/],
    [['constructor=true'], /unrecognized feature gate: constructor/],
  ];
  for (const [settings, fault] of faults) {
    it(`are refused: ${settings.join(',')}`, () => {
      assert.match(featureGateError(options(settings)) ?? '', fault);
      assert.throws(() => featuresOf(options(settings)), fault);
    });
  }

  const needs: readonly (readonly [release: ApiRelease, settings: string[], fault: RegExp | undefined])[] = [
    ['1.34', ['ClusterTrustBundleProjection=true'], undefined],
    ['1.35', ['ClusterTrustBundleProjection=true'], /n is enabled, .* are disabled: \[ClusterTrustBundle\]$/],
    ['1.35', ['ClusterTrustBundleProjection=true', 'ClusterTrustBundle=true'], undefined],
    ['1.36', ['AllAlpha=true', 'AllBeta=true'], undefined],
  ];
  for (const [release, settings, fault] of needs) {
    it(`${release} ${settings.join(',')}: ${fault ? 'lacks what it needs' : 'has what it needs'}`, () => {
      const error = featureGateError(options(settings, release));
      if (fault) assert.match(error ?? '', fault);
      else assert.equal(error, undefined);
    });
  }

  it('have defaults in each release that satisfy their dependencies', () => {
    for (const release of apiReleases) {
      const features = featuresOfRelease(options([], release));
      assert.ok(features.length > 60, release);
      const odd = features.filter(({ stage, isOn }) => stage === 'alpha' && isOn).map(({ name }) => name);
      assert.deepEqual(
        odd.filter((name) => !/^(?:LegacyNodeRoleBehavior|WindowsHostNetwork)$/.test(name)),
        [],
        release,
      );
    }
  });

  it('have an effect, wherever a version, a field or a plugin needs one', () => {
    const known = new Set(featureGateNames());
    const rows = builtInDefinitions(identifiersOf('cluster')).flatMap(({ versions }) => versions);
    const gates = [
      ...rows.flatMap(({ lifecycle, subresources }) => [lifecycle, ...subresources.map((row) => row.lifecycle)]),
      ...Object.values(messageRows).flatMap((text) => (JSON.parse(text) as MessageRow).fields),
      ...admissionPlugins,
    ].flatMap((row) => row?.gate ?? []);
    const effects: Readonly<Record<string, string>> = featureGateEffects;
    assert.deepEqual(
      [...new Set(gates)].filter((gate) => !known.has(gate) || effects[gate] !== 'switch'),
      [],
    );
    assert.deepEqual(
      Object.keys(effects).filter((gate) => !known.has(gate)),
      [],
    );
  });

  const warnings: readonly (readonly [setting: string, warnings: readonly string[]])[] = [
    ['EphemeralContainers=false', []],
    ['APIListChunking=true', []],
    ['ServerSideApply=true', ['setting GA feature gate ServerSideApply=true; it will be removed in a future release']],
    [
      'StreamingProxyRedirects=false',
      ['setting deprecated feature gate StreamingProxyRedirects=false; it will be removed in a future release'],
    ],
    ['APIListChunking=false', []],
    ['RemainingItemCount=false', ['feature gate RemainingItemCount=false has no effect: the feature is always on']],
    ['HPAScaleToZero=true', ['feature gate HPAScaleToZero=true has no effect: this server lacks the feature']],
    // Rules of custom resources that are expressions are evaluated in any case.
    ['CustomResourceValidationExpressions=true', []],
  ];
  for (const [setting, expected] of warnings) {
    it(`${setting}: ${expected.length === 0 ? 'no warning' : 'warns'}`, () => {
      assert.deepEqual(featuresOf(options([setting])).warnings, expected);
    });
  }
});
