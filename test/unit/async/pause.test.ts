import assert from 'node:assert/strict';
import { pause } from '../../../src/async/timers.ts';

describe('a pause', () => {
  it('ends early with its signal, which any number of pauses share without a warning', async () => {
    const warnings: Error[] = [];
    const warn = (warning: Error): void => void warnings.push(warning);
    process.on('warning', warn);
    const stop = new AbortController();
    const pauses = Promise.all(Array.from({ length: 20 }, () => pause(60_000, stop.signal)));
    // Node emits warnings in a later turn.
    await new Promise((resolve) => setImmediate(resolve));
    stop.abort();
    await pauses;
    process.off('warning', warn);
    assert.deepEqual(warnings, []);
  });
});
