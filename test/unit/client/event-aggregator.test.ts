import assert from 'node:assert/strict';
import { EventAggregator } from '../../../src/client/events/event-aggregator.ts';

const occurrence = { object: 'pod a', type: 'Warning', reason: 'Failed', message: 'no image' };

describe('the aggregation of Events', () => {
  it('counts equal occurrences in one Event', () => {
    const aggregator = new EventAggregator();
    const [one, again] = [aggregator.count(occurrence, 0), aggregator.count(occurrence, 1)];
    assert.equal(one?.key, again?.key);
    assert.notEqual(aggregator.count({ ...occurrence, reason: 'Other' }, 2)?.key, one?.key);
    assert.notEqual(aggregator.count({ ...occurrence, object: 'pod b' }, 3)?.key, one?.key);
  });

  it('combines occurrences that differ only in their message from the tenth on, for ten minutes', () => {
    const aggregator = new EventAggregator();
    const count = (message: string, nowMs: number) => aggregator.count({ ...occurrence, message }, nowMs);
    const first = Array.from({ length: 9 }, (_, index) => count(`try ${index}`, index)?.message);
    assert.equal(first[8], 'try 8');
    const combined = count('try 9', 9);
    assert.equal(combined?.message, '(combined from similar events): try 9');
    assert.equal(count('try 10', 10)?.key, combined?.key);
    assert.equal(count('try 3', 12)?.message, 'try 3');
    assert.equal(count('try 12', 12 + 600_000)?.message, 'try 12');
  });

  it('drops the Events of an object that has too many', () => {
    const aggregator = new EventAggregator();
    const counted = Array.from({ length: 30 }, (_, nowMs) => aggregator.count(occurrence, nowMs));
    assert.equal(counted.filter((each) => each !== undefined).length, 25);
    assert.ok(aggregator.count({ ...occurrence, object: 'pod b' }, 30));
    assert.equal(aggregator.count(occurrence, 299_000), undefined);
    assert.ok(aggregator.count(occurrence, 301_000));
  });
});
