import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, createClient } from '../../../src/client/client.ts';
import { answer, startTlsServer, type TlsServer } from '../outbound/start-tls-server.ts';

const secrets = { group: '', version: 'v1', resource: 'secrets', namespaced: true } as const;
const nodes = { group: '', version: 'v1', resource: 'nodes', namespaced: false } as const;
const ingresses = { group: 'networking.cl.io', version: 'v1', resource: 'ingresses', namespaced: true } as const;

describe('the client', () => {
  let server: TlsServer;
  let client: Client;
  const last = () => {
    const { method, url, body } = server.seen.at(-1) ?? assert.fail('no request');
    return `${method} ${url}${body ? ` ${body}` : ''}`;
  };

  before(async () => {
    server = await startTlsServer();
  });
  after(() => server.stop());
  beforeEach(() => {
    server.seen.length = 0;
    server.handle = (_, response) => answer(response, 200, { metadata: {}, items: [] });
    client = createClient(server.settings, { userAgent: 'story' });
  });
  afterEach(() => client.close());

  it('presents its certificate and verifies the server', async () => {
    await client.resource(secrets).list();
    const [request] = server.seen;
    assert.equal(request?.clientAuthorized, true);
    assert.equal(request?.headers['user-agent'], 'story');
    assert.equal(request?.headers['accept-encoding'], 'identity');
  });

  it('refuses a server that its CA did not sign, unless verification is off', async () => {
    const { ca: _, ...settings } = server.settings;
    const stranger = createClient(settings);
    await assert.rejects(stranger.resource(secrets).list(), { reason: 'Unreachable', code: 0 });
    const careless = createClient({ ...settings, insecure: true });
    await careless.resource(secrets).list();
    await Promise.all([stranger.close(), careless.close()]);
  });

  it('has a path and a method for every verb', async () => {
    const some = client.resource(secrets);
    await some.get('a');
    assert.equal(last(), 'GET /api/v1/namespaces/default/secrets/a');
    await some.list();
    assert.equal(last(), 'GET /api/v1/secrets');
    await some.list({ namespace: 'n', labelSelector: 'a in (b,c)', limit: 2 });
    assert.equal(last(), 'GET /api/v1/namespaces/n/secrets?labelSelector=a+in+%28b%2Cc%29&limit=2');
    await some.create({ metadata: { name: 'a', namespace: 'm' } }, { dryRun: true });
    assert.equal(last(), 'POST /api/v1/namespaces/m/secrets?dryRun=All {"metadata":{"name":"a","namespace":"m"}}');
    await some.update({ metadata: { name: 'a' } });
    assert.equal(last(), 'PUT /api/v1/namespaces/default/secrets/a {"metadata":{"name":"a"}}');
    await some.patch('a', { x: 1 }, { type: 'merge', subresource: 'status', fieldManager: 'me' });
    assert.equal(last(), 'PATCH /api/v1/namespaces/default/secrets/a/status?fieldManager=me {"x":1}');
    assert.equal(server.seen.at(-1)?.headers['content-type'], 'application/merge-patch+json');
    await some.delete('a');
    assert.equal(last(), 'DELETE /api/v1/namespaces/default/secrets/a');
    await some.delete('a', { preconditions: { uid: 'u' } });
    assert.match(last(), /\{"kind":"DeleteOptions","apiVersion":"v1","preconditions":\{"uid":"u"\}\}$/);
    await some.deleteCollection({ labelSelector: 'a=b' });
    assert.equal(last(), 'DELETE /api/v1/namespaces/default/secrets?labelSelector=a%3Db');
    await client.resource(nodes).get('n', { namespace: 'ignored' });
    assert.equal(last(), 'GET /api/v1/nodes/n');
    await client.resource(ingresses).list({ namespace: 'n' });
    assert.equal(last(), 'GET /apis/networking.cl.io/v1/namespaces/n/ingresses');
  });

  it('lets no name reach another path', async () => {
    await client.resource(secrets).get('a/../../b?c');
    assert.equal(last(), 'GET /api/v1/namespaces/default/secrets/a%2F..%2F..%2Fb%3Fc');
    for (const name of ['', '.', '..']) assert.throws(() => client.resource(secrets).get(name), TypeError);
  });

  it('reads all pages at one version', async () => {
    server.handle = ({ url }, response) => {
      const token = new URL(url, 'http://x').searchParams.get('continue');
      const metadata = token ? { resourceVersion: '7' } : { resourceVersion: '7', continue: 'next' };
      answer(response, 200, { metadata, items: [{ metadata: { name: token ?? 'first' } }] });
    };
    const names: unknown[] = [];
    for await (const page of client.resource(secrets).pages({ resourceVersion: '5' })) {
      names.push(...page.items.map(({ metadata }) => metadata?.name));
    }
    assert.deepEqual(names, ['first', 'next']);
    assert.deepEqual(
      server.seen.map(({ url }) => url),
      ['/api/v1/secrets?limit=500&resourceVersion=5', '/api/v1/secrets?limit=500&continue=next'],
    );
  });

  it('asks for a page when its reader is done with the one before, so that one is in memory', async () => {
    server.handle = (_, response) =>
      answer(response, 200, { metadata: { resourceVersion: '7', continue: 'next' }, items: [] });
    let read = 0;
    for await (const _ of client.resource(secrets).pages({ limit: 10 })) {
      assert.equal(server.seen.length, ++read);
      // A page that was asked for too early would be seen after another request.
      await client.resource(secrets).get('a');
      server.seen.splice(read);
      if (read === 3) break;
    }
    assert.ok(server.seen.every(({ url }) => url.includes('limit=10')));
  });

  it('sends a user name and a password where there is no token', async () => {
    const { cert: _, key: __, ...settings } = server.settings;
    const named = createClient({ ...settings, username: 'ann', password: 'p:w' });
    await named.resource(secrets).list();
    assert.equal(server.seen[0]?.headers.authorization, `Basic ${Buffer.from('ann:p:w').toString('base64')}`);
    await named.close();
  });

  it('throws what the server says', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code: 404, reason: 'NotFound' };
    server.handle = (_, response) => answer(response, 404, { ...status, message: 'secrets "a" not found' });
    await assert.rejects(client.resource(secrets).get('a'), {
      name: 'StatusError',
      code: 404,
      reason: 'NotFound',
      message: 'secrets "a" not found',
    });
    server.handle = (_, response) => void response.writeHead(502).end('<html>bad gateway</html>');
    await assert.rejects(client.resource(secrets).get('a'), {
      code: 502,
      reason: 'BadAnswer',
      message: 'the server answered 502: <html>bad gateway</html>',
    });
  });

  for (const [code, reason] of [
    [404, 'NotFound'],
    [409, 'Conflict'],
    [410, 'Gone'],
    [401, 'Unauthorized'],
    [403, 'Forbidden'],
  ] as const) {
    it(`takes a ${code} without a Status, or a Status without a reason, for ${reason}`, async () => {
      server.handle = (_, response) => void response.writeHead(code).end('no Status');
      const message = `the server answered ${code}: no Status`;
      await assert.rejects(client.resource(secrets).get('a'), { code, reason, message });
      server.handle = (_, response) => answer(response, code, { kind: 'Status', status: 'Failure', message: 'short' });
      await assert.rejects(client.resource(secrets).get('a'), { code, reason, message: 'short' });
    });
  }

  it('takes a 429 without a Status for TooManyRequests', async () => {
    const impatient = createClient(server.settings, { retries: 0 });
    server.handle = (_, response) => void response.writeHead(429, { 'retry-after': '1' }).end();
    await assert.rejects(impatient.resource(secrets).list(), { code: 429, reason: 'TooManyRequests' });
    await impatient.close();
  });

  it('says that a server cannot be reached', async () => {
    const nowhere = createClient({ server: 'https://127.0.0.1:1', namespace: 'default' });
    await assert.rejects(nowhere.resource(secrets).list(), {
      reason: 'Unreachable',
      message: 'cannot reach https://127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1',
    });
    await nowhere.close();
  });

  it('ends a request when its signal aborts', async () => {
    server.handle = () => {};
    const reason = new Error('enough');
    const controller = new AbortController();
    const pending = client.resource(secrets).list({ signal: controller.signal });
    setTimeout(() => controller.abort(reason), 20);
    await assert.rejects(pending, reason);
  });

  it('watches: events as they come, until the server ends', async () => {
    const events = [1, 2, 3].map((n) => ({ type: 'ADDED', object: { metadata: { name: `ключ${n}` } } }));
    server.handle = async (_, response) => {
      const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''));
      // Cut inside characters and across lines.
      for (let at = 0; at < bytes.length; at += 7) {
        response.write(bytes.subarray(at, at + 7));
        await new Promise(setImmediate);
      }
      response.end();
    };
    const seen: unknown[] = [];
    for await (const event of client.resource(secrets).watch({ resourceVersion: '4' })) seen.push(event);
    assert.deepEqual(seen, events);
    assert.equal(last(), 'GET /api/v1/secrets?watch=true&resourceVersion=4');
  });

  it('watches: an ERROR event is thrown, an aborted signal ends quietly', async () => {
    const object = { kind: 'Status', code: 410, reason: 'Expired', message: 'too old resource version' };
    server.handle = (_, response) => void response.write(`${JSON.stringify({ type: 'ERROR', object })}\n`);
    const secretsNow = client.resource(secrets);
    const iterate = async (signal?: AbortSignal) => {
      for await (const _ of secretsNow.watch({ signal })) assert.fail('no event was sent');
    };
    await assert.rejects(iterate(), { code: 410, reason: 'Expired' });
    server.handle = (_, response) => response.flushHeaders();
    await iterate(AbortSignal.timeout(30));
    await iterate(AbortSignal.abort());
  });

  it('sends a token, and reads a token file again', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'token-'));
    const tokenFile = join(directory, 'token');
    await writeFile(tokenFile, 'from-file\n');
    const { server: origin, ca } = server.settings;
    for (const [settings, expected] of [
      [{ token: 'plain' }, 'Bearer plain'],
      [{ tokenFile }, 'Bearer from-file'],
    ] as const) {
      const bearer = createClient({ server: origin, ca, namespace: 'default', ...settings });
      await bearer.resource(secrets).list();
      assert.equal(server.seen.at(-1)?.headers.authorization, expected);
      await bearer.close();
    }
    await rm(directory, { recursive: true });
  });

  it('hands over warnings', async () => {
    server.handle = (_, response) => {
      response.setHeader('warning', ['299 - "unknown field \\"spec.x\\""', '299 - "second, with comma"']);
      answer(response, 200, {});
    };
    const warnings: string[] = [];
    const warned = createClient(server.settings, { onWarning: (text) => warnings.push(text) });
    await warned.resource(secrets).get('a');
    assert.deepEqual(warnings, ['unknown field "spec.x"', 'second, with comma']);
    await warned.close();
  });
});
