import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { EventLog } from '../../../src/storage/cache/event-log.ts';
import { ResourceEvent } from '../../../src/storage/cache/resource-event.ts';
import { cachedObject } from '../../../src/storage/objects/resource-reading.ts';
import { encodeStoredObject } from '../../../src/storage/objects/stored-object.ts';
import { pod, podKey } from './fixture.ts';

const generous = { historyMs: 1e9, bytes: 1e9, events: 1e6 };

/** A deletion: a lease that ends takes many keys at one revision. */
function deletion(name: string, revision: number): ResourceEvent {
  const key = podKey('default', name);
  const value = encodeStoredObject(pod('default', name));
  const previous = cachedObject({ key, value, revision: 1 }, { namespace: 'default', name });
  return new ResourceEvent({ key, revision, atMs: revision, current: undefined, previous });
}

const linesOf = (events: Iterable<ResourceEvent>): string[] =>
  Array.from(events, ({ name, revision }) => `${name}@${revision}`);

describe('the event log', () => {
  it('forgets whole revisions, whichever bound is met in the middle of one', () => {
    const revisions = fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(revisions, fc.nat({ max: 20 }), (sizes, events) => {
        const log = new EventLog(1, { ...generous, events });
        const all = sizes.flatMap((size, i) => Array.from({ length: size }, (_, j) => deletion(`p${i}-${j}`, 10 + i)));
        for (const event of all) log.append(event, 0);
        assert.deepEqual(linesOf(log.events()), linesOf(all.filter(({ revision }) => revision > log.start)));
        assert.ok(log.size <= events);
      }),
    );
  });

  it('repeats nothing when what it forgot is put before it again', () => {
    const log = new EventLog(1, { ...generous, events: 4 });
    const all = [deletion('a', 2), ...['b', 'c', 'd'].map((name) => deletion(name, 3)), deletion('e', 4)];
    for (const event of all) log.append(event, 0);
    log.append(deletion('f', 5), 0);
    const wider = new EventLog(log.start, generous);
    for (const event of log.events()) wider.append(event, 0);
    const older = all.filter(({ revision }) => revision <= 4);
    assert.ok(wider.prepend(1, older));
    assert.deepEqual(linesOf(wider.between(1)), linesOf([...all, deletion('f', 5)]));
  });
});
