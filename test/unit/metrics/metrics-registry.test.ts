import assert from 'node:assert/strict';
import { openMetricsFormat, textFormat } from '../../../src/metrics/exposition-format.ts';
import type { MetricFamily } from '../../../src/metrics/metric-family.ts';
import { counterVector, histogramVector } from '../../../src/metrics/metric-vector.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { processMetrics } from '../../../src/metrics/process-metrics.ts';

function gauge(name: string, samples: MetricFamily['samples']): MetricFamily {
  return { name, help: `What ${name} is.`, type: 'gauge', samples };
}

/** What a registry answers. */
async function textOf(registry: MetricsRegistry, format = textFormat): Promise<string> {
  return (await registry.encode(format)).toString();
}

function sizes() {
  const description = { name: 'sizes', help: 'Sizes of "things".', stability: 'STABLE' } as const;
  return histogramVector(description, ['kind'], [0.05, 1, 1e6]);
}

describe('a family with labels', () => {
  it('gives each combination of values its own series, in runs and alternately', () => {
    const family = counterVector({ name: 'calls', help: 'Calls.' }, ['verb', 'kind']);
    const calls = ['get Pod', 'get Pod', 'get Pod', 'get Node', 'list Pod', 'get Node', 'get Node', 'get Pod'];
    for (const call of calls) family.with(...call.split(' ')).add();
    const counts = [...family.samples()].map(({ labels, value }) => `${labels['verb']} ${labels['kind']} ${value}`);
    assert.deepEqual(counts, ['get Pod 4', 'get Node 3', 'list Pod 1']);
    assert.equal(family.with('get', 'Node'), family.with('get', 'Node'));
  });
});

