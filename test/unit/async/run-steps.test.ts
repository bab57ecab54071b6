import assert from 'node:assert/strict';
import { runSteps } from '../../../src/async/maybe-promise.ts';

describe('running steps', () => {
  const events: string[] = [];
  beforeEach(() => {
    events.length = 0;
  });
  const now = (name: string) => (): void => void events.push(name);
  const later = (name: string) => async (): Promise<void> => {
    events.push(`${name} begins`);
    await Promise.resolve();
    events.push(name);
  };

  it('does in one turn what waits for nothing', () => {
    assert.equal(
      runSteps([now('a'), now('b')], (step) => step()),
      undefined,
    );
    assert.deepEqual(events, ['a', 'b']);
  });

  it('begins a step when the one before it has ended', async () => {
    await runSteps([now('a'), later('b'), later('c'), now('d')], (step) => step());
    assert.deepEqual(events, ['a', 'b begins', 'b', 'c begins', 'c', 'd']);
  });

  it('ends with the first step that refuses', async () => {
    const refuse = (): never => {
      throw new RangeError('no');
    };
    assert.throws(() => runSteps([now('a'), refuse, now('b')], (step) => step()), /no/);
    await assert.rejects(async () => runSteps([later('c'), refuse, now('d')], (step) => step()), /no/);
    assert.deepEqual(events, ['a', 'c begins', 'c']);
  });

  it('lets another request run between two long steps that yield', async () => {
    const busy = (): void => {
      const endMs = performance.now() + 25;
      while (performance.now() < endMs);
    };
    setImmediate(now('another request'));
    const steps = [now('a'), now('b')];
    await runSteps(steps, (step) => (busy(), step()), { yields: true });
    assert.deepEqual(events, ['a', 'another request', 'b']);
    assert.equal(
      runSteps(steps, (step) => step(), { yields: true }),
      undefined,
    );
  });
});
