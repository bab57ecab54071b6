import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { Reloaded } from '../../../src/listen/reloaded.ts';
import { until } from '../../http/until.ts';

/** A value whose reads a test decides. */
function source(first: string) {
  const logged: string[] = [];
  const log = {
    info: (_: object, message: string) => void logged.push(message),
    warn: (_: object, message: string) => void logged.push(message),
  };
  const made = { logged, reads: 0, next: (): string => first };
  const read = async (): Promise<string> => {
    made.reads++;
    return made.next();
  };
  return Object.assign(made, { options: { what: 'the value', read, intervalMs: 2, log } });
}

describe('a value that is read again', () => {
  it('changes with its source, for readers and listeners', async () => {
    const files = source('a');
    const value = await Reloaded.open(files.options);
    const heard: string[] = [];
    value.onChange((changed) => heard.push(changed));
    value.watch();
    files.next = () => 'b';
    await until('the change', () => value.current === 'b');
    assert.deepEqual(heard, ['b']);
    assert.deepEqual(files.logged, ['the value has changed and is now in use']);
    value.close();
    const { reads } = files;
    files.next = () => 'c';
    await sleep(10 * files.options.intervalMs);
    assert.ok(files.reads <= reads + 1, 'closed');
    assert.equal(value.current, 'b');
  });

  it('stays what it was while its source is bad, and says why once for each reason', async () => {
    const files = source('a');
    const value = await Reloaded.open(files.options);
    value.watch();
    for (const reason of ['missing', 'half']) {
      const { reads } = files;
      files.next = () => {
        throw new Error(reason);
      };
      await until('several reads', () => files.reads > reads + 5);
    }
    assert.equal(value.current, 'a');
    assert.deepEqual(files.logged, Array(2).fill('the value cannot be read; the previous one remains in use'));
    files.next = () => 'b';
    await until('the change', () => value.current === 'b');
    value.close();
  });

  it('is not changed by content that does not stay', async () => {
    const files = source('a');
    const value = await Reloaded.open(files.options);
    const heard: string[] = [];
    value.onChange((changed) => heard.push(changed));
    value.watch();
    // Each read sees the file a little longer.
    files.next = () => 'b'.repeat(Math.min(files.reads, 10));
    await until('the end of the writing', () => value.current.length === 10);
    assert.deepEqual(heard, ['b'.repeat(10)]);
    value.close();
  });

  it('keeps the old one where a listener cannot use the new', async () => {
    const files = source('a');
    const value = await Reloaded.open(files.options);
    value.onChange(() => {
      throw new Error('unusable');
    });
    value.watch();
    files.next = () => 'b';
    await until('the log', () => files.logged.length > 0);
    assert.equal(value.current, 'a');
    assert.match(files.logged[0] ?? '', /cannot be used; the previous one remains in use$/);
    value.close();
  });

  it('is not there where the first read fails', async () => {
    const files = source('a');
    files.next = () => {
      throw new Error('missing');
    };
    await assert.rejects(Reloaded.open(files.options), { message: 'missing' });
  });
});