describe('the registry of metrics', () => {
  it('tells families in the order of their names, each with its series as they are then', async () => {
    const registry = new MetricsRegistry();
    let watches = 1;
    registry.register(
      gauge('b_watches', () => [{ labels: { group: '', kind: 'Pod' }, value: watches }]),
      gauge('a_parts', () => [{ labels: {}, value: Number.POSITIVE_INFINITY }]),
      gauge('c_nothing', () => []),
    );
    watches = 7;
    const expected = [
      '# HELP a_parts [ALPHA] What a_parts is.',
      '# TYPE a_parts gauge',
      'a_parts +Inf',
      '# HELP b_watches [ALPHA] What b_watches is.',
      '# TYPE b_watches gauge',
      'b_watches{group="",kind="Pod"} 7',
      '',
    ];
    assert.equal(await textOf(registry), expected.join('\n'));
  });

  it('escapes what would end a line or a value', async () => {
    const registry = new MetricsRegistry();
    registry.register({
      ...gauge('odd', () => [{ labels: { path: 'a"b\\c\nd' }, value: 0 }]),
      help: 'one\ntwo \\ "three"',
    });
    const [help, , series] = (await textOf(registry)).split('\n');
    assert.equal(help, String.raw`# HELP odd [ALPHA] one\ntwo \\ "three"`);
    assert.equal(series, String.raw`odd{path="a\"b\\c\nd"} 0`);
  });

  it('counts values in every bucket that holds them, a value at a bound included', async () => {
    const registry = new MetricsRegistry();
    const family = sizes();
    registry.register(family);
    const series = family.with('pod');
    series.observe(0.05);
    series.observe(0.5, 2);
    family.with('pod').observe(2e6);
    const expected = [
      '# HELP sizes [STABLE] Sizes of "things".',
      '# TYPE sizes histogram',
      'sizes_bucket{kind="pod",le="0.05"} 1',
      'sizes_bucket{kind="pod",le="1"} 3',
      'sizes_bucket{kind="pod",le="1e+06"} 3',
      'sizes_bucket{kind="pod",le="+Inf"} 4',
      'sizes_sum{kind="pod"} 2.00000105e+06',
      'sizes_count{kind="pod"} 4',
      '',
    ];
    assert.equal(await textOf(registry), expected.join('\n'));
  });

  it('writes OpenMetrics: counters named without _total, bounds with a point, and an end', async () => {
    const registry = new MetricsRegistry();
    const family = sizes();
    family.with('pod').observe(1);
    const requests = counterVector({ name: 'requests_total', help: 'Requests.', stability: 'none' }, []);
    requests.with().add(2);
    const attempts = counterVector({ name: 'attempts', help: 'Attempts.' }, ['result']);
    attempts.with('error').add();
    registry.register(family, requests, attempts);
    const expected = [
      '# HELP attempts [ALPHA] Attempts.',
      '# TYPE attempts unknown',
      'attempts{result="error"} 1',
      '# HELP requests Requests.',
      '# TYPE requests counter',
      'requests_total 2',
      String.raw`# HELP sizes [STABLE] Sizes of \"things\".`,
      '# TYPE sizes histogram',
      'sizes_bucket{kind="pod",le="0.05"} 0',
      'sizes_bucket{kind="pod",le="1.0"} 1',
      'sizes_bucket{kind="pod",le="1e+06"} 1',
      'sizes_bucket{kind="pod",le="+Inf"} 1',
      'sizes_sum{kind="pod"} 1',
      'sizes_count{kind="pod"} 1',
      '# EOF',
      '',
    ];
    assert.equal(await textOf(registry, openMetricsFormat), expected.join('\n'));
  });

  it('lets other work run while it encodes many series, and loses none', async () => {
    const registry = new MetricsRegistry();
    const family = sizes();
    const count = 15_000;
    for (let number = 0; number < count; number++) family.with(`kind-${number}`).observe(number);
    registry.register(family);
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const lines = (await textOf(registry)).split('\n');
    clearInterval(timer);
    assert.equal(lines.length, 2 + count * 6 + 1);
    assert.equal(new Set(lines).size, lines.length);
    assert.ok(turns > 0);
  });

  it('is in memory pages of its own, which the system gets back, if it is large', async () => {
    const family = counterVector({ name: 'many_total', help: 'Many.' }, ['name']);
    for (let i = 0; i < 5_000; i++) family.with(`series-${i}`).add();
    const registry = new MetricsRegistry();
    registry.register(family);
    const { buffer } = await registry.encode(textFormat);
    assert.ok(buffer instanceof ArrayBuffer && buffer.resizable);
  });

  it('writes numbers as Go does', async () => {
    const values = [0, 1, 65_536, 999_999, 1_000_000, 2_592_000, 327_888_896, 0.0001, 5e-7, -1e9, 1e21, Number.NaN];
    const registry = new MetricsRegistry();
    registry.register(gauge('n', () => values.map((value) => ({ labels: {}, value }))));
    const written = (await textOf(registry)).split('\n').slice(2, -1);
    assert.deepEqual(
      written.map((line) => line.slice(2)),
      '0 1 65536 999999 1e+06 2.592e+06 3.27888896e+08 0.0001 5e-07 -1e+09 1e+21 NaN'.split(' '),
    );
  });

  it('refuses names that are none, or taken', () => {
    const registry = new MetricsRegistry();
    registry.register(gauge('taken', () => []));
    assert.throws(() => registry.register(gauge('taken', () => [])), TypeError);
    for (const name of ['', '1st', 'with-dash', 'with space']) {
      assert.throws(() => registry.register(gauge(name, () => [])), TypeError, name);
    }
  });

  const deprecated = (minor: number): MetricFamily => ({
    ...gauge(`since_${minor}`, () => [{ labels: {}, value: 1 }]),
    deprecated: `1.${minor}`,
  });

  for (const showHidden of [false, true]) {
    it(`hides what was deprecated three releases ago${showHidden ? ' unless it is to be shown' : ''}`, async () => {
      const warned: string[] = [];
      const registry = new MetricsRegistry({
        release: '1.23',
        showHidden,
        onDeprecated: ({ name }) => warned.push(name),
      });
      registry.register(deprecated(19), deprecated(20), deprecated(21), deprecated(23), deprecated(24));
      const stillShown = ['since_20', 'since_21', 'since_23'].slice(showHidden ? 0 : 1);
      const text = await textOf(registry);
      assert.deepEqual(
        [...text.matchAll(/^(\w+) 1$/gm)].map(([, name]) => name),
        [...stillShown, 'since_24'],
      );
      assert.deepEqual(warned, stillShown);
      assert.match(text, /^# HELP since_21 \[ALPHA\] \(Deprecated from 1\.21\) What since_21 is\.$/m);
      assert.match(text, /^# HELP since_24 \[ALPHA\] What since_24 is\.$/m);
    });
  }

  it('has what Prometheus asks of every process', async () => {
    const registry = new MetricsRegistry();
    registry.register(...processMetrics);
    const text = await textOf(registry);
    const value = (name: string): number => Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
    assert.ok(value('process_resident_memory_bytes') > 10e6);
    assert.ok(value('process_cpu_seconds_total') > 0);
    assert.ok(value('process_open_fds') > 3);
    assert.ok(value('process_max_fds') >= value('process_open_fds'));
    const age = Date.now() / 1_000 - value('process_start_time_seconds');
    assert.ok(age > 0 && age < 3_600, String(age));
  });
});
