import assert from 'node:assert/strict';
import { CallError } from '../../../../src/outbound/call-error.ts';
import { createWebhook, type Webhook } from '../../../../src/outbound/webhooks/webhook.ts';
import { proxyUser, startHttpProxy } from '../../../http/client/start-proxies.ts';
import { answer, startTlsServer, type TlsServer } from '../start-tls-server.ts';

const never = new AbortController().signal;

describe('webhook', () => {
  let server: TlsServer;
  const open: Pick<Webhook, 'close'>[] = [];

  function webhook(limits: Parameters<typeof createWebhook>[0]['limits'] = {}, settings = server.settings): Webhook {
    const created = createWebhook({ settings: () => settings, limits: { retryMs: 1, ...limits } });
    open.push(created);
    return created;
  }

  beforeEach(async () => {
    server = await startTlsServer();
  });
  afterEach(async () => {
    await server.stop();
    await Promise.all(open.splice(0).map((one) => one.close()));
  });

  const failure =
    (code: string, status = 0) =>
    (error: unknown) => {
      assert.ok(error instanceof CallError, String(error));
      assert.deepEqual({ code: error.code, status: error.status }, { code, status });
      return true;
    };

  it('posts a document with its credentials and returns the document of the answer', async () => {
    server.handle = (_, response) => answer(response, 200, { kind: 'Answer' });
    const settings = { ...server.settings, server: `${server.settings.server}/reviews`, token: 'mine' };
    assert.deepEqual(await webhook({}, settings).call({ kind: 'Question' }, never), { kind: 'Answer' });
    const [seen] = server.seen;
    assert.ok(seen);
    assert.deepEqual(
      [
        seen.method,
        seen.url,
        seen.body,
        seen.headers['content-type'],
        seen.headers.authorization,
        seen.clientAuthorized,
      ],
      ['POST', '/reviews', '{"kind":"Question"}', 'application/json', 'Bearer mine', true],
    );
  });

  it('sends a user name and a password', async () => {
    await webhook({}, { ...server.settings, username: 'ann', password: 'p:w' }).call({}, never);
    assert.equal(server.seen[0]?.headers.authorization, `Basic ${Buffer.from('ann:p:w').toString('base64')}`);
  });

  it('goes through the proxy of its client config', async () => {
    const proxy = await startHttpProxy();
    const proxyUrl = `http://${proxyUser.username}:${encodeURIComponent(proxyUser.password)}@${proxy.address}`;
    await webhook({}, { ...server.settings, proxyUrl }).call({}, never);
    assert.deepEqual(proxy.targets, [new URL(server.settings.server).host]);
    await proxy.stop();
  });

  it('repeats a call that the server could not serve', async () => {
    server.handle = (_, response) =>
      answer(response, server.seen.length < 5 ? 503 : 200, { tries: server.seen.length });
    assert.deepEqual(await webhook().call({}, never), { tries: 5 });
  });

  it('gives up after five tries', async () => {
    server.handle = (_, response) => answer(response, 500, {});
    await assert.rejects(webhook().call({}, never), failure('status', 500));
    assert.equal(server.seen.length, 5);
  });

  it('repeats a call when the connection is lost', async () => {
    server.handle = (_, response) =>
      server.seen.length < 3 ? void response.destroy() : answer(response, 200, { tries: server.seen.length });
    assert.deepEqual(await webhook().call({}, never), { tries: 3 });
  });

  it('does not repeat a call that was refused', async () => {
    server.handle = (_, response) => answer(response, 403, { message: 'secret' });
    await assert.rejects(webhook().call({}, never), (error: unknown) => {
      assert.ok(error instanceof Error && !error.message.includes('secret'));
      return failure('status', 403)(error);
    });
    assert.equal(server.seen.length, 1);
  });

  it('does not follow a redirect', async () => {
    server.handle = (_, response) => void response.writeHead(307, { location: '/elsewhere' }).end();
    await assert.rejects(webhook().call({}, never), failure('status', 307));
    assert.deepEqual(
      server.seen.map(({ url }) => url),
      ['/'],
    );
  });

  const unusable: Readonly<Record<string, TlsServer['handle']>> = {
    'no JSON': (_, response) => void response.end('<html>'),
    'no object': (_, response) => answer(response, 200, [1]),
    'too many bytes': (_, response) => answer(response, 200, { text: 'x'.repeat(2000) }),
    'a compressed body': (_, response) => void response.writeHead(200, { 'content-encoding': 'gzip' }).end('{}'),
  };
  for (const [what, handle] of Object.entries(unusable)) {
    it(`refuses a response with ${what}`, async () => {
      server.handle = handle;
      await assert.rejects(webhook({ maxResponseBytes: 1000 }).call({}, never), failure('malformed'));
      assert.equal(server.seen.length, 1);
    });
  }

  it('gives up on a server that does not answer', async () => {
    server.handle = () => {};
    await assert.rejects(webhook({ timeoutMs: 50 }).call({}, never), failure('timeout'));
  });

  it('ends with its caller, also between tries', async () => {
    const caller = new AbortController();
    const gone = new Error('gone');
    server.handle = (_, response) => {
      answer(response, 500, {});
      setTimeout(() => caller.abort(gone), 20);
    };
    await assert.rejects(webhook({ retryMs: 60_000 }).call({}, caller.signal), gone);
  });

  it('refuses a server of another CA', async () => {
    const other = await startTlsServer();
    open.push({ close: () => other.stop() });
    const settings = { ...server.settings, ca: other.settings.ca ?? '' };
    await assert.rejects(webhook({ tries: 1 }, settings).call({}, never), failure('unreachable'));
    assert.equal(server.seen.length, 0);
  });

  it('uses settings that have changed', async () => {
    let settings = { ...server.settings, token: 'first' };
    const reloaded = createWebhook({ settings: () => settings });
    open.push(reloaded);
    await reloaded.call({}, never);
    settings = { ...server.settings, token: 'second' };
    await reloaded.call({}, never);
    assert.deepEqual(
      server.seen.map(({ headers }) => headers.authorization),
      ['Bearer first', 'Bearer second'],
    );
  });
});
