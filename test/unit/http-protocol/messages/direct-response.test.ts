import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DirectResponse } from '../../../../src/http-protocol/messages/direct-response.ts';

const kilobytes64 = Buffer.alloc(64 * 1024);

async function bodyOf(response: DirectResponse): Promise<string> {
  const pieces: Buffer[] = [];
  for (let taken = await response.take(); taken; taken = await response.take()) pieces.push(...taken);
  return Buffer.concat(pieces).toString();
}

describe('the response to a client in this process', () => {
  it('has the headers that were set, then those that it was started with', async () => {
    const response = new DirectResponse();
    response.setHeader('Warning', ['one', 'two']);
    response.writeHead(201, ['Audit-Id', 'abc']);
    assert.deepEqual(await response.head, {
      status: 201,
      headers: ['Warning', 'one', 'Warning', 'two', 'Audit-Id', 'abc'],
    });
  });

  it('carries what is written before and after its reader waits', async () => {
    const response = new DirectResponse();
    response.write('a');
    const body = bodyOf(response);
    await response.head;
    response.write(Buffer.from('b'));
    response.end(Buffer.from('c'));
    assert.equal(await body, 'abc');
    assert.equal(response.bytesWritten, 3);
  });

  it('is finished and closed when its reader has taken all, not before', async () => {
    const response = new DirectResponse();
    response.end(Buffer.from('all'));
    await new Promise(setImmediate);
    assert.equal(response.writableEnded, true);
    assert.equal(response.writableFinished, false);
    const closed = once(response, 'close');
    assert.equal(await bodyOf(response), 'all');
    await closed;
    assert.equal(response.writableFinished, true);
  });

  it('is closed at once if it has no body', async () => {
    const response = new DirectResponse();
    const closed = once(response, 'close');
    response.writeHead(204);
    response.end();
    await closed;
    assert.equal(response.writableFinished, true);
  });

  it('makes its writer wait for a slow reader', async () => {
    const response = new DirectResponse();
    assert.equal(response.write('few bytes'), true);
    assert.equal(response.write(kilobytes64), false);
    assert.equal(response.writableLength, 9 + kilobytes64.length);
    const drained = once(response, 'drain');
    await response.take();
    await drained;
    assert.equal(response.writableLength, 0);
  });

  it('fails its reader when the server destroys it before its end', async () => {
    const response = new DirectResponse();
    const closed = once(response, 'close');
    response.write('a');
    assert.ok(await response.take());
    const waiting = assert.rejects(response.take(), { code: 'ECONNRESET' });
    response.destroy();
    await Promise.all([waiting, closed]);
    assert.equal(response.writableFinished, false);
    assert.equal(response.write('b'), false);
    await assert.rejects(response.take(), { code: 'ECONNRESET' });
  });

  it('fails a client that waits for its beginning, and takes nothing more', async () => {
    const response = new DirectResponse();
    const failed = assert.rejects(response.head, /given up/);
    response.destroy(new Error('given up'));
    await failed;
    response.end(Buffer.from('late'));
    assert.equal(response.headersSent, false);
  });
});
