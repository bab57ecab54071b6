import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { connect } from 'node:tls';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { agentOf, readEvents, request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import { until } from '../until.ts';
import { type AggregatedWorld, apiServices, startAggregatedWorld } from './aggregated-world.ts';

const group = 'things.example.com';
const things = `/apis/${group}/v1/namespaces/default/things`;

describe('a request for a version of another server', () => {
  let world: AggregatedWorld;
  before(async () => {
    world = await startAggregatedWorld({ authorizationMode: 'RBAC' });
    await world.serve(group);
  });
  after(() => world[Symbol.asyncDispose]());

  const last = () => world.forwarded().at(-1);

  it('is passed on as it is, with the user in place of the credentials', async () => {
    const sent = { 'x-remote-user': 'root', 'x-remote-extra-a': 'b', x_remote_group: 'c', cookie: 'd=e' };
    const answer = await request(world.server, 'GET', `${things}/a%20b/?q=c%20d&e`, undefined, sent);
    assert.equal(answer.status, 200, answer.text);
    assert.deepEqual(answer.body, { url: `${things}/a%20b/?q=c%20d&e` });
    const { headers, client, rawHeaders } = last() ?? assert.fail();
    assert.equal(client, 'front-proxy');
    assert.equal(headers['x-remote-user'], 'admin');
    assert.ok(!rawHeaders.includes('root') && !rawHeaders.includes('b') && !rawHeaders.includes('c'));
    assert.equal(headers['cookie'], 'd=e');
    assert.equal(headers['x-forwarded-proto'], 'https');
    assert.equal(headers['audit-id'], answer.headers['audit-id']);
    assert.equal(headers['host'], `localhost:${world.backendPort}`);
  });

  it('never carries the token of its client', async () => {
    const token = world.server.token;
    await request(world.server, 'POST', things, { a: 1 });
    await request(world.server, 'GET', `${things}?watch=0`);
    assert.ok(!JSON.stringify(world.seen).includes(token), 'the token was passed on');
    assert.ok(world.seen.every(({ headers }) => headers.authorization === undefined));
  });

  it('is sent as the impersonated user, with groups and extra fields', async () => {
    const impersonated = {
      'impersonate-user': Buffer.from('zoë').toString('latin1'),
      'impersonate-uid': 'u-1',
      'impersonate-group': 'dev',
      'impersonate-extra-acme.com%2Fteam': 'blue',
    };
    const answer = await request(world.server, 'GET', things, undefined, impersonated);
    assert.equal(answer.status, 403, 'the authorizers of this server decide first');
    const role = { metadata: { name: 'things' }, rules: [{ apiGroups: [group], resources: ['*'], verbs: ['*'] }] };
    const rbac = '/apis/rbac.authorization.cl.io/v1';
    await request(world.server, 'POST', `${rbac}/clusterroles`, role);
    const binding = {
      metadata: { name: 'things' },
      roleRef: { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name: 'things' },
      subjects: [{ apiGroup: 'rbac.authorization.cl.io', kind: 'Group', name: 'dev' }],
    };
    assert.equal((await request(world.server, 'POST', `${rbac}/clusterrolebindings`, binding)).status, 201);
    assert.equal((await request(world.server, 'GET', things, undefined, impersonated)).status, 200);
    const { headers, rawHeaders } = last() ?? assert.fail();
    assert.equal(Buffer.from(String(headers['x-remote-user']), 'latin1').toString(), 'zoë');
    assert.deepEqual(
      rawHeaders.flatMap((text, index) => (text.toLowerCase() === 'x-remote-group' ? [rawHeaders[index + 1]] : [])),
      ['dev', 'system:authenticated'],
    );
    assert.equal(headers['x-remote-extra-acme.com%2fteam'], 'blue');
    assert.equal(headers['x-remote-uid'], 'u-1');
    assert.ok(Object.keys(headers).every((name) => !name.startsWith('impersonate-')));
  });

  it('passes bodies in both directions while they arrive', async () => {
    const path = `${things}/stream`;
    world.at(path, (asked, response) => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      asked.on('data', (chunk: Buffer) => response.write(chunk.toString().toUpperCase()));
      asked.on('end', () => response.end('.'));
    });
    const body = new Readable({ read: () => {} });
    body.push('a');
    const { server } = world;
    const answer = await agentOf(server).request({
      origin: server.url,
      path,
      method: 'POST',
      body,
      headers: { authorization: `Bearer ${server.token}` },
    });
    const chunks = answer.body[Symbol.asyncIterator]();
    const next = async () => String((await chunks.next()).value as Buffer);
    assert.equal(await next(), 'A');
    body.push('b');
    assert.equal(await next(), 'B');
    body.push(null);
    assert.equal(await next(), '.');
    assert.equal((await chunks.next()).done, true);
  });

  it('keeps no more of a response than its reader takes', async () => {
    const path = `${things}/huge`;
    let written = 0;
    world.at(path, (_, response) => {
      const chunk = Buffer.alloc(256 * 1024);
      const more = (): void => {
        while (!response.destroyed) {
          written += chunk.length;
          if (!response.write(chunk)) break;
        }
      };
      response.on('drain', more);
      more();
    });
    const { server } = world;
    const socket = connect({ port: server.port, host: '127.0.0.1', ca: server.ca, ALPNProtocols: ['http/1.1'] });
    await once(socket, 'secureConnect');
    socket.pause().write(`GET ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${server.token}\r\n\r\n`);
    await until('the response to begin', () => written > 0);
    let before = -1;
    await until('the backend to wait', async () => {
      const isWaiting = before === written;
      before = written;
      await sleep(100);
      return isWaiting;
    });
    assert.ok(written < 64 * 1024 * 1024, `${written} bytes were taken`);
    socket.destroy();
  });

  it('ends at the backend when its client goes', async () => {
    let hasEnded = false;
    world.at(things, (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
      response.on('close', () => (hasEnded = true));
    });
    const watch = readEvents(world.server, `${things}?watch=1`);
    await until('the first event', () => watch.events.length === 1);
    assert.equal(hasEnded, false);
    watch.stop();
    await until('the end of the watch at the backend', () => hasEnded);
  });

  it('is answered with the reason if the backend breaks off, without the rest of a response', async () => {
    world.at(`${things}/cut`, ({ socket }) => socket.destroy());
    const cut = await request(world.server, 'POST', `${things}/cut`, {});
    assert.deepEqual([cut.status, cut.text], [503, 'error trying to reach service: EOF\n']);
    world.at(`${things}/half`, (asked, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setImmediate(() => asked.socket.destroy());
    });
    await assert.rejects(request(world.server, 'GET', `${things}/half`));
    world.at(`${things}/lie`, (asked) => asked.socket.end('HTTP/1.1 banana\r\n\r\n'));
    const lie = await request(world.server, 'GET', `${things}/lie`);
    assert.equal(lie.status, 503, lie.text);
    for (const status of ['099', '103', '102']) {
      world.at(`${things}/odd`, (asked) => asked.socket.end(`HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`));
      const odd = await request(world.server, 'GET', `${things}/odd`);
      assert.equal(odd.status, 503, odd.text);
    }
    const large = `${things}/large-headers`;
    world.at(large, (_, response) => response.writeHead(200, { a: 'b'.repeat(100_000) }).end());
    assert.equal((await request(world.server, 'GET', large)).status, 503);
  });

  it('is not redirected, and gets no headers of the connection', async () => {
    world.at(`${things}/moved`, (_, response) => response.writeHead(302, { location: 'https://example.com' }).end());
    const moved = await request(world.server, 'GET', `${things}/moved`);
    assert.equal(moved.status, 502);
    assert.equal(moved.headers['location'], undefined);
    assert.equal(moved.text, 'the backend attempted to redirect this request, which is not permitted');
    world.at(`${things}/hops`, (_, response) => {
      response.writeHead(200, { connection: 'x-hop', 'x-hop': '1', 'x-end': '2', 'set-cookie': ['a=1', 'b=2'] });
      response.end();
    });
    const { headers } = await request(world.server, 'GET', `${things}/hops`, undefined, { te: 'gzip, trailers' });
    assert.deepEqual([headers['x-hop'], headers['x-end'], headers['set-cookie']], [undefined, '2', ['a=1', 'b=2']]);
    assert.equal(last()?.headers['te'], 'trailers');
  });

  it('may not have dot segments', async () => {
    for (const path of [`/apis/${group}/v1/../x`, `/apis/${group}/v1/%2E%2e/x`, `/apis/${group}/v1/.`]) {
      const asked = world.forwarded().length;
      assert.equal((await request(world.server, 'GET', path)).status, 400, path);
      assert.equal(world.forwarded().length, asked);
    }
  });

  it('gets no request that its user may not make, however the path is spelled', async () => {
    const rules = [{ verbs: ['list'], apiGroups: [group], resources: ['foos'] }];
    const rbac = '/apis/rbac.authorization.cl.io/v1';
    const name = 'foos';
    await request(world.server, 'POST', '/api/v1/namespaces', { metadata: { name: 'allowed' } });
    await request(world.server, 'POST', `${rbac}/namespaces/allowed/roles`, { metadata: { name }, rules });
    await request(world.server, 'POST', `${rbac}/namespaces/allowed/rolebindings`, {
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.cl.io', kind: 'Role', name },
      subjects: [{ kind: 'User', name: 'limited' }],
    });
    const limited = { 'impersonate-user': 'limited' };
    const foos = `/apis/${group}/v1/namespaces/allowed/foos`;
    assert.equal((await request(world.server, 'GET', foos, undefined, limited)).status, 200);
    const asked = world.forwarded().length;
    for (const path of [
      `/apis/${group}/v1//namespaces/x/foos`,
      `/apis/${group}/v1/namespaces//foos`,
      `/apis/${group}/v1/watch`,
      `/apis/${group}/v1/proxy`,
      `//apis/${group}/v1/namespaces/x/foos`,
      `/apis//${group}/v1/namespaces/x/foos`,
      `/apis%2f${group}/v1/namespaces/x/foos`,
      `/apis/${group}%2fv1/namespaces/x/foos`,
      `${foos}/a%2fsecretsub`,
      `${foos}/..%2f..%2fforbidden%2ffoos%2fx`,
      `${foos}/../../x/foos`,
      `${foos}%2f..%2f..%2fx%2ffoos`,
      `${foos};/../x`,
    ]) {
      const { status, text } = await request(world.server, 'GET', path, undefined, limited);
      assert.ok(status === 403 || status === 404, `${path}: ${status} ${text}`);
    }
    // One who may do everything gets no further with a path that others could read differently.
    for (const path of [
      `/apis/${group}/v1//foos`,
      `/apis/${group}/v1/namespaces//foos`,
      `${foos}/a%2fb`,
      `${foos}/a/sub/%2e%2e/b`,
      `${foos}/a/sub/b%2f..%2f..%2fc`,
      `/apis/${group}/v1//`,
    ]) {
      const { status, text } = await request(world.server, 'GET', path);
      assert.ok(status === 400 || status === 404, `${path}: ${status} ${text}`);
    }
    assert.equal(world.forwarded().length, asked);
  });

  it('gets the path and the query as they were read, in one spelling', async () => {
    const foos = `/apis/${group}/v1/namespaces/x/foos`;
    const passed: Readonly<Record<string, string>> = {
      [`/%61pis/${group}/v1/namespaces/x/foos/%61%3a%7e`]: `${foos}/a:~`,
      [`${foos}//`]: `${foos}/`,
      [`${foos}/a;b`]: `${foos}/a;b`,
      [`${foos}/a%25b%3Fc%23d%5Ce`]: `${foos}/a%25b%3Fc%23d%5Ce`,
      [`${foos}/%c3%a9`]: `${foos}/%C3%A9`,
      [`${foos}/a/proxy//b%2fc/%ff/`]: `${foos}/a/proxy//b%2Fc/%FF/`,
      [`${foos}?a=1;watch=1&b=%zz&c=%2f+x`]: `${foos}?a=1%3Bwatch=1&b=%25zz&c=%2f+x`,
      [`https://elsewhere.example${foos}?a`]: `${foos}?a`,
    };
    for (const [sent, wanted] of Object.entries(passed)) {
      const { status, text } = await request(world.server, 'GET', sent);
      assert.equal(status, 200, text);
      assert.equal(world.forwarded().at(-1)?.url, wanted, sent);
      assert.equal(world.forwarded().at(-1)?.headers['x-forwarded-uri'], wanted.replace(/\?.*/, ''), sent);
    }
  });

  it('upgrades its connection, and gets the refusal of an upgrade', async () => {
    world.backend.on('upgrade', (asked, socket: Socket) => {
      if (asked.url?.endsWith('/refused')) return socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 2\r\n\r\nno');
      const sent = asked.headers['authorization'] ?? asked.headers['x-remote-user'];
      socket.write(`HTTP/1.1 101 OK\r\nConnection: Upgrade\r\nUpgrade: echo\r\nX-User: ${String(sent)}\r\n\r\nhello `);
      return socket.pipe(socket);
    });
    const { server } = world;
    const open = async (name: string) => {
      const socket = connect({ port: server.port, host: '127.0.0.1', ca: server.ca, ALPNProtocols: ['http/1.1'] });
      await once(socket, 'secureConnect');
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      const head = `GET ${things}/${name} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n`;
      socket.write(`${head}Authorization: Bearer ${server.token}\r\n\r\n`);
      return { socket, text: () => text };
    };
    const accepted = await open('accepted');
    await until('the upgrade', () => accepted.text().endsWith('hello '));
    assert.match(accepted.text(), /^HTTP\/1\.1 101 .*\r\n(?:.*\r\n)*X-User: admin\r\n/);
    accepted.socket.write('world');
    await until('the echo', () => accepted.text().endsWith('hello world'));
    accepted.socket.end();
    await once(accepted.socket, 'close');
    const refused = await open('refused');
    await until('the refusal', () => refused.text().endsWith('no'));
    assert.match(refused.text(), /^HTTP\/1\.1 403 /);
    refused.socket.destroy();
  });

  it('does not go in circles if the APIService leads back to this server', async () => {
    const { server } = world;
    const circle = 'circle.example.com';
    const service = { namespace: 'default', name: 'backend', port: server.port };
    await world.create(circle, { service, insecureSkipTLSVerify: true });
    const available = { type: 'Available', status: 'True', reason: 'Passed', message: 'as a client says' };
    const headers = { 'content-type': 'application/merge-patch+json' };
    const path = `${apiServices}/v1.${circle}`;
    await until('the refusal of the circle', async () => {
      const said = await request(server, 'PATCH', `${path}/status`, { status: { conditions: [available] } }, headers);
      assert.equal(said.status, 200, said.text);
      const answer = await request(server, 'GET', `/apis/${circle}/v1/things`);
      return answer.status === 508;
    });
    await request(server, 'DELETE', path);
  });

  it('is answered by this server for the group of APIServices itself', async () => {
    const own = { group: 'apiregistration.cl.io' };
    const asked = world.forwarded().length;
    await world.create('apiregistration.cl.io', own);
    assert.equal((await request(world.server, 'DELETE', `${apiServices}/v1.apiregistration.cl.io`)).status, 200);
    assert.equal(world.forwarded().length, asked);
  });
});

