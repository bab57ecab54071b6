import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { sendOverHttp2 } from '../../../src/http/respond/send-over-http2.ts';

interface Received {
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: string;
}

/** Sends one answer to one request and says what the client got, once the server has seen the response closed. */
async function exchange(method: string, headers: readonly string[], body: Buffer | undefined): Promise<Received> {
  const server = createServer();
  const closed = new Promise<void>((resolve) => {
    server.on('request', (_request, response) => {
      response.on('close', resolve);
      sendOverHttp2(response, response.stream, 200, headers, body);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // The address of a listening TCP server is an AddressInfo.
  const session = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const stream = session.request({ ':method': method, ':path': '/' });
  const chunks: Buffer[] = [];
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  const [[received]] = await Promise.all([once(stream, 'response'), once(stream, 'end'), closed]);
  session.close();
  server.close();
  return { headers: received as Received['headers'], body: Buffer.concat(chunks).toString() };
}

describe('an answer over HTTP/2', () => {
  it('has every value of a header that is given more than once, and says when it is closed', async () => {
    const headers = ['Warning', '299 - "one"', 'Content-Type', 'text/plain', 'Warning', '299 - "two"'];
    const { headers: got, body } = await exchange('GET', headers, Buffer.from('hello'));
    assert.equal(got[':status'], 200);
    assert.equal(got['warning'], '299 - "one", 299 - "two"');
    assert.equal(got['content-type'], 'text/plain');
    assert.equal(body, 'hello');
  });

  it('ends behind its headers where there is no body', async () => {
    const { headers, body } = await exchange('HEAD', ['Content-Length', '5'], undefined);
    assert.equal(headers['content-length'], '5');
    assert.equal(body, '');
  });
});
