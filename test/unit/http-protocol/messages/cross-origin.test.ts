import assert from 'node:assert/strict';
import { once } from 'node:events';
import http2 from 'node:http2';
import type { AddressInfo } from 'node:net';
import { http2Settings } from '../../../../src/http-protocol/messages/server-settings.ts';
import { startFixture } from '../../api/fixture.ts';

const configMaps = '/api/v1/namespaces/ns/configmaps';
const origin = 'https://console.example.com';
const corsAllowedOrigins = ['^https://console\\.example\\.com$', '//localhost:'];

describe('web pages of other origins', () => {
  it('may send requests from the allowed ones', async () => {
    await using fixture = await startFixture({ options: { corsAllowedOrigins } });
    for (const allowed of [origin, 'http://localhost:8080']) {
      const { status, headers } = await fixture.send({ path: configMaps, headers: { origin: allowed } });
      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], allowed);
      assert.equal(headers['access-control-allow-credentials'], 'true');
      assert.equal(headers['access-control-expose-headers'], 'Date');
      assert.match(String(headers['vary']), /Origin/);
    }
  });

  it('get the headers with errors and from non-resource paths too', async () => {
    await using fixture = await startFixture({ options: { corsAllowedOrigins } });
    for (const path of [`${configMaps}/missing`, '/nowhere', '/version', '/api/v1/%2e%2e/x']) {
      const { headers } = await fixture.send({ path, headers: { origin } });
      assert.equal(headers['access-control-allow-origin'], origin, path);
    }
  });

  it('have their preflight requests answered before authentication', async () => {
    await using fixture = await startFixture({ options: { corsAllowedOrigins }, anonymousAuth: false });
    const preflight = { method: 'OPTIONS', path: configMaps, headers: { authorization: 'Bearer nobody', origin } };
    const { status, headers, text } = await fixture.send(preflight);
    assert.equal(status, 204);
    assert.equal(text, '');
    assert.equal(headers['content-length'], undefined);
    assert.equal(headers['access-control-allow-methods'], 'POST, GET, OPTIONS, PUT, DELETE, PATCH');
    assert.match(String(headers['access-control-allow-headers']), /Authorization/);
    const refused = { ...preflight, headers: { ...preflight.headers, origin: 'https://example.org' } };
    assert.equal((await fixture.send(refused)).status, 401);
  });

  it('cannot read responses from origins that are not allowed', async () => {
    await using fixture = await startFixture({ options: { corsAllowedOrigins } });
    for (const other of [`${origin}.example.org`, 'https://example.org', 'null', `${origin}${'x'.repeat(600)}`]) {
      const { status, headers } = await fixture.send({ path: configMaps, headers: { origin: other } });
      assert.equal(status, 200);
      assert.equal(headers['access-control-allow-origin'], undefined, other);
    }
  });

  it('are not known without the setting', async () => {
    await using fixture = await startFixture();
    const { headers } = await fixture.send({ path: configMaps, headers: { origin } });
    assert.equal(headers['access-control-allow-origin'], undefined);
    assert.equal(headers['vary'], undefined);
  });

  for (const pattern of ['https://a.example.com', '^https://a.example.com', '(', 'a$']) {
    it(`are not given by the pattern ${pattern}`, () =>
      assert.rejects(startFixture({ options: { corsAllowedOrigins: [pattern] } }), RangeError));
  }
});

describe('strict transport security', () => {
  it('is asked for in every response', async () => {
    const strictTransportSecurityDirectives = ['max-age=31536000', 'includeSubDomains'];
    await using fixture = await startFixture({ options: { strictTransportSecurityDirectives } });
    for (const path of [configMaps, '/nowhere', '/metrics', '/api/v1/%2e%2e/x']) {
      const { headers } = await fixture.send({ path });
      assert.equal(headers['strict-transport-security'], 'max-age=31536000; includeSubDomains', path);
    }
  });
});

describe('a client over HTTP/2', () => {
  /** Sends requests over one connection until it is closed, at most 50. */
  async function requestsUntilClosed(goawayChance: number, random: () => number): Promise<number> {
    await using fixture = await startFixture({ options: { goawayChance }, random });
    const server = http2.createServer(http2Settings, fixture.handler).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const session = http2.connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    let answered = 0;
    while (!session.closed && answered < 50) {
      const stream = session.request({ ':path': '/version' });
      const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
      assert.equal(headers[':status'], 200);
      stream.resume();
      await once(stream, 'close');
      answered++;
    }
    session.destroy();
    server.close();
    return answered;
  }

  it('connects again after a random request, which is answered', async () => {
    let asked = 0;
    assert.equal(await requestsUntilClosed(0.02, () => (++asked < 5 ? 0.5 : 0.01)), 5);
  });

  it('keeps its connection by default', async () => {
    assert.equal(await requestsUntilClosed(0, () => 0), 50);
  });
});
