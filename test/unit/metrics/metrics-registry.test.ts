import assert from 'node:assert/strict';
import type { MetricFamily } from '../../../src/metrics/metric-family.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { processMetrics } from '../../../src/metrics/process-metrics.ts';

function gauge(name: string, samples: MetricFamily['samples']): MetricFamily {
  return { name, help: `What ${name} is.`, type: 'gauge', stability: 'ALPHA', samples };
}

describe('the registry of metrics', () => {
  it('tells families in the order of their names, each with its series as they are then', () => {
    const registry = new MetricsRegistry();
    let watches = 1;
    registry.register(
      gauge('b_watches', () => [{ labels: { group: '', kind: 'Pod' }, value: watches }]),
      gauge('a_parts', () => [
        { suffix: '_sum', labels: { le: '' }, value: 1.5 },
        { suffix: '_bucket', labels: { le: '+Inf' }, value: Number.POSITIVE_INFINITY },
      ]),
      gauge('c_nothing', () => []),
    );
    watches = 7;
    const expected = [
      '# HELP a_parts [ALPHA] What a_parts is.',
      '# TYPE a_parts gauge',
      'a_parts_sum{le=""} 1.5',
      'a_parts_bucket{le="+Inf"} +Inf',
      '# HELP b_watches [ALPHA] What b_watches is.',
      '# TYPE b_watches gauge',
      'b_watches{group="",kind="Pod"} 7',
      '',
    ];
    assert.equal(registry.text(), expected.join('\n'));
  });

  it('escapes what would end a line or a value', () => {
    const registry = new MetricsRegistry();
    registry.register({
      ...gauge('odd', () => [{ labels: { path: 'a"b\\c\nd' }, value: 0 }]),
      help: 'one\ntwo \\ "three"',
    });
    const [help, , series] = registry.text().split('\n');
    assert.equal(help, String.raw`# HELP odd [ALPHA] one\ntwo \\ "three"`);
    assert.equal(series, String.raw`odd{path="a\"b\\c\nd"} 0`);
  });

  it('refuses names that are none, or taken', () => {
    const registry = new MetricsRegistry();
    registry.register(gauge('taken', () => []));
    assert.throws(() => registry.register(gauge('taken', () => [])), TypeError);
    for (const name of ['', '1st', 'with-dash', 'with space']) {
      assert.throws(() => registry.register(gauge(name, () => [])), TypeError, name);
    }
  });

  it('has what Prometheus asks of every process', () => {
    const registry = new MetricsRegistry();
    registry.register(...processMetrics);
    const value = (name: string): number => Number(new RegExp(`^${name} (.+)$`, 'm').exec(registry.text())?.[1]);
    assert.ok(value('process_resident_memory_bytes') > 10e6);
    assert.ok(value('process_cpu_seconds_total') > 0);
    const age = Date.now() / 1_000 - value('process_start_time_seconds');
    assert.ok(age > 0 && age < 3_600, String(age));
  });
});
