import assert from 'node:assert/strict';
import { readServerTiming } from '../../../../src/client/server-timing.ts';
import { RequestTrace } from '../../../../src/http-protocol/requests/request-trace.ts';

describe('RequestTrace', () => {
  it('keeps its header short enough for clients, and its last entries', () => {
    const trace = new RequestTrace(performance.now());
    for (let count = 0; count < 1_000; count++) trace.add(`plugin.admit.p${count}`, 1, 'refused: '.repeat(100));
    const header = trace.header();
    assert.ok(header.length < 9_000, `${header.length}`);
    const steps = readServerTiming(header);
    assert.equal(steps[0]?.name, 'plugin.admit.p0');
    assert.deepEqual(
      steps.slice(-2).map(({ name }) => name),
      ['handler', 'total'],
    );
  });

  it('quotes decisions so that they can be read back', () => {
    const trace = new RequestTrace(performance.now());
    trace.add('webhook.admit.a b', 1.5, 'no "b", \\ or\nmore');
    const [step] = readServerTiming(trace.header());
    assert.deepEqual(step, { name: 'webhook.admit.a_b', durationMs: 1.5, description: 'no "b", \\ or?more' });
  });
});
