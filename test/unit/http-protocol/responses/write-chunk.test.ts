import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { joinChunk } from '../../../../src/http-protocol/responses/write-chunks.ts';
import { type Fixture, startFixture } from '../../api/fixture.ts';

const path = '/api/v1/configmaps';

/** Sends bytes as they are and reads until the server ends the connection. */
function sendRaw(fixture: Fixture, bytes: string): Promise<string> {
  const socket = connect(fixture.port, '127.0.0.1', () => socket.write(bytes));
  let text = '';
  socket.setEncoding('latin1').on('data', (part: string) => (text += part));
  return new Promise((resolve, reject) => socket.on('close', () => resolve(text)).on('error', reject));
}

const get = (target: string, version: string, headers = ''): string =>
  `GET ${target} HTTP/${version}\r\nHost: h\r\n${headers}\r\n`;

/** Takes chunks apart as a reader that trusts nothing; answers the lines of the body. */
function linesOf(body: string): string[] {
  let text = '';
  for (let rest = body; ; ) {
    const [, size = '', after = ''] = /^([0-9a-f]+)\r\n(.*)$/s.exec(rest) ?? assert.fail(`no chunk: ${rest}`);
    const length = Number.parseInt(size, 16);
    if (length === 0) {
      assert.equal(after, '\r\n');
      return text.trimEnd().split('\n');
    }
    text += after.slice(0, length);
    assert.equal(after.slice(length, length + 2), '\r\n');
    rest = after.slice(length + 2);
  }
}

const typesOf = (lines: readonly string[]): unknown[] =>
  lines.map((line) => (JSON.parse(line) as { readonly type: unknown }).type);

describe('the chunks of a watch', () => {
  let fixture: Fixture;
  beforeEach(async () => {
    fixture = await startFixture();
    for (const name of ['a', 'b']) await fixture.configMap(name);
  });
  afterEach(() => fixture[Symbol.asyncDispose]());

  it('are those of HTTP/1.1, up to the last', async () => {
    const target = `${path}?watch=1&resourceVersion=0&timeoutSeconds=1`;
    const response = await sendRaw(fixture, get(target, '1.1', 'Connection: close\r\n'));
    const [head = '', body = ''] = response.split(/\r\n\r\n(.*)/s);
    assert.match(head, /Transfer-Encoding: chunked/i);
    assert.deepEqual(typesOf(linesOf(body)), ['ADDED', 'ADDED']);
  });

  it('are none for HTTP/1.0, which ends the connection instead', async () => {
    const response = await sendRaw(fixture, get(`${path}?watch=1&resourceVersion=0&timeoutSeconds=1`, '1.0'));
    const [head = '', body = ''] = response.split(/\r\n\r\n(.*)/s);
    assert.doesNotMatch(head, /chunked/i);
    assert.deepEqual(typesOf(body.trimEnd().split('\n')), ['ADDED', 'ADDED']);
  });

  it('come behind the answers to what was asked before on the same connection', async () => {
    const first = get(`${path}?watch=1&resourceVersion=0&timeoutSeconds=1`, '1.1');
    const second = get(`${path}?watch=1&resourceVersion=0&timeoutSeconds=1`, '1.1', 'Connection: close\r\n');
    const response = await sendRaw(fixture, first + second);
    const bodies = response.split(/HTTP\/1\.1 200 OK\r\n.*?\r\n\r\n/s).slice(1);
    assert.deepEqual(bodies.map(linesOf).map(typesOf), [
      ['ADDED', 'ADDED'],
      ['ADDED', 'ADDED'],
    ]);
  });

  it('say their length in hexadecimal digits', () => {
    const { bytes, framed } = joinChunk([Buffer.from('x'.repeat(30)), Buffer.from('\n')]);
    assert.equal(framed.toString(), `1f\r\n${bytes.toString()}\r\n`);
    assert.equal(bytes.toString(), `${'x'.repeat(30)}\n`);
  });
});
