import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { DataKeys } from '../../../../src/storage/encryption/kms/data-keys.ts';
import { StorageError } from '../../../../src/storage/port/storage-error.ts';

const names = Array.from({ length: 200 }, (_, index) => `key-${index}`);

describe('keys of values that a plugin decrypts', () => {
  it('are asked for a few at a time, so that a slow plugin answers each in time', async () => {
    const keys = new DataKeys(1_000, () => {});
    let running = 0;
    let most = 0;
    const found = await Promise.all(
      names.map(async (name) =>
        keys.get(name, async () => {
          most = Math.max(most, ++running);
          await turn();
          running--;
          return Buffer.from(name);
        }),
      ),
    );
    assert.deepEqual(found.map(String), names);
    assert.ok(most <= 10, `${most} at a time`);
  });

  it('are not asked for one after the other while the plugin is down, and are asked for again', async () => {
    const keys = new DataKeys(1_000, () => {});
    let asked = 0;
    const refuse = async (): Promise<Buffer> => {
      asked++;
      await turn();
      throw new StorageError('Unavailable', 'the plugin is down');
    };
    const outcomes = await Promise.allSettled(names.map(async (name) => keys.get(name, refuse)));
    assert.ok(outcomes.every(({ status }) => status === 'rejected'));
    assert.ok(asked <= 10, `${asked} calls`);
    assert.deepEqual(await keys.get('key-0', () => Promise.resolve(Buffer.from('k'))), Buffer.from('k'));
  });
});
