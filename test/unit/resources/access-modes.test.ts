import assert from 'node:assert/strict';
import { checkAccessModes } from '../../../src/resources/rules/fields/access-modes.ts';
import { newestEmulated, type EmulatedRelease } from '../../../src/scheme/emulated-release.ts';
import { summarize } from './context.ts';

const plain: EmulatedRelease = { release: '1.23', forwardCompatible: false, isFeatureEnabled: () => false };
const gated: EmulatedRelease = { ...plain, isFeatureEnabled: (gate) => gate === 'ReadWriteOncePod' };
/** The release has the mode for good, and its gate no more. */
const later: EmulatedRelease = { ...plain, release: '1.36' };

describe('access modes of volumes', () => {
  const check = (given: string[], emulated: EmulatedRelease, old: string[] = []) =>
    summarize(checkAccessModes('modes', given, emulated, old));

  it('include ReadWriteOncePod with its gate, or since 1.29', () => {
    assert.deepEqual(check(['ReadWriteOncePod'], plain), ['modes: NotSupported']);
    for (const emulated of [gated, later, newestEmulated]) assert.deepEqual(check(['ReadWriteOncePod'], emulated), []);
  });

  it('keep ReadWriteOncePod of a stored volume', () =>
    assert.deepEqual(check(['ReadWriteOncePod'], plain, ['ReadWriteOncePod']), []));

  it('do not combine ReadWriteOncePod with others', () =>
    assert.deepEqual(check(['ReadWriteOncePod', 'ReadOnlyMany'], later), ['modes: Forbidden']));
});
