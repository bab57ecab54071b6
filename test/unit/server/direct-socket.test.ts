import assert from 'node:assert/strict';
import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { connectedSockets } from '../../../src/server/direct-socket.ts';

describe('the two ends of a direct connection', () => {
  it('carry bytes both ways, and end with both', async () => {
    const [left, right] = connectedSockets();
    left.end('ping');
    right.end('pong');
    const read = async (socket: typeof left) => Buffer.concat(await socket.toArray()).toString();
    assert.deepEqual(await Promise.all([read(left), read(right)]), ['pong', 'ping']);
    assert.equal(left.bytesWritten, 4);
  });

  it('make a writer wait for a reader', async () => {
    const [left, right] = connectedSockets();
    let written = 0;
    const chunk = Buffer.alloc(64 * 1024);
    for (let index = 0; index < 4; index++) left.write(chunk, () => written++);
    await nextTurn();
    assert.equal(written, 0);
    right.resume();
    await once(left, 'drain');
    assert.equal(written, 4);
    left.destroy();
  });

  it('fail the writes of one end when the other is destroyed', async () => {
    const [left, right] = connectedSockets();
    left.write(Buffer.alloc(64 * 1024));
    right.destroy();
    const [error] = await once(left, 'error');
    assert.equal((error as NodeJS.ErrnoException).code, 'EPIPE');
  });

  it('close an end whose peer is destroyed while it only reads', async () => {
    const [left, right] = connectedSockets();
    left.resume();
    right.destroy();
    await once(left, 'close');
    assert.ok(left.destroyed);
  });
});
