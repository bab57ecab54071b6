import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type TLSSocket } from 'node:tls';
import { WebSocket } from 'ws';
import { readEvents } from '../audit/audited-server.ts';
import { request, type Target } from '../http-client.ts';
import { createNode, type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { until } from '../until.ts';

/** A stop that waits for the end of the drain exceeds the time of its test. */
const longerThanTests = 3_600_000;

/** Opens a connection of HTTP/1.1 and sends the head of an upgrade request. */
async function upgrade(server: Target, method: string, url: string, ...lines: string[]): Promise<TLSSocket> {
  const { hostname, port } = new URL(server.url);
  const socket = connect({ host: hostname, port: Number(port), ca: server.ca, ALPNProtocols: ['http/1.1'] });
  await once(socket, 'secureConnect');
  // A connection that is cut can end with a reset.
  socket.on('error', () => {});
  const head = [`${method} ${url} HTTP/1.1`, `Host: ${hostname}:${port}`, `Authorization: Bearer ${server.token}`];
  socket.write([...head, 'Connection: Upgrade', 'Upgrade: SPDY/3.1', ...lines, '', ''].join('\r\n'));
  return socket;
}

async function read(socket: TLSSocket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

/** Opens a command over a WebSocket. */
function open(server: Target, query: string, protocol: string): WebSocket {
  const { host } = new URL(server.url);
  const headers = { authorization: `Bearer ${server.token}` };
  return new WebSocket(`wss://${host}${podsPath}/p/exec?${query}`, [protocol], { ca: server.ca, headers });
}

describe('pods/exec, attach and portforward', () => {
  let world: NodeWorld;

  before(async () => {
    world = await startNodeWorld();
    const containers = ['c', 'd'].map((name) => ({ name, image: 'i' }));
    await world.createPod('several', { nodeName: 'n', containers });
    await world.createPod('unscheduled', { containers: [{ name: 'c', image: 'i' }] });
    await createNode(world, 'down', 1);
    await world.createPod('down', { nodeName: 'down', containers });
  });
  after(() => world[Symbol.asyncDispose]());

  const refused: readonly (readonly [url: string, status: number, message: string])[] = [
    ['p/exec?command=ls', 400, 'Upgrade request required'],
    ['p/attach', 400, 'Upgrade request required'],
    ['p/portforward', 400, 'Upgrade request required'],
    ['several/exec?command=ls', 400, 'a container name must be specified for pod several, choose one of: [c d]'],
    ['several/attach?container=x', 400, 'container x is not valid for pod several'],
    ['unscheduled/exec?command=ls', 400, 'pod unscheduled does not have a host assigned'],
    ['unscheduled/portforward', 400, 'pod unscheduled does not have a host assigned'],
    ['none/exec?command=ls', 404, 'pods "none" not found'],
    ['p/portforward?ports=x', 400, 'cannot convert to []int32: strconv.ParseUint: parsing "x": invalid syntax'],
    [
      'p/portforward?ports=70000',
      400,
      'cannot convert to []int32: strconv.ParseUint: parsing "70000": value out of range',
    ],
  ];
  for (const method of ['GET', 'POST']) {
    for (const [url, status, message] of refused) {
      it(`answer ${status} to ${method} ${url}`, async () => {
        const response = await request(world.server, method, `${podsPath}/${url}`);
        assert.deepEqual([response.status, (response.body as { message: string }).message], [status, message]);
      });
    }
  }

  const streams: Readonly<Record<string, string>> = {
    'p/exec?command=ls&command=-l%20a&stdin=true&stdout=1&stderr=true&tty=true&container=c':
      '/exec/default/p/c?command=ls&command=-l+a&error=1&input=1&output=1&tty=1',
    'p/exec?command=..%2F%3Fx': '/exec/default/p/c?command=..%2F%3Fx',
    'several/attach?container=d&stdin=true&command=x': '/attach/default/several/d?input=1',
    'p/portforward?ports=80,81&ports=9': '/portForward/default/p?port=80%2C81%2C9',
  };
  for (const [url, expected] of Object.entries(streams)) {
    it(`reach the node agent for ${url}, without the credentials of the client`, async () => {
      const own = [
        'X-Stream-Protocol-Version: v4.channel.k8s.io',
        'Impersonate-User: ann',
        'X-Forwarded-For: 192.0.2.1',
      ];
      const socket = await upgrade(world.server, 'POST', `${podsPath}/${url}`, ...own, 'Content-Length: 0');
      await once(socket, 'data');
      socket.destroy();
      const seen = world.agent.seen.at(-1);
      assert.equal(seen?.url, expected);
      assert.deepEqual([seen.headers.authorization, seen.headers['impersonate-user']], [undefined, undefined]);
      assert.equal(seen.headers['x-forwarded-for'], '192.0.2.1, 127.0.0.1');
      assert.equal(seen.headers.host, `127.0.0.1:${world.agent.port}`);
      assert.equal(seen.clientAuthorized, true);
    });
  }

  it('report a node agent that cannot be reached', async () => {
    const text = await read(await upgrade(world.server, 'POST', `${podsPath}/down/exec?command=x&container=c`));
    assert.match(text, /^HTTP\/1\.1 500 /);
    assert.match(text, /error dialing backend: dial tcp 127\.0\.0\.1:1: connect: connection refused/);
  });

  for (const protocol of ['v4.channel.k8s.io', 'v5.channel.k8s.io']) {
    it(`run a command over a WebSocket with ${protocol}`, async () => {
      const socket = open(world.server, 'command=cat&stdin=true&stdout=true', protocol);
      const messages: Buffer[] = [];
      socket.on('message', (data: Buffer) => messages.push(data));
      await once(socket, 'open');
      assert.equal(socket.protocol, protocol);
      socket.send(Buffer.from('\0hello'));
      const outputOf = (channel: number): string =>
        Buffer.concat(messages.filter((one) => one[0] === channel).map((one) => one.subarray(1))).toString();
      await until('the echo', () => outputOf(1) === 'hello');
      if (protocol.startsWith('v5')) {
        socket.send(Buffer.from([255, 0]));
        await once(socket, 'close');
        assert.deepEqual(JSON.parse(outputOf(3)), { metadata: {}, status: 'Success' });
      } else socket.close();
    });
  }

  for (const domain of ['cl.io', 'k8s.io']) {
    it(`take the token of a WebSocket from a sub-protocol of ${domain}, which the node agent never sees`, async () => {
      const prefix = `base64url.bearer.authorization.${domain}.`;
      const connectWith = (token: string): WebSocket => {
        const { host } = new URL(world.server.url);
        const protocols = [`${prefix}${Buffer.from(token).toString('base64url')}`, 'v4.channel.k8s.io'];
        return new WebSocket(`wss://${host}${podsPath}/p/exec?command=cat&stdin=true`, protocols, {
          ca: world.server.ca,
        });
      };
      const socket = connectWith(world.server.token);
      await once(socket, 'open');
      assert.equal(socket.protocol, 'v4.channel.k8s.io');
      assert.equal(world.agent.seen.at(-1)?.headers['sec-websocket-protocol'], 'v4.channel.k8s.io');
      socket.close();
      const wrong = connectWith('wrong');
      const [error] = await once(wrong, 'error').catch((reason: unknown) => [reason]);
      assert.match(String(error), /Unexpected server response: 401/);
    });
  }

  it('let the node agent wait for a client that does not read', async () => {
    const socket = await upgrade(world.server, 'POST', `${podsPath}/p/attach?stdin=true`);
    await once(socket, 'data');
    socket.pause();
    const backend = world.agent.upgraded.at(-1);
    assert.ok(backend);
    const chunk = Buffer.alloc(1024 * 1024);
    let written = 0;
    while (written < 200 && backend.write(chunk)) written++;
    await until('the agent waits', () => backend.writableNeedDrain);
    // What is on its way is in the buffers of the sockets and not in those of the server.
    while (backend.writableLength < 64 * chunk.length) backend.write(chunk);
    const before = process.memoryUsage().arrayBuffers;
    await until('nothing more is taken', async () => {
      const length = backend.writableLength;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return backend.writableLength === length;
    });
    assert.ok(process.memoryUsage().arrayBuffers - before < 32 * 1024 * 1024);
    socket.destroy();
    await until('the connection to the agent is closed', () => backend.destroyed);
  });

  it('close the connection to the node agent with that of the client, and the other way round', async () => {
    const one = await upgrade(world.server, 'POST', `${podsPath}/p/attach`);
    await once(one, 'data');
    const backend = world.agent.upgraded.at(-1);
    one.destroy();
    await until('the connection to the agent is closed', () => backend?.destroyed === true);
    const other = await upgrade(world.server, 'POST', `${podsPath}/p/attach`);
    await once(other, 'data');
    world.agent.upgraded.at(-1)?.end('last bytes');
    assert.equal(await read(other), 'last bytes');
  });
});

describe('an open connection to a container', () => {
  it('is recorded when it arrives, is accepted and ends', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'cl-streams-'));
    const auditPolicyFile = path.join(directory, 'policy.json');
    const log = path.join(directory, 'audit.log');
    await writeFile(auditPolicyFile, '{"apiVersion":"audit.cl.io/v1","kind":"Policy","rules":[{"level":"Metadata"}]}');
    await using world = await startNodeWorld({ auditPolicyFile, auditLog: { path: log } });
    const eventsOf = async () => (await readEvents(log)).filter(({ auditID }) => auditID === 'attached');
    const socket = await upgrade(world.server, 'POST', `${podsPath}/p/attach`, 'Audit-Id: attached');
    await once(socket, 'data');
    await until('the start is recorded', async () => (await eventsOf()).length === 2);
    socket.destroy();
    await until('the end is recorded', async () => (await eventsOf()).length === 3);
    const events = await eventsOf();
    assert.deepEqual(
      events.map(({ stage, verb, responseStatus }) => [stage, verb, responseStatus?.['code']]),
      [
        ['RequestReceived', 'create', undefined],
        ['ResponseStarted', 'create', 101],
        ['ResponseComplete', 'create', 101],
      ],
    );
    assert.deepEqual(events[0]?.objectRef?.['subresource'], 'attach');
    await rm(directory, { recursive: true, force: true });
  });

  it('ends when the server stops', async () => {
    const world = await startNodeWorld({ drainTimeoutMs: longerThanTests });
    const socket = await upgrade(world.server, 'POST', `${podsPath}/p/attach`);
    await once(socket, 'data');
    socket.on('error', () => {}).resume();
    await world.server.stop();
    await world.agent[Symbol.asyncDispose]();
  });
});
