import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, constants, createServer, type OutgoingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { HttpRequest, HttpResponse } from '../../../../src/http-protocol/messages/http-message.ts';
import { http2Settings } from '../../../../src/http-protocol/messages/server-settings.ts';

interface Received {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** The code of the reset that ended the stream, or 0. */
  readonly code: number;
}

/** Sends one request and returns what the client got. */
async function exchange(
  headers: OutgoingHttpHeaders,
  handle: (request: HttpRequest, response: HttpResponse) => void,
): Promise<Received> {
  // The settings name the classes of both.
  const server = createServer(http2Settings, (request: unknown, response: unknown) =>
    handle(request as HttpRequest, response as HttpResponse),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a listening TCP server is an AddressInfo.
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':path': '/', ...headers });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk)).on('error', () => undefined);
  const closed = new Promise((resolve) => stream.on('close', resolve));
  const [received] = await once(stream, 'response');
  await closed;
  session.close();
  server.close();
  return {
    headers: received as Received['headers'],
    body: Buffer.concat(chunks).toString(),
    code: stream.rstCode ?? 0,
  };
}

describe('a response over HTTP/2', () => {
  it('has every value of a header that is given more than once, and emits `close`', async () => {
    let closed = (): void => undefined;
    const isClosed = new Promise<void>((resolve) => (closed = resolve));
    const headers = ['Warning', '299 - "one"', 'Content-Type', 'text/plain', 'Warning', '299 - "two"'];
    const { headers: got, body } = await exchange({}, (_, response) => {
      response.on('close', closed);
      response.send?.(200, headers, Buffer.from('hello'));
    });
    await isClosed;
    assert.equal(got[':status'], 200);
    assert.equal(got['warning'], '299 - "one", 299 - "two"');
    assert.equal(got['content-type'], 'text/plain');
    assert.equal(body, 'hello');
  });

  it('has the largest status code that Node can send in place of a larger one', async () => {
    const { headers, body } = await exchange({}, (_, response) => response.send?.(700, [], Buffer.from('hello')));
    assert.deepEqual([headers[':status'], body], [599, 'hello']);
  });

  it('ends after its headers if there is no body', async () => {
    const { headers, body } = await exchange({ ':method': 'HEAD' }, (_, response) =>
      response.send?.(200, ['Content-Length', '5'], undefined),
    );
    assert.equal(headers['content-length'], '5');
    assert.equal(body, '');
  });

  it('is written in pieces, with the headers that were set before and without those of a connection', async () => {
    const { headers, body, code } = await exchange({}, (_, response) => {
      response.setHeader('X-Set', ['a', 'b']);
      response.setHeader('Connection', 'close');
      response.writeHead(201, ['X-Given', 'c']);
      response.write(Buffer.from('one '));
      response.write('\u00e9', 'latin1');
      response.end(Buffer.from(' two'));
      response.end();
    });
    assert.deepEqual([headers[':status'], headers['x-set'], headers['x-given']], [201, 'a, b', 'c']);
    assert.equal(headers['connection'], undefined);
    assert.equal(Buffer.from(body).length, Buffer.from('one \ufffd two').length);
    assert.equal(code, constants.NGHTTP2_NO_ERROR);
  });

  it('has the status that was set if it has neither headers nor a body', async () => {
    for (const method of ['GET', 'HEAD']) {
      const { headers, body } = await exchange({ ':method': method }, (_, response) => {
        response.statusCode = 405;
        response.end();
      });
      assert.deepEqual([headers[':status'], body], [405, '']);
    }
  });

  it('is reset with an error if it is destroyed with one', async () => {
    const { code } = await exchange({}, (_, response) => {
      response.writeHead(200);
      response.write(Buffer.from('part'));
      response.destroy(new Error('broken'));
    });
    assert.equal(code, constants.NGHTTP2_INTERNAL_ERROR);
  });

  it('refuses expectations that nobody knows', async () => {
    const { headers } = await exchange({ expect: 'something' }, () => assert.fail('it reached the handler'));
    assert.equal(headers[':status'], 417);
  });
});
