import assert from 'node:assert/strict';
import { formatValue } from '../../../src/dashboard/metrics/format-value.ts';
import { addValues, linesOf, type PanelHistory } from '../../../src/dashboard/metrics/panel-history.ts';
import { panels } from '../../../src/dashboard/metrics/panels.ts';
import { panelValues, type Scrape } from '../../../src/dashboard/metrics/panel-values.ts';
import { parseMetrics } from '../../../src/dashboard/metrics/parse-metrics.ts';
import { plotShape } from '../../../src/dashboard/metrics/plot-shape.ts';

const panelOf = (id: string) => {
  const found = panels.find((panel) => panel.id === id);
  assert.ok(found);
  return found;
};

/** A response with these lines, at a second. */
const scrape = (second: number, lines: readonly string[]): Scrape => {
  const names = new Set(lines.map((line) => line.replace(/[{ ].*/, '')));
  return { atMs: second * 1000, samples: parseMetrics(lines.join('\n'), names) };
};

describe('metrics of the dashboard', () => {
  it('reads wanted samples with escaped labels, special values and timestamps, and skips other lines', () => {
    const text = [
      '# TYPE a counter',
      'a{path="\\"x\\\\y\\n{}",code="200"} 12 1700000000000',
      'a 1e3',
      'a{le="+Inf",} +Inf',
      'a{broken 5',
      'a{b="c"} none',
      'ab{b="c"} 7',
      'b NaN',
    ].join('\n');
    const found = parseMetrics(text, new Set(['a', 'b']));
    assert.deepEqual(
      found.get('a')?.map(({ labels, value }) => [labels, value]),
      [
        [{ path: '"x\\y\n{}', code: '200' }, 12],
        [{}, 1000],
        [{ le: '+Inf' }, Number.POSITIVE_INFINITY],
      ],
    );
    assert.deepEqual([...found.keys()], ['a', 'b']);
  });

  it('makes rates of counters, with series that appear, and without those that fall', () => {
    const panel = panelOf('requests');
    const before = scrape(10, [
      'apiserver_request_total{verb="GET",code="200"} 5',
      'apiserver_request_total{verb="LIST"} 9',
    ]);
    const now = scrape(20, [
      'apiserver_request_total{verb="GET",code="200"} 25',
      'apiserver_request_total{verb="GET",code="404"} 10',
      'apiserver_request_total{verb="LIST"} 3',
    ]);
    assert.deepEqual(
      panelValues(panel, now, before),
      new Map([
        ['GET', 3],
        ['LIST', 0],
      ]),
    );
    assert.deepEqual(panelValues(panel, now, undefined), new Map());
    assert.deepEqual(panelValues(panelOf('refusals'), now, before), new Map([['404', 1]]));
    assert.equal(panelValues(panelOf('etcd-size'), now, before), undefined);
  });

  it('makes no rates over a restart of the server', () => {
    const lines = (start: number) => [`process_start_time_seconds ${start}`, 'process_cpu_seconds_total 4'];
    assert.deepEqual(panelValues(panelOf('cpu'), scrape(20, lines(2)), scrape(10, lines(1))), new Map());
  });

  it('takes quantiles of what was observed since, over all series but those of watches', () => {
    const buckets = (verb: string, counts: readonly number[]) =>
      counts.map((count, index) => {
        const le = ['0.1', '0.2', '+Inf'][index] ?? '';
        return `apiserver_request_duration_seconds_bucket{verb="${verb}",le="${le}"} ${count}`;
      });
    const before = scrape(0, [...buckets('GET', [100, 100, 100]), ...buckets('WATCH', [0, 0, 0])]);
    const now = scrape(5, [
      ...buckets('GET', [100, 102, 102]),
      ...buckets('WATCH', [0, 0, 50]),
      ...buckets('PUT', [2, 2, 2]),
    ]);
    const values = panelValues(panelOf('latency'), now, before);
    assert.deepEqual(
      values,
      new Map([
        ['50 %', 0.1],
        ['99 %', 0.1 + 0.1 * ((0.99 * 4 - 2) / 2)],
      ]),
    );
  });

  it('draws the largest lines, adds up the others, and forgets lines without values', () => {
    const panel = panelOf('watch-events');
    let history: PanelHistory | undefined;
    for (let second = 0; second < 200; second++) {
      const values = Array.from({ length: 9 }, (_, index): [string, number] => [`kind-${index}`, index]);
      history = addValues(history, second * 1000, new Map(second === 0 ? [...values, ['old', 99]] : values));
    }
    assert.ok(history);
    assert.equal(history.timesMs.length, 180);
    const lines = linesOf(panel, history);
    assert.deepEqual(
      lines.map(({ name, last }) => [name, last]),
      [...[8, 7, 6, 5, 4, 3].map((index) => [`kind-${index}`, index]), ['2 others', 3]],
    );
  });

  it('draws paths with gaps, from the left of the time to its right', () => {
    const line = { name: 'a', points: [0, undefined, 4, 2], last: 2, lowest: 0, highest: 4 };
    const { top, paths } = plotShape([0, 60_000, 90_000, 120_000], [line]);
    assert.equal(top, 5);
    assert.deepEqual(paths, ['M0.0,94.0h0M240.0,20.4h0L320.0,57.2']);
  });

  it('writes values with their units', () => {
    const texts = [
      formatValue(0.00125, 'seconds'),
      formatValue(12.345, 'perSecond'),
      formatValue(3.5 * 1024 * 1024, 'bytes'),
      formatValue(0, 'bytesPerSecond'),
      formatValue(undefined, 'count'),
      formatValue(1234567, 'count'),
    ];
    assert.deepEqual(texts, ['1.25 ms', '12.3/s', '3.5 MiB', '0 B/s', '–', '1234567']);
  });
});
