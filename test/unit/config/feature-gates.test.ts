import assert from 'node:assert/strict';
import type { ApiRelease } from '../../../src/scheme/api-release.ts';
import { featureGateError, featuresOf } from '../../../src/config/feature-gates.ts';

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
    [['constructor=true'], /unrecognized feature gate: constructor/],
  ];
  for (const [settings, fault] of faults) {
    it(`are refused: ${settings.join(',')}`, () => {
      assert.match(featureGateError(options(settings)) ?? '', fault);
      assert.throws(() => featuresOf(options(settings)), fault);
    });
  }

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
