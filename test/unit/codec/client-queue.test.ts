import assert from 'node:assert/strict';
import { ClientQueue } from '../../../src/codec/client-queue.ts';

interface Job {
  readonly client: string;
  readonly size: number;
  readonly isRequired?: boolean;
}

function drain(queue: ClientQueue<Job>): readonly string[] {
  const taken: string[] = [];
  for (let job = queue.shift(); job; job = queue.shift()) taken.push(`${job.client}${job.size}`);
  return taken;
}

function queueOf(...jobs: readonly Job[]): ClientQueue<Job> {
  const queue = new ClientQueue<Job>();
  for (const job of jobs) queue.push(job);
  return queue;
}

const jobs = (client: string, size: number, count: number): readonly Job[] =>
  Array.from({ length: count }, () => ({ client, size }));

describe('a queue that clients share', () => {
  it('takes the jobs of one client in their order', () => {
    const queue = queueOf({ client: 'a', size: 3 }, { client: 'a', size: 1 }, { client: 'a', size: 2 });
    assert.deepEqual(drain(queue), ['a3', 'a1', 'a2']);
  });

  it('takes a small job of another client before the large ones that came earlier', () => {
    assert.deepEqual(drain(queueOf(...jobs('a', 9, 3), { client: 'b', size: 1 })), ['b1', 'a9', 'a9', 'a9']);
  });

  it('takes jobs of the same size alternately', () => {
    const queue = queueOf(...jobs('a', 2, 3), ...jobs('b', 2, 2));
    assert.deepEqual(drain(queue), ['a2', 'b2', 'a2', 'b2', 'a2']);
  });

  it('takes a large job at last, although small ones of others keep coming', () => {
    const queue = queueOf({ client: 'a', size: 5 });
    const taken: string[] = [];
    for (let round = 0; round < 20; round++) {
      queue.push({ client: 'b', size: 1 });
      taken.push(queue.shift()?.client ?? '');
    }
    assert.ok(taken.slice(0, 7).includes('a'), taken.join());
  });

  it('gives up the last job of the client with the most for one with fewer, and none for that client', () => {
    const queue = queueOf(...jobs('a', 1, 2), { client: 'b', size: 1 }, { client: 'a', size: 7 });
    assert.equal(queue.displace('a'), undefined);
    assert.deepEqual(queue.displace('b'), { client: 'a', size: 7 });
    assert.equal(queue.displace('b'), undefined);
    assert.deepEqual(drain(queue), ['a1', 'b1', 'a1']);
  });

  it('does not charge a client for a job that was given up', () => {
    const queue = queueOf(...jobs('a', 4, 2), { client: 'a', size: 20 });
    assert.deepEqual(queue.displace('c'), { client: 'a', size: 20 });
    for (const job of [...jobs('c', 1, 1), ...jobs('a', 1, 1), ...jobs('d', 10, 1)]) queue.push(job);
    assert.deepEqual(drain(queue), ['c1', 'a4', 'a4', 'a1', 'd10']);
  });

  it('neither counts nor gives up a required job', () => {
    const queue = queueOf({ client: 'a', size: 1, isRequired: true }, { client: 'a', size: 2, isRequired: true });
    assert.equal(queue.length, 0);
    assert.equal(queue.displace('b'), undefined);
    assert.deepEqual(drain(queue), ['a1', 'a2']);
  });

  it('forgets a job that is removed', () => {
    const [first, second] = jobs('a', 1, 2) as [Job, Job];
    const queue = queueOf(first, second);
    queue.remove(first);
    queue.remove(first);
    assert.equal(queue.shift(), second);
  });
});
