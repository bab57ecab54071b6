import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import type { InformerFactory } from '../../../src/client/informers/informer-factory.ts';
import { StatusError } from '../../../src/client/error-of-response.ts';
import { until } from '../../http/until.ts';
import { followOptional } from '../../../src/nodes/collections/optional-collection.ts';

const volumes = { group: '', version: 'v1', resource: 'persistentvolumes' };
const backoff = { initialMs: 1, maximumMs: 1 };
const forbidden = new StatusError({ code: 403, reason: 'Forbidden', message: 'not yours' });
const unavailable = new StatusError({ code: 503, reason: 'ServiceUnavailable', message: 'later' });

/** Informers of a server whose list requests have these results, one after another. */
function informersOf(results: readonly (StatusError | undefined)[], synced = Promise.resolve()): InformerFactory {
  const waiting = results.values();
  const list = async (): Promise<void> => {
    const { value } = waiting.next();
    if (value) throw value;
  };
  const informer = { get: (name: string) => ({ metadata: { name } }), subscribe() {}, synced: () => synced };
  return { client: { resource: () => ({ list }) }, informer: () => informer } as unknown as InformerFactory;
}

describe('a collection that may be refused', () => {
  it('counts as empty, is reported once, and is read when the right was given', async () => {
    const refusals: unknown[] = [];
    let changes = 0;
    const options = {
      backoff,
      informers: informersOf([forbidden, forbidden, undefined]),
      onChange: () => changes++,
      onRefused: (error: unknown) => refusals.push(error),
    };
    const followed = followOptional(volumes, options, new AbortController().signal);
    assert.equal(followed.isKnown, false);
    await turn();
    assert.deepEqual([followed.isKnown, followed.get('a'), changes], [true, undefined, 1]);
    await until('the object', () => followed.get('a') !== undefined);
    assert.deepEqual([refusals, changes], [[forbidden], 2]);
  });

  it('is not known while the server fails for another reason', async () => {
    const refusals: unknown[] = [];
    const options = {
      backoff,
      informers: informersOf([unavailable], new Promise(() => {})),
      onChange: () => assert.fail('nothing is known'),
      onRefused: (error: unknown) => refusals.push(error),
    };
    const followed = followOptional(volumes, options, new AbortController().signal);
    await turn();
    assert.deepEqual([followed.isKnown, refusals], [false, []]);
  });
});
