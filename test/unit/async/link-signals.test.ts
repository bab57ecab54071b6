import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { linkSignals } from '../../../src/async/link-signals.ts';

describe('linked signals', () => {
  it('abort with the first of their sources, with its reason, also with one that has aborted before', () => {
    const [one, two] = [new AbortController(), new AbortController()];
    const { signal } = linkSignals(one.signal, undefined, two.signal);
    assert.equal(signal.aborted, false);
    two.abort('second');
    one.abort('first');
    assert.equal(signal.reason, 'second');
    assert.equal(linkSignals(new AbortController().signal, one.signal).signal.reason, 'first');
  });

  it('leave nothing at a source that outlives them, whether they were released or aborted', () => {
    const long = new AbortController();
    for (let i = 0; i < 100; i++) {
      const short = new AbortController();
      const { release } = linkSignals(short.signal, long.signal);
      if (i % 2 === 0) release();
      else short.abort();
    }
    assert.deepEqual(getEventListeners(long.signal, 'abort'), []);
  });

  it('cause no warning of a leak where many follow one source', async () => {
    const warnings: string[] = [];
    const keep = ({ message }: Error): void => void warnings.push(message);
    process.on('warning', keep);
    try {
      const long = new AbortController();
      for (let i = 0; i < 20; i++) linkSignals(new AbortController().signal, long.signal);
      await new Promise((resolve) => setImmediate(resolve));
    } finally {
      process.off('warning', keep);
    }
    assert.deepEqual(warnings, []);
  });
});
