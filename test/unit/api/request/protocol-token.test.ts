import assert from 'node:assert/strict';
import type { HttpRequest } from '../../../../src/http-protocol/messages/http-message.ts';
import { takeProtocolToken } from '../../../../src/api/request/protocol-token.ts';

const encoded = (token: string): string => Buffer.from(token).toString('base64url');
const ours = `base64url.bearer.authorization.cl.io.${encoded('a token')}`;
const theirs = `base64url.bearer.authorization.k8s.io.${encoded('größe')}`;

/** Takes the token of a request with header lines; returns it with the protocols that go on. */
function takeFrom(upgrade: string | undefined, ...lines: readonly string[]) {
  const rawHeaders = ['Host', 'h', ...lines.flatMap((line) => ['Sec-WebSocket-Protocol', line])];
  const headers = { upgrade, ...(lines.length > 0 ? { 'sec-websocket-protocol': lines.join(', ') } : {}) };
  const request = { rawHeaders, headers } as unknown as HttpRequest;
  const authorization = takeProtocolToken(request);
  return [authorization, request.headers['sec-websocket-protocol'], rawHeaders.slice(2)];
}

const take = (...lines: readonly string[]) => takeFrom('WebSocket', ...lines);

describe('the token among the sub-protocols of a WebSocket', () => {
  it('is taken out under either name, and the others go on', () => {
    const left = ['Sec-WebSocket-Protocol', 'v4.channel'];
    assert.deepEqual(take(`${ours}, v4.channel`), [{ kind: 'bearer', token: 'a token' }, 'v4.channel', left]);
    assert.deepEqual(take('v4.channel', theirs), [{ kind: 'bearer', token: 'größe' }, 'v4.channel', left]);
  });

  it('is none in other protocols, which stay as they are', () => {
    const other = ['v4.channel,  base64.binary', 'x'];
    const lines = other.flatMap((line) => ['Sec-WebSocket-Protocol', line]);
    assert.deepEqual(take(...other), [{ kind: 'none' }, other.join(', '), lines]);
    assert.deepEqual(take(), [{ kind: 'none' }, undefined, []]);
    assert.deepEqual(take(`x-${ours}`)[0], { kind: 'none' });
  });

  for (const upgrade of [undefined, 'SPDY/3.1'])
    it(`identifies nobody where the upgrade is ${upgrade}, and does not go on`, () => {
      const left = ['Sec-WebSocket-Protocol', 'v4.channel'];
      assert.deepEqual(takeFrom(upgrade, `${ours}, v4.channel`), [{ kind: 'none' }, 'v4.channel', left]);
    });

  for (const [what, lines] of [
    ['no other protocol', [ours]],
    ['two tokens', [`${ours}, ${theirs}, v4.channel`]],
    ['an empty token', ['base64url.bearer.authorization.k8s.io., v4.channel']],
    ['padding', ['base64url.bearer.authorization.k8s.io.YQ==, v4.channel']],
    ['characters of another alphabet', ['base64url.bearer.authorization.k8s.io.a+/b, v4.channel']],
    ['bytes that are no UTF-8', ['base64url.bearer.authorization.k8s.io._w, v4.channel']],
  ] as const) {
    it(`is malformed with ${what}, and does not go on`, () => {
      const [authorization, left] = take(...lines);
      assert.deepEqual(authorization, { kind: 'malformed' });
      assert.ok(!JSON.stringify(left ?? '').includes('bearer'));
    });
  }
});
