import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as rawRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { servePage } from '../../../src/cli/commands/dashboard/serve-page.ts';
import { createForwarder } from '../../../src/cli/commands/pods/forward-http.ts';
import { idleConnections } from '../../idle-connections.ts';
import { startTlsServer } from '../../unit/outbound/start-tls-server.ts';
import { type ClServer, startCl, startClServer, type StartedCl } from './cl-runner.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

describe('cl dashboard', () => {
  let cl: ClServer;
  let started: StartedCl;
  let link: string;
  let origin: string;
  let cookie: string;
  const dispatcher = new Agent();
  before(async () => {
    cl = await startClServer({ store: 'memory' });
    started = startCl(['dashboard'], cl);
    [, link = '', origin = ''] = await started.until(/works once: ((http:\/\/127\.0\.0\.1:\d+)\/open\?token=\S{43})\n/);
  });
  after(async () => {
    await dispatcher.close();
    await cl[Symbol.asyncDispose]();
  });

  const send = (path: string, options: Parameters<typeof request>[1] = {}) =>
    request(new URL(path, origin), { dispatcher, ...options });
  const status = async (path: string, headers: Record<string, string>, method: 'GET' | 'HEAD' | 'POST' = 'GET') => {
    const answer = await send(path, { headers, method, body: method === 'POST' ? '{}' : null });
    await answer.body.dump();
    return answer.statusCode;
  };

  /** Sends a target as it is. */
  const rawStatus = async (target: string): Promise<number> => {
    const { hostname, port } = new URL(origin);
    const sent = rawRequest({ hostname, port, path: target, headers: { cookie }, agent: false });
    sent.end();
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    answer.resume();
    return answer.statusCode ?? 0;
  };

  it('serves nothing before its link is opened, which works once', async () => {
    assert.equal(await status('/dashboard', {}), 401);
    assert.equal(await status('/version', {}), 401);
    assert.equal(await status('/open?token=wrong', {}), 401);
    assert.equal(await status(link, { host: 'attacker.example' }), 403);
    assert.equal(await status(link, {}, 'HEAD'), 401);
    const answers = await Promise.all([send(link), send(link), send(link)]);
    await Promise.all(answers.map(({ body }) => body.dump()));
    const [first, ...more] = answers.filter(({ statusCode }) => statusCode === 200);
    assert.ok(first && more.length === 0, 'one of those at the same moment');
    const set = String(first.headers['set-cookie']);
    assert.match(set, /^dashboard-\d+=\S{43}; Path=\/; HttpOnly; SameSite=Strict$/);
    cookie = set.replace(/;.*/, '');
    assert.equal(await status(link, {}), 401);
    assert.equal(await status('/dashboard', { cookie }), 200);
    assert.equal(await status('/dashboard/dashboard.js', { cookie }), 200);
  });

  it('forwards reads, writes and watches with the credentials of the client config', async () => {
    const watch = await send(`${configMaps}?watch=true`, { headers: { cookie } });
    const headers = { cookie, origin, 'content-type': 'application/json', authorization: 'Bearer wrong' };
    const body = JSON.stringify({ metadata: { name: 'made' } });
    const made = await send(configMaps, { method: 'POST', headers, body });
    await made.body.dump();
    assert.equal(made.statusCode, 201);
    assert.match(String(made.headers['content-security-policy']), /sandbox/);
    const events: Readable = watch.body;
    let seen = '';
    while (!seen.includes('"name":"made"')) seen += String((await once(events, 'data'))[0]);
    assert.match(seen, /"type":"ADDED"/);
    events.on('error', () => {}).destroy();
  });

  it('refuses other hosts, what pages of other origins send, and pages of pods', async () => {
    assert.equal(await status('/version', { cookie }), 200);
    assert.equal(await status('/version', { cookie: `${cookie}x` }), 401);
    assert.equal(await status('/version', { cookie, host: 'attacker.example' }), 403);
    assert.equal(await status('/version', { cookie, origin: 'http://attacker.example' }), 403);
    assert.equal(await status('/version', { cookie, 'sec-fetch-site': 'same-site' }), 403);
    assert.equal(await status(configMaps, { cookie, origin: 'http://127.0.0.1:1' }, 'POST'), 403);
    assert.equal(await status(configMaps, { cookie }, 'POST'), 403);
    assert.equal(await status('/api/v1/namespaces/default/services/web/prox%79/', { cookie }), 403);
    for (const target of ['//attacker.example/api', 'http://attacker.example/api', '*', `${origin}/version`]) {
      assert.equal(await rawStatus(target), 400, target);
    }
  });

  it('passes on no header by which a server behind the API could act in the origin of the page', async () => {
    const backend = await startTlsServer();
    backend.handle = (_request, response) => {
      response.writeHead(200, {
        'Content-Type': 'text/html',
        'Content-Security-Policy': 'script-src *',
        'Set-Cookie': 'dashboard-1=mine',
        'X-Content-Type-Options': 'none',
        'X-Own': '1',
      });
      response.end('<script></script>');
    };
    const forwarder = createForwarder(backend.settings);
    const isOpen = { judge: () => ({ isAllowed: true }) as const, signOut: () => '' };
    const handler = servePage({ files: new Map(), forwarder, guard: isOpen, onSignedOut: () => {} });
    const page = createServer(idleConnections, handler).listen(0, '127.0.0.1');
    await once(page, 'listening');
    const { headers, body } = await send(`http://127.0.0.1:${(page.address() as AddressInfo).port}/apis/x`, {
      headers: { cookie: 'dashboard-1=secret', authorization: 'Bearer secret' },
    });
    await body.dump();
    page.close();
    forwarder.close();
    const [seen] = backend.seen;
    await backend.stop();
    assert.deepEqual([seen?.headers.cookie, seen?.headers.authorization], [undefined, undefined]);
    assert.match(String(headers['content-security-policy']), /default-src 'none'; sandbox/);
    assert.deepEqual(
      [headers['x-content-type-options'], headers['set-cookie'], headers['x-own']],
      ['nosniff', undefined, '1'],
    );
  });

  it('signs the browser out on this side too: its cookie counts no more, its watches end, a new link works', async () => {
    const watch = await send(`${configMaps}?watch=true`, { headers: { cookie } });
    const ended = watch.body.dump({ limit: 1_000_000 }).catch(() => {});
    assert.equal(await status('/dashboard/sign-out', { cookie }, 'POST'), 403, 'a page of another site');
    assert.equal(await status('/dashboard/sign-out', { origin }, 'POST'), 401);
    assert.equal(await status('/dashboard/sign-out', { cookie, origin }, 'POST'), 204);
    await ended;
    assert.equal(await status('/version', { cookie }), 401);
    assert.equal(await status('/dashboard', { cookie }), 401);
    assert.equal(await status(link, {}), 401, 'the earlier link');
    const [, next = ''] = await started.until(/works once: \S+\n.*works once: (\S+)\n/s);
    const answer = await send(next);
    await answer.body.dump();
    const renewed = String(answer.headers['set-cookie']).replace(/;.*/, '');
    assert.notEqual(renewed, cookie);
    assert.equal(await status('/version', { cookie: renewed }), 200);
  });

  it('ends when it is interrupted', async () => {
    assert.equal(await started.interrupt(), 130);
    await assert.rejects(send('/dashboard'));
  });
});
