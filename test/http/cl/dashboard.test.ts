import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
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

  it('serves nothing before its link is opened, which works once', async () => {
    assert.equal(await status('/dashboard', {}), 401);
    assert.equal(await status('/version', {}), 401);
    assert.equal(await status('/open?token=wrong', {}), 401);
    assert.equal(await status(link, { host: 'attacker.example' }), 403);
    assert.equal(await status(link, {}, 'HEAD'), 401);
    const first = await send(link);
    await first.body.dump();
    assert.equal(first.statusCode, 200);
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
  });

  it('ends when it is interrupted', async () => {
    assert.equal(await started.interrupt(), 130);
    await assert.rejects(send('/dashboard'));
  });
});
