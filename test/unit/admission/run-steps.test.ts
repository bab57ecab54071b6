import assert from 'node:assert/strict';
import { runSteps } from '../../../src/async/run-steps.ts';

describe('running steps', () => {
  const told: string[] = [];
  beforeEach(() => {
    told.length = 0;
  });
  const now = (name: string) => (): void => void told.push(name);
  const later = (name: string) => async (): Promise<void> => {
    told.push(`${name} begins`);
    await Promise.resolve();
    told.push(name);
  };

  it('does in one turn what waits for nothing', () => {
    assert.equal(
      runSteps([now('a'), now('b')], (step) => step()),
      undefined,
    );
    assert.deepEqual(told, ['a', 'b']);
  });

  it('begins a step when the one before it has ended', async () => {
    await runSteps([now('a'), later('b'), later('c'), now('d')], (step) => step());
    assert.deepEqual(told, ['a', 'b begins', 'b', 'c begins', 'c', 'd']);
  });

  it('ends with the first step that refuses', async () => {
    const refuse = (): never => {
      throw new RangeError('no');
    };
    assert.throws(() => runSteps([now('a'), refuse, now('b')], (step) => step()), /no/);
    await assert.rejects(async () => runSteps([later('c'), refuse, now('d')], (step) => step()), /no/);
    assert.deepEqual(told, ['a', 'c begins', 'c']);
  });
});
