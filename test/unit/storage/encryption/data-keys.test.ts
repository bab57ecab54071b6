import assert from 'node:assert/strict';
import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises';
import { DataKeys } from '../../../../src/storage/encryption/kms/data-keys.ts';
import { StorageError } from '../../../../src/storage/port/storage-error.ts';
import { until } from '../../../http/until.ts';

const keysOf = (options: Partial<ConstructorParameters<typeof DataKeys>[0]> = {}): DataKeys =>
  new DataKeys({ most: 1_000, onMiss: () => {}, onRecovered: () => {}, check: () => Promise.resolve(), ...options });

const names = Array.from({ length: 200 }, (_, index) => `key-${index}`);

describe('keys of values that a plugin decrypts', () => {
  it('are decrypted a few at a time, so that a slow plugin answers each in time', async () => {
    const keys = keysOf();
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

  it('fail together while the plugin is down, and are retried later', async () => {
    const keys = keysOf();
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

  describe('of which one fails without a reason while the plugin works for others', () => {
    const times = { failures: 3, failingMs: 10, againMs: 20 };
    const down = (): Promise<never> => Promise.reject(new StorageError('Unavailable', 'Unknown: it is old'));
    const codeOf = (error: unknown): string => (error instanceof StorageError ? error.code : String(error));
    /** The outcomes of reads until one that is no passing failure. */
    const failuresOf = async (keys: DataKeys, name: string, ask: () => Promise<Buffer>): Promise<string[]> => {
      const found: string[] = [];
      for (let last = 'Unavailable'; last === 'Unavailable'; found.push(last)) {
        await sleep(4);
        last = await (async () => keys.get(name, ask))().then(String, codeOf);
        if (found.length > 500) break;
      }
      return found;
    };

    it('are unreadable after some tries, and others at once then; they come back when the plugin decrypts them', async () => {
      let [recovered, isBack] = [0, false];
      const keys = keysOf({ times, onRecovered: () => recovered++ });
      const ask = async (): Promise<Buffer> => (isBack ? Buffer.from('key') : await down());
      const outcomes = await failuresOf(keys, 'old', ask);
      assert.ok(outcomes.length >= 3, String(outcomes));
      assert.match(outcomes.at(-1) ?? '', /DecryptionError: Unknown: it is old; it fails for this key alone/);
      assert.equal((await failuresOf(keys, 'as old', ask)).length, 1);
      assert.equal(recovered, 0);
      isBack = true;
      await until('the keys', () => recovered > 0);
      assert.deepEqual(
        keys.get('old', () => assert.fail('it is cached')),
        Buffer.from('key'),
      );
      keys.close();
    });

    it('are asked for once more before they are refused with others, as a timeout may have failed them', async () => {
      const keys = keysOf({ times });
      await failuresOf(keys, 'old', down);
      let calls = 0;
      const late = async (): Promise<Buffer> => (++calls === 1 ? await down() : Buffer.from('key'));
      assert.deepEqual(await keys.get('slow', late), Buffer.from('key'));
      keys.close();
    });

    it('are waited for while the plugin does not work at all', async () => {
      let checks = 0;
      const check = async (): Promise<void> => {
        if (++checks < 3) throw new Error('it is down');
      };
      const keys = keysOf({ times, check });
      const outcomes = await failuresOf(keys, 'old', down);
      keys.close();
      assert.equal(checks, 3);
      assert.ok(outcomes.length >= 9, `${outcomes.length} reads`);
    });
  });
});
