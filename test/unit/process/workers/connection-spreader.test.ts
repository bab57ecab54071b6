import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ConnectionSpreader } from '../../../../src/process/workers/connection-spreader.ts';
import type { ConnectionNumbers } from '../../../../src/config/siblings.ts';
import { until } from '../../../http/until.ts';

interface FakeWorker {
  readonly worker: ChildProcess;
  /** The connections that were passed to it, by their numbers. */
  readonly passed: Map<number, Socket>;
}

function fakeWorker(): FakeWorker {
  const passed = new Map<number, Socket>();
  const send = ({ id }: { readonly id: number }, socket: Socket): boolean => passed.set(id, socket).size > 0;
  // The spreader uses nothing else of a process.
  return { worker: { send } as unknown as ChildProcess, passed };
}

describe('the connections of workers', () => {
  let connections: ConnectionSpreader;
  let clients: Socket[];
  let limits: ConnectionNumbers;
  const open = async (): Promise<Socket> => {
    const client = connect(await connections.listen({ address: '127.0.0.1', port: 0, limits }), '127.0.0.1');
    client.on('error', () => {});
    clients.push(client);
    await once(client, 'connect');
    return client;
  };
  beforeEach(() => {
    connections = new ConnectionSpreader(2);
    clients = [];
    limits = { maxConnections: 10, maxConnectionsPerAddress: 10 };
  });
  afterEach(() => {
    connections.close();
    for (const client of clients) client.destroy();
  });

  it('go to each alike, and wait while there is none', async () => {
    await open();
    const [one, other] = [fakeWorker(), fakeWorker()];
    connections.add(one.worker);
    await until('the first connection', () => one.passed.size === 1);
    connections.add(other.worker);
    for (const [id] of one.passed) connections.accepted(one.worker, id);
    await open();
    await open();
    await until('the others', () => one.passed.size + other.passed.size === 3);
    assert.deepEqual([one.passed.size, other.passed.size], [2, 1]);
  });

  it('go to the worker with the fewest, so that a successor gets its part of long ones', async () => {
    const [one, other] = [fakeWorker(), fakeWorker()];
    const take = async (count: number): Promise<void> => {
      for (let opened = 0; opened < count; opened++) {
        const before = one.passed.size + other.passed.size;
        await open();
        await until('the connection', () => one.passed.size + other.passed.size > before);
        for (const [id] of one.passed) connections.accepted(one.worker, id);
        for (const [id] of other.passed) connections.accepted(other.worker, id);
      }
    };
    connections.add(one.worker);
    await take(3);
    connections.add(other.worker);
    await take(3);
    assert.deepEqual([one.passed.size, other.passed.size], [3, 3]);
    for (const [id] of [...one.passed].slice(0, 2)) connections.closed(one.worker, id);
    await take(2);
    assert.deepEqual([one.passed.size, other.passed.size], [5, 3], 'two of one have ended');
  });

  it('have one limit for all workers', async () => {
    limits = { maxConnections: 10, maxConnectionsPerAddress: 3 };
    const [one, other] = [fakeWorker(), fakeWorker()];
    connections.add(one.worker);
    connections.add(other.worker);
    for (let count = 0; count < 3; count++) await open();
    await until('all', () => one.passed.size + other.passed.size === 3);
    const fourth = await open();
    if (!fourth.destroyed) await once(fourth, 'close');
    assert.equal(one.passed.size + other.passed.size, 3);
    const [[id = 0] = []] = one.passed;
    connections.closed(one.worker, id);
    await open();
    await until('the next one', () => one.passed.size + other.passed.size === 4);
    connections.forget(one.worker);
    connections.forget(other.worker);
    const third = fakeWorker();
    connections.add(third.worker);
    await open();
    await until('one after the others ended', () => third.passed.size > 0);
  });

  it('go to another worker if the first one ends before it has taken them', async () => {
    const [one, other] = [fakeWorker(), fakeWorker()];
    connections.add(one.worker);
    await open();
    await until('the connection', () => one.passed.size === 1);
    connections.add(other.worker);
    connections.forget(one.worker);
    assert.deepEqual([...other.passed.values()], [...one.passed.values()]);
  });

  it('are refused when no worker takes any more', async () => {
    const one = fakeWorker();
    connections.add(one.worker);
    await open();
    await open();
    await until('both', () => one.passed.size === 2);
    const third = await open();
    if (!third.destroyed) await once(third, 'close');
    assert.equal(one.passed.size, 2);
    for (const [id] of one.passed) connections.accepted(one.worker, id);
    await open();
    await until('the next one', () => one.passed.size === 3);
  });
});
