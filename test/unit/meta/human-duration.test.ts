import assert from 'node:assert/strict';
import { ageSince, humanDuration } from '../../../src/meta/human-duration.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
const year = 365 * day;

describe('A duration for people', () => {
  const expected: [number, string][] = [
    [-3 * second, '<invalid>'],
    [-2 * second, '<invalid>'],
    [-1999, '0s'],
    [0, '0s'],
    [999, '0s'],
    [2 * minute - 1, '119s'],
    [2 * minute, '2m'],
    [2 * minute + 5 * second, '2m5s'],
    [10 * minute - 1, '9m59s'],
    [10 * minute + 5 * second, '10m'],
    [3 * hour - 1, '179m'],
    [3 * hour, '3h'],
    [3 * hour + 4 * minute, '3h4m'],
    [8 * hour + 59 * minute, '8h'],
    [2 * day - 1, '47h'],
    [2 * day, '2d'],
    [2 * day + 3 * hour, '2d3h'],
    [8 * day + 23 * hour, '8d'],
    [2 * year - 1, '729d'],
    [2 * year, '2y'],
    [2 * year + 9 * day, '2y9d'],
    [8 * year + 9 * day, '8y'],
    [100 * year, '100y'],
  ];
  for (const [ms, text] of expected) {
    it(`of ${ms} ms is ${text}`, () => assert.equal(humanDuration(ms), text));
  }

  it('is counted from a timestamp, if there is one', () => {
    assert.equal(ageSince('2020-01-01T00:00:00Z', Date.parse('2020-01-01T00:00:42.5Z')), '42s');
    assert.equal(ageSince('', Date.now()), '<unknown>');
  });
});