describe('a server behind another one', () => {
  it('gets many requests at once over few connections, apart from those of watches', async () => {
    await using world = await startAggregatedWorld();
    await world.serve(group);
    const sockets = new Set<object>();
    world.backend.on('secureConnection', (socket) => sockets.add(socket));
    const answers = await Promise.all(
      Array.from({ length: 200 }, (_, index) => request(world.server, 'POST', `${things}/t${index}`, { index })),
    );
    assert.ok(answers.every(({ status }) => status === 200));
    assert.ok(world.forwarded().every(({ body }) => body.startsWith('{"index":')));
    assert.ok(sockets.size <= 64, `${sockets.size} connections`);
    let open = 0;
    world.at(things, (asked, response) => {
      open++;
      response.writeHead(200);
      response.write('{"type":"ADDED","object":{"metadata":{"name":"a"}}}\n');
      asked.on('close', () => open--);
    });
    const watches = Array.from({ length: 150 }, () => readEvents(world.server, `${things}?watch=1`));
    await until('all watches', () => watches.every(({ events }) => events.length === 1));
    for (const watch of watches) watch.stop();
    await until('their end at the backend', () => open === 0);
  });

  it('that does not answer delays its own requests alone, until their deadline', async () => {
    await using world = await startAggregatedWorld();
    await world.serve(group);
    await world.serve('quick.example.com');
    world.at(things, () => {});
    const watched = `/apis/${group}/v1/things`;
    world.at(watched, (_, response) => void response.writeHead(200).write('{}'));
    const watch = readEvents(world.server, `${watched}?watch=1`);
    const clients = Array.from({ length: 100 }, () => new AbortController());
    const { url: origin, token } = world.server;
    const headers = { authorization: `Bearer ${token}` };
    const stuck = clients.map(({ signal }) =>
      agentOf(world.server).request({ origin, path: things, method: 'GET', headers, signal }),
    );
    await until('the requests to arrive', () => world.forwarded().length > 50);
    const quick = await request(world.server, 'GET', '/apis/quick.example.com/v1/namespaces/default/things');
    assert.equal(quick.status, 200, quick.text);
    assert.equal((await request(world.server, 'GET', '/api/v1/namespaces')).status, 200);
    for (const client of clients) client.abort();
    assert.ok((await Promise.allSettled(stuck)).every(({ status }) => status === 'rejected'));
    let hasEnded = false;
    world.at(`${things}/late`, (_, response) => void response.on('close', () => (hasEnded = true)));
    // On a slow machine some time passes before a request arrives at the backend.
    let seconds = 1;
    await until('the end of a request at the backend', async () => {
      const late = await request(world.server, 'GET', `${things}/late?timeout=${seconds}s`);
      assert.equal(late.status, 504, late.text);
      seconds *= 2;
      return hasEnded;
    });
    assert.equal(watch.ended, false, 'a watch has no deadline');
    watch.stop();
  });

  it('that is not available is counted among the terminated requests, by names that it has', async () => {
    await using world = await startAggregatedWorld();
    await world.serve(group);
    const { server } = world;
    const spec = { service: { namespace: 'default', name: 'none', port: 1 } };
    const headers = { 'content-type': 'application/merge-patch+json' };
    await request(server, 'PATCH', `${apiServices}/v1.${group}`, { spec }, headers);
    await until('503', async () => (await request(server, 'GET', `${things}/a`)).status === 503);
    for (const name of ['made', 'up']) await request(server, 'GET', `/apis/${group}/v1/${name}`);
    const counted = new Map(
      [...(await readMetrics(server))].filter(([name]) => name.startsWith('apiserver_request_terminations_total{')),
    );
    const series = (verb: string, resource: string, scope: string) =>
      `apiserver_request_terminations_total{code="503",component="aggregator",group="${group}",` +
      `resource="${resource}",scope="${scope}",subresource="",verb="${verb}",version="v1"}`;
    const expected = [
      [series('GET', 'things', 'resource'), 1],
      [series('LIST', '', 'cluster'), 2],
    ];
    assert.deepEqual([...counted], expected);
  });

  it('is shown the present certificate once its files have changed, also over kept connections', async () => {
    await using world = await startAggregatedWorld({ certificateReloadMs: 20 });
    await world.serve(group);
    const shown = async (): Promise<unknown> => {
      assert.equal((await request(world.server, 'GET', things)).status, 200);
      return world.forwarded().at(-1)?.client;
    };
    assert.equal(await shown(), 'front-proxy');
    await world.renewProxy('renewed-proxy');
    await until('the other certificate', async () => (await shown()) === 'renewed-proxy');
  });

  it('gets the body of a request from a controller in the process of the server', async () => {
    await using world = await startAggregatedWorld({ controllers: ['namespace-controller'] });
    const verbs = ['list', 'delete', 'deletecollection'];
    const resource = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs };
    const discovery = { kind: 'APIResourceList', apiVersion: 'v1', groupVersion: `${group}/v1`, resources: [resource] };
    const json = { 'content-type': 'application/json' };
    world.at(`/apis/${group}/v1`, (_, response) => response.writeHead(200, json).end(JSON.stringify(discovery)));
    const left = [{ metadata: { name: 'last' } }];
    world.at(`/apis/${group}/v1/namespaces/full/things`, (asked, response) => {
      if (asked.method === 'DELETE') left.pop();
      const list = { kind: 'ThingList', apiVersion: `${group}/v1`, metadata: {}, items: left };
      asked.resume().on('end', () => response.writeHead(200, json).end(JSON.stringify(list)));
    });
    await world.serve(group);
    await request(world.server, 'POST', '/api/v1/namespaces', { metadata: { name: 'full' } });
    await request(world.server, 'DELETE', '/api/v1/namespaces/full');
    const status = async () => (await request(world.server, 'GET', '/api/v1/namespaces/full')).status;
    await until('the namespace to be gone', async () => (await status()) === 404);
    const deletion = world.forwarded().find(({ method }) => method === 'DELETE') ?? assert.fail();
    assert.match(deletion.body, /"kind":"DeleteOptions".*"propagationPolicy":"Background"/);
    assert.equal(deletion.headers['x-forwarded-for'], '127.0.0.1');
    assert.equal(deletion.headers['x-remote-user'], 'admin');
  });

  it('loses its watches when the server stops, without an error', async () => {
    const world = await startAggregatedWorld();
    await world.serve(group);
    world.at(things, (_, response) => void response.writeHead(200).write('{"type":"ADDED","object":{}}\n'));
    const watch = readEvents(world.server, `${things}?watch=1`);
    await until('the watch', () => watch.events.length === 1);
    await world[Symbol.asyncDispose]();
    assert.equal(watch.ended, true);
  });
});
