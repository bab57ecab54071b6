import assert from 'node:assert/strict';
import { onAbort } from '../../../src/async/on-abort.ts';

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
