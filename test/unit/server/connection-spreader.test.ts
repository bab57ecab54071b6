import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { ConnectionSpreader } from '../../../src/server/workers/connection-spreader.ts';
import { until } from '../../http/until.ts';

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
  const open = async (): Promise<Socket> => {
    const client = connect(await connections.listen('127.0.0.1', 0), '127.0.0.1');
    client.on('error', () => {});
    clients.push(client);
    await once(client, 'connect');
    return client;
  };
  beforeEach(() => {
    connections = new ConnectionSpreader(2);
    clients = [];
  });
  afterEach(() => {
    connections.close();
    for (const client of clients) client.destroy();
  });

  it('go to each in turn, and wait while there is none', async () => {
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
