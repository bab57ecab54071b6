import assert from 'node:assert/strict';
import { runYieldingSteps } from '../../../src/async/run-yielding-steps.ts';

describe('running steps that yield', () => {
  const work = (): void => {
    const endMs = performance.now() + 25;
    while (performance.now() < endMs);
  };

  it('runs short steps in one turn', () => {
    assert.equal(
      runYieldingSteps([1, 2, 3], () => {}),
      undefined,
    );
  });

  it('lets another request run between two long steps', async () => {
    const events: string[] = [];
    setImmediate(() => events.push('another request'));
    await runYieldingSteps(['a', 'b'], (name) => {
      work();
      events.push(name);
    });
    assert.deepEqual(events, ['a', 'another request', 'b']);
  });
});
