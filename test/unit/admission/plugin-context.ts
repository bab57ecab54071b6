import assert from 'node:assert/strict';
import type { PluginContext } from '../../../src/admission/admission.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';

/** The dependencies of a plugin. One that a test does not give must not be used. */
export function pluginContext(given: Partial<PluginContext>): PluginContext {
  const unused = () => assert.fail('the test gives no such dependency');
  const emulated = { release: '1.21', forwardCompatible: false, isFeatureEnabled: unused } as const;
  return { identifiers: identifiersOf('cluster'), listerOf: unused, decide: unused, emulated, ...given };
}
