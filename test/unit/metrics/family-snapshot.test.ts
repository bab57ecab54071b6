import assert from 'node:assert/strict';
import { mergeSnapshots, snapshotOf } from '../../../src/metrics/family-snapshot.ts';
import { counterVector, gaugeVector, histogramVector } from '../../../src/metrics/metric-vector.ts';
import { textFormat } from '../../../src/metrics/exposition-format.ts';

/** A process with its metrics, as another one receives them. */
function processWith(count: number, objects: number): ReturnType<typeof snapshotOf>[] {
  const requests = counterVector({ name: 'requests_total', help: 'Requests.' }, ['verb']);
  requests.with('get').add(count);
  if (count > 1) requests.with('list').add(1);
  const stored = gaugeVector({ name: 'objects', help: 'Objects.', merge: 'largest' }, []);
  stored.with().value = objects;
  const times = histogramVector({ name: 'seconds', help: 'Time.' }, [], [1, 2]);
  times.with().observe(count);
  return structuredClone([requests, stored, times].map(snapshotOf));
}

describe('the metrics of several processes', () => {
  it('are added, or the largest one is taken', () => {
    const merged = mergeSnapshots([processWith(1, 7), processWith(2, 9)]);
    const text = merged.flatMap((family) => [...textFormat.encode(family)]).join('');
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    assert.deepEqual(lines, [
      'requests_total{verb="get"} 3',
      'requests_total{verb="list"} 1',
      'objects 9',
      'seconds_bucket{le="1"} 1',
      'seconds_bucket{le="2"} 2',
      'seconds_bucket{le="+Inf"} 2',
      'seconds_sum 3',
      'seconds_count 2',
    ]);
  });
});
