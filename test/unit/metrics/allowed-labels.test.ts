import assert from 'node:assert/strict';
import { textFormat } from '../../../src/metrics/exposition-format.ts';
import { counterVector } from '../../../src/metrics/metric-vector.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';

describe('metrics with allowed values of labels', () => {
  it('show other values as unexpected, added up', async () => {
    const registry = new MetricsRegistry({ allowedLabels: { 'asks_total,verb': ['GET'] }, disabled: ['hidden_total'] });
    const asks = counterVector({ name: 'asks_total', help: 'Requests.' }, ['verb', 'code']);
    const hidden = counterVector({ name: 'hidden_total', help: 'Nothing.' }, []);
    registry.register(asks, hidden);
    asks.with('GET', '200').add(1);
    asks.with('PUT', '200').add(2);
    asks.with('POST', '200').add(3);
    asks.with('POST', '409').add(4);
    const text = (await registry.encode(textFormat)).toString('utf8');
    assert.deepEqual(
      text.split('\n').filter((line) => line.includes('{')),
      [
        'asks_total{code="200",verb="GET"} 1',
        'asks_total{code="200",verb="unexpected"} 5',
        'asks_total{code="409",verb="unexpected"} 4',
      ],
    );
    assert.doesNotMatch(text, /hidden_total/);
  });
});
