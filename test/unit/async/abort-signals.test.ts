import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { linkSignals, onAbort } from '../../../src/async/abort-signals.ts';

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

describe('the actions that wait for a signal', () => {
  it('run once when it aborts, but for those that were removed', () => {
    const controller = new AbortController();
    const ran: string[] = [];
    onAbort(controller.signal, () => ran.push('a'));
    const remove = onAbort(controller.signal, () => ran.push('b'));
    onAbort(controller.signal, () => ran.push('c'));
    remove();
    controller.abort();
    controller.abort();
    assert.deepEqual(ran, ['a', 'c']);
  });

  it('run at once if it has aborted, and for each time that they are registered', () => {
    const controller = new AbortController();
    let runs = 0;
    const count = (): void => void runs++;
    const remove = onAbort(controller.signal, count);
    onAbort(controller.signal, count);
    remove();
    controller.abort();
    assert.equal(runs, 1);
    onAbort(controller.signal, count);
    assert.equal(runs, 2);
  });

  it('share one listener', () => {
    const { signal } = new AbortController();
    let added = 0;
    const add = signal.addEventListener.bind(signal);
    signal.addEventListener = (...listener: Parameters<typeof add>) => {
      added++;
      add(...listener);
    };
    for (let index = 0; index < 100; index++) onAbort(signal, () => {});
    assert.equal(added, 1);
  });

  it('run although another one fails, which is an uncaught error', async () => {
    const controller = new AbortController();
    const others = process.listeners('uncaughtException');
    process.removeAllListeners('uncaughtException');
    const uncaught = new Promise((resolve) => process.once('uncaughtException', resolve));
    let ran = false;
    onAbort(controller.signal, () => {
      throw new Error('broken');
    });
    onAbort(controller.signal, () => (ran = true));
    controller.abort();
    assert.equal(ran, true);
    assert.match(String(await uncaught), /broken/);
    for (const listener of others) process.on('uncaughtException', listener);
  });
});
