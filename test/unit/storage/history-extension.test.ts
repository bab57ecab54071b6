import assert from 'node:assert/strict';
import { EventLog } from '../../../src/storage/cache/event-log.ts';
import { HistoryExtension } from '../../../src/storage/cache/history-extension.ts';
import { ResourceEvent } from '../../../src/storage/cache/resource-event.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { pod, podKey } from './fixture.ts';

function deletion(name: string, revision: number): ResourceEvent {
  const key = podKey('default', name);
  const value = encodeStoredObject(pod('default', name));
  const previous = cachedObject({ key, value, revision: 1 }, { namespace: 'default', name });
  return new ResourceEvent({ key, revision, atMs: revision, current: undefined, previous });
}

describe('the extension of an event log', () => {
  it('leaves no gap where the log forgets changes while the reading ends', async () => {
    const history = [deletion('a', 5), deletion('b', 10), deletion('c', 12), deletion('d', 13)];
    const log = new EventLog(10, { historyMs: 1e9, bytes: 1e9, events: 1e6 });
    for (const event of history) if (event.revision > log.start) log.append(event, 0);
    const forgetOnce = [() => log.trim(0, 12)];
    const extension = new HistoryExtension(log, async (afterRevision, take) => {
      const wanted = history.filter(({ revision }) => revision > afterRevision);
      wanted.find((event) => !take({ revision: event.revision, events: [event] }));
      forgetOnce.pop()?.();
    });
    assert.ok(await extension.reaches(4, new AbortController().signal));
    const known = log.between(4).map(({ revision }) => revision);
    assert.deepEqual(known, [5, 10, 12, 13]);
  });

  it('gives up where a reading ends before it has begun', async () => {
    const log = new EventLog(10, { historyMs: 1e9, bytes: 1e9, events: 1e6 });
    const extension = new HistoryExtension(log, async () => undefined);
    assert.equal(await extension.reaches(4, new AbortController().signal), false);
    assert.equal(log.start, 10);
  });
});
