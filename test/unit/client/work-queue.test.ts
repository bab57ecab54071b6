import assert from 'node:assert/strict';
import { newDeferred } from '../../../src/async/deferred.ts';
import { createQueueMetrics } from '../../../src/client/queue/queue-metrics.ts';
import { WorkQueue, type WorkQueueOptions } from '../../../src/client/queue/work-queue.ts';
import { FakeClock } from './fake-clock.ts';

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('a work queue', () => {
  let clock: FakeClock;
  let stop: AbortController;
  let seen: string[];
  beforeEach(() => {
    clock = new FakeClock();
    stop = new AbortController();
    seen = [];
  });
  afterEach(() => stop.abort());

  const create = (options: WorkQueueOptions = {}) => new WorkQueue({ clock, ...options });
  const note = (item: string) => {
    seen.push(item);
    return Promise.resolve();
  };

  it('refuses a delay that is no number', () => {
    assert.throws(() => create().addAfter('a', Number.NaN), RangeError);
  });

  it('works on each item once, however often it was added', async () => {
    const queue = create();
    for (const item of ['a', 'b', 'a', 'c', 'b']) queue.add(item);
    assert.equal(queue.length, 3);
    void queue.process({ handle: note }, stop.signal);
    await settled();
    assert.deepEqual(seen, ['a', 'b', 'c']);
  });

  it('never works on an item twice at the same time, and again if it was added meanwhile', async () => {
    const queue = create();
    const works = [newDeferred<void>(), newDeferred<void>()];
    let running = 0;
    const handle = async (item: string) => {
      running++;
      seen.push(`${item} ${running}`);
      await works[seen.length - 1]?.promise;
      running--;
    };
    void queue.process({ handle, concurrency: 4 }, stop.signal);
    queue.add('a');
    await settled();
    queue.add('a');
    queue.add('a');
    await settled();
    assert.deepEqual(seen, ['a 1']);
    works[0]?.resolve();
    await settled();
    assert.deepEqual(seen, ['a 1', 'a 1']);
    works[1]?.resolve();
    await settled();
    assert.equal(seen.length, 2);
  });

  it('works on as many items at the same time as it may', async () => {
    const queue = create();
    const work = newDeferred<void>();
    for (const item of ['a', 'b', 'c']) queue.add(item);
    const handle = (item: string) => {
      seen.push(item);
      return work.promise;
    };
    void queue.process({ handle, concurrency: 2 }, stop.signal);
    await settled();
    assert.deepEqual(seen, ['a', 'b']);
    work.resolve();
    await settled();
    assert.deepEqual(seen, ['a', 'b', 'c']);
  });

  it('adds items after a delay, at the earliest of several times', async () => {
    const queue = create();
    void queue.process({ handle: note }, stop.signal);
    queue.addAfter('a', 1000);
    queue.addAfter('a', 200);
    queue.addAfter('a', 500);
    clock.advance(199);
    await settled();
    assert.deepEqual(seen, []);
    clock.advance(1);
    await settled();
    assert.deepEqual(seen, ['a']);
    clock.advance(2000);
    await settled();
    assert.deepEqual(seen, ['a']);
  });

  it('retries failures after delays that double, until one succeeds', async () => {
    const queue = create({ retryRate: { initialMs: 10, maximumMs: 35 } });
    const delays: number[] = [];
    let fails = 4;
    const handle = (): Promise<void> => (fails-- > 0 ? Promise.reject(new Error('no')) : Promise.resolve());
    void queue.process({ handle, onError: (_, __, retryMs) => delays.push(retryMs) }, stop.signal);
    queue.add('a');
    for (let turn = 0; turn < 4; turn++) {
      await settled();
      clock.advance(35);
    }
    await settled();
    assert.deepEqual(delays, [10, 20, 35, 35]);
    assert.equal(queue.failuresOf('a'), 0);
    assert.equal(clock.scheduled, 0);
  });

  it('limits the rate of all retries together', () => {
    const queue = create({ retryRate: { initialMs: 1, maximumMs: 1, overall: { perSecond: 10, burst: 2 } } });
    const delays = ['a', 'b', 'c', 'd'].map((item) => queue.retry(item));
    assert.deepEqual(delays, [1, 1, 100, 200]);
    clock.advance(1000);
    assert.equal(queue.retry('e'), 1);
  });

  it('works once on an item that is added several times in one turn', async () => {
    const queue = create();
    const worked: string[] = [];
    const handle = async (item: string): Promise<void> => void worked.push(item);
    void queue.process({ handle, concurrency: 4 }, stop.signal);
    for (const item of ['a', 'b', 'a', 'a']) queue.add(item);
    await settled();
    assert.deepEqual(worked, ['a', 'b']);
  });

  it('ends after the work in progress when it is stopped, and drops what is delayed', async () => {
    const queue = create();
    const work = newDeferred<void>();
    queue.add('a');
    queue.addAfter('b', 1000);
    let ended = false;
    const running = queue.process({ handle: () => work.promise }, stop.signal).then(() => (ended = true));
    stop.abort();
    await settled();
    assert.equal(ended, false);
    work.resolve();
    await running;
    assert.equal(clock.scheduled, 0);
  });

  it('records metrics under the names of client-go', async () => {
    const metrics = createQueueMetrics();
    const queue = create({ name: 'pods', metrics });
    const work = newDeferred<void>();
    queue.add('a');
    queue.add('b');
    void queue.process({ handle: () => work.promise }, stop.signal);
    clock.advance(2000);
    const value = (name: string, suffix?: string) => {
      const family = metrics.families.find((each) => each.name === `workqueue_${name}`);
      return [...(family?.samples() ?? [])].find((sample) => sample.suffix === suffix)?.value;
    };
    assert.equal(value('depth'), 1);
    assert.equal(value('adds_total'), 2);
    assert.equal(value('unfinished_work_seconds'), 2);
    assert.equal(value('longest_running_processor_seconds'), 2);
    work.resolve();
    await settled();
    assert.equal(value('work_duration_seconds', '_sum'), 2);
    assert.equal(value('queue_duration_seconds', '_sum'), 2);
    assert.equal(value('depth'), 0);
  });
});
