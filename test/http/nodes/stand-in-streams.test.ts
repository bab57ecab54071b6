import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { PassThrough, Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { buffer, text } from 'node:stream/consumers';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import { type Client, createClient } from '../../../src/client/client.ts';
import { connectToPort } from '../../../src/client/streams/connect-to-port.ts';
import { attachToPod, execInPod } from '../../../src/client/streams/run-in-pod.ts';

import { encodeTarHeader } from '../../../src/files/tar/tar-header.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';

const podsPath = '/api/v1/namespaces/default/pods';

/** A listening TCP server has such an address. */
function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

describe('the streams of pods on stand-in nodes', () => {
  let server: TestServer;
  let client: Client;
  let allowed: Server;

  before(async () => {
    allowed = createServer((socket) => socket.end('welcome')).listen(0, '127.0.0.1');
    await once(allowed, 'listening');
    server = await startServer({ nodes: 2, nodePortTargets: [`127.0.0.1:${portOf(allowed)}`] });
    client = createClient(server.connection);
  });

  after(async () => {
    await client.close();
    await server.stop();
    allowed.close();
  });

  async function createPod(name: string, annotations: Record<string, string>, spec: object = {}): Promise<void> {
    const prefixed = Object.fromEntries(Object.entries(annotations).map(([key, value]) => [`stand-in.${key}`, value]));
    const containers = [{ name: 'web', image: 'nginx:1', env: [{ name: 'COLOUR', value: 'red' }] }];
    const pod = { metadata: { name, annotations: prefixed }, spec: { containers, ...spec } };
    const created = await request(server, 'POST', podsPath, pod);
    assert.equal(created.status, 201, created.text);
    await until(`${name} to run`, async () => /"phase":"(Running|Succeeded)"/.test(await read(`${podsPath}/${name}`)));
  }

  async function read(path: string): Promise<string> {
    return (await request(server, 'GET', path)).text;
  }

  async function run(pod: string, ...command: string[]) {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await execInPod(client, pod, { command, stdout, stderr });
    stdout.end();
    stderr.end();
    return { code, stdout: await text(stdout), stderr: await text(stderr) };
  }

  it('are logs: a line for each container, or those of an annotation in either spelling', async () => {
    await createPod('plain', {});
    assert.match(await read(`${podsPath}/plain/log`), /^container web of pod plain started on node-\d: image nginx:1 /);
    const logs = 'first {pod} {container}\n{"level":"info"}\nlast {count}';
    const spec = { containers: ['web', 'side'].map((name) => ({ name, image: 'i' })) };
    await createPod('told', { 'kubernetes.io/logs': logs, 'cluster.io/logs.side': 'sidecar' }, spec);
    const log = (query: string) => read(`${podsPath}/told/log?${query}`);
    assert.equal(await log('container=web'), 'first told web\n{"level":"info"}\nlast 3\n');
    assert.equal(await log('container=side'), 'sidecar\n');
    assert.equal(await log('container=web&tailLines=1'), 'last 3\n');
    assert.equal(await log('container=web&limitBytes=7'), 'first t');
    assert.match(await log('container=web&tailLines=1&timestamps=true'), /^\d{4}-.*T.*\.\d{9}Z last 3\n$/);
    assert.equal(await log('container=web&sinceTime=2999-01-01T00:00:00Z'), '');
    const previous = await request(server, 'GET', `${podsPath}/plain/log?previous=true`);
    assert.equal(previous.status, 400);
    assert.match(previous.text, /previous terminated container \\"web\\" in pod \\"plain\\" not found/);
  });

  it('end with a pod, whose outcome may have either spelling', async () => {
    await createPod('over', { 'kubernetes.io/outcome': 'Succeeded', 'cluster.io/logs': 'bye' });
    await until('the end', async () => /"phase":"Succeeded"/.test(await read(`${podsPath}/over`)));
    assert.equal(await read(`${podsPath}/over/log?follow=true`), 'bye\n');
    await assert.rejects(run('over', 'true'), /container "web" of pod "over" is not running/);
  });

  it('are the log of the run before a restart', async () => {
    await createPod('crashing', { 'cluster.io/logs': 'run {restarts}' });
    const ended = { exitCode: 1, startedAt: '2020-01-01T00:00:00Z', finishedAt: '2020-01-01T00:00:05Z' };
    const running = { running: { startedAt: '2020-01-01T00:00:09Z' } };
    const web = { name: 'web', image: 'nginx:1', imageID: '', ready: true, restartCount: 2 };
    const containerStatuses = [{ ...web, state: running, lastState: { terminated: ended } }];
    const type = { 'content-type': 'application/merge-patch+json' };
    const patched = await request(
      server,
      'PATCH',
      `${podsPath}/crashing/status`,
      { status: { containerStatuses } },
      type,
    );
    assert.equal(patched.status, 200, patched.text);
    await until('the restart', async () => (await read(`${podsPath}/crashing/log`)) === 'run 2\n');
    const previous = await read(`${podsPath}/crashing/log?previous=true&timestamps=true`);
    assert.equal(previous, '2020-01-01T00:00:00.000000000Z run 1\n');
  });

  it('are logs that are followed until the pod is deleted', async () => {
    await createPod('ticking', { 'cluster.io/logs': 'tick {count}', 'cluster.io/logs-interval': '0.02' });
    const followed = read(`${podsPath}/ticking/log?follow=true`);
    await until('some lines', async () => /tick 3\n/.test(await read(`${podsPath}/ticking/log`)));
    await request(server, 'DELETE', `${podsPath}/ticking?gracePeriodSeconds=0`);
    const lines = (await followed).trimEnd().split('\n');
    assert.deepEqual(
      lines,
      lines.map((_, index) => `tick ${index + 1}`),
    );
    assert.ok(lines.length >= 3);
  });

  it('are commands of a table, those that every container has, and a shell', async () => {
    const table = [
      { command: 'psql --version', stdout: 'psql 17 of {pod}\n' },
      { pattern: 'curl .*', stderr: 'refused\n', exitCode: 7 },
    ];
    await createPod('worker', { 'cluster.io/exec': JSON.stringify(table) });
    assert.deepEqual(await run('worker', 'psql', '--version'), { code: 0, stdout: 'psql 17 of worker\n', stderr: '' });
    assert.deepEqual(await run('worker', 'curl', 'x'), { code: 7, stdout: '', stderr: 'refused\n' });
    const unknown = await run('worker', 'java');
    assert.equal(unknown.code, 127);
    assert.match(unknown.stderr, /^java: command not found; .* annotation "exec"/);
    assert.equal((await run('worker', 'hostname')).stdout, 'worker\n');
    assert.match((await run('worker', 'env')).stdout, /^COLOUR=red$/m);
    const script = 'echo "a $COLOUR" > /tmp/x && cat /tmp/x | cat; false || echo $?; exit 3';
    assert.deepEqual(await run('worker', '/bin/sh', '-c', script), { code: 3, stdout: 'a red\n1\n', stderr: '' });
    assert.deepEqual(await run('worker', 'ls', '/tmp'), { code: 0, stdout: 'x\n', stderr: '' });
    const stdout = new PassThrough();
    await execInPod(client, 'worker', { command: ['cat'], stdin: Readable.from(['one ', 'two']), stdout });
    assert.equal(await text(stdout.end()), 'one two');
  });

  it('are a terminal, which echoes and has a size', async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    const sizes = (async function* () {
      yield { columns: 100, rows: 40 };
    })();
    const ended = execInPod(client, 'worker', { command: ['sh'], tty: true, stdin, stdout, sizes });
    let seen = '';
    stdout.on('data', (data: Buffer) => (seen += data.toString()));
    await until('the prompt', async () => seen.includes('worker:/# '));
    await until('the size', async () => {
      stdin.write('stty size\r');
      return seen.includes('\r\n40 100\r\n');
    });
    stdin.write('exit 5\r');
    assert.equal(await ended, 5);
    assert.ok(seen.includes('stty size\r\n'));
  });

  it('report a table that cannot be read', async () => {
    await createPod('wrong', { 'cluster.io/exec': '[{"command":"a","exit":1}]' });
    assert.match((await run('wrong', 'true')).stderr, /has no effect: \[0\]\.exit is unknown: use command, pattern/);
    await until('an Event', async () => /\[0\]\.exit is unknown/.test(await read('/api/v1/namespaces/default/events')));
  });

  it('are files in memory, within limits', async () => {
    const bytes = Buffer.alloc(9 * 1024 * 1024, 'x');
    const stderr = new PassThrough();
    const header = Buffer.from('not an archive');
    const code = await execInPod(client, 'worker', {
      command: ['tar', '-xmf', '-', '-C', '/tmp'],
      stdin: Readable.from([header, bytes]),
      stderr,
    });
    assert.equal(code, 2);
    assert.match(await text(stderr.end()), /^tar: the archive is damaged/);
    const full = await run('worker', 'sh', '-c', `echo ${'y'.repeat(3_000)} > /no/such`);
    assert.match(full.stderr, /No such file or directory/);
  });

  it('are an attached program that returns lines, until the pod is gone', async () => {
    await createPod('shell', { 'cluster.io/attach-reply': '{pod} got {line}' });
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    let seen = '';
    stdout.on('data', (data: Buffer) => (seen += data.toString()));
    const ended = attachToPod(client, 'shell', { stdin, stdout });
    stdin.write('hello\n');
    await until('the reply', async () => seen === 'shell got hello\n');
    await request(server, 'DELETE', `${podsPath}/shell?gracePeriodSeconds=0`);
    assert.equal(await ended, 0);
  });

  it('are ports that return what is sent, and lead to no port of this machine', async () => {
    const local = createServer((socket) => socket.end('secret')).listen(0, '127.0.0.1');
    await once(local, 'listening');
    const targets = `81=127.0.0.1:${portOf(local)},82=127.0.0.1:${portOf(allowed)}`;
    await createPod('ports', { 'cluster.io/ports': targets });
    const stream = await connectToPort(client, 'ports', 80);
    stream.write('ping');
    const [pong] = await once(stream, 'data');
    assert.equal(String(pong), 'ping');
    stream.destroy();
    assert.equal(await text(await connectToPort(client, 'ports', 82)), 'welcome');
    const refused = await connectToPort(client, 'ports', 81);
    await assert.rejects(buffer(refused), /leads to 127\.0\.0\.1:\d+, which the owner .* has not allowed/);
    await until('an Event', async () => /PortTargetRefused/.test(await read('/api/v1/namespaces/default/events')));
    local.close();
  });

  it('end with their pod: a copy into it, a program that waits, and a forwarded port', async () => {
    await createPod('doomed', {});
    const stdin = new PassThrough();
    const header = encodeTarHeader({ name: 'tmp/half', type: '0', size: 100_000, mode: 0o644, modifiedAtSeconds: 0 });
    stdin.write(header);
    stdin.write(Buffer.alloc(50_000));
    const copied = execInPod(client, 'doomed', { command: ['tar', '-xmf', '-', '-C', '/'], stdin });
    const waiting = execInPod(client, 'doomed', { command: ['cat'], stdin: new PassThrough() });
    const port = await connectToPort(client, 'doomed', 80);
    port.write('ping');
    await once(port, 'data');
    const closed = new Promise((resolve) => port.on('error', () => {}).once('close', resolve));
    await request(server, 'DELETE', `${podsPath}/doomed?gracePeriodSeconds=0`);
    assert.deepEqual(await Promise.all([copied, waiting]), [137, 137]);
    await closed;
    // Another pod of that name begins without files.
    await createPod('doomed', {});
    assert.equal((await run('doomed', 'ls', '/tmp')).stdout, '');
  });

  it('are at most 128 forwarded ports of a WebSocket', async () => {
    const query = Array.from({ length: 200 }, (_, index) => `ports=${index + 1}`).join('&');
    const socket = connectTls({ host: '127.0.0.1', port: server.port, rejectUnauthorized: false });
    const lines = [
      `GET ${podsPath}/worker/portforward?${query} HTTP/1.1`,
      'Host: x',
      `Authorization: Bearer ${server.token}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${Buffer.alloc(16).toString('base64')}`,
      'Sec-WebSocket-Protocol: v4.channel.k8s.io',
    ];
    socket.write([...lines, '', ''].join('\r\n'));
    let seen = Buffer.alloc(0);
    socket.on('data', (data: Buffer) => (seen = Buffer.concat([seen, data])));
    const frames = (): number => {
      const start = seen.indexOf('\r\n\r\n') + 4;
      // Each channel begins with a frame of its number and its port.
      return start < 4 ? 0 : (seen.length - start) / 5;
    };
    await until('the first frames', async () => frames() >= 256);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(frames(), 256, seen.subarray(0, 200).toString());
    socket.destroy();
  });

  it('are served for the node of the pod, through the API server alone', async () => {
    const node = await client.resource(builtInResources().nodes).get('node-1');
    assert.equal(await read('/api/v1/nodes/node-1/proxy/healthz'), 'ok');
    assert.match(await read('/api/v1/nodes/node-1/proxy/pods'), /^{"kind":"PodList"/);
    assert.match(await read('/api/v1/nodes/node-1/proxy/nothing'), /has no "\/nothing/);
    const port = node.status?.daemonEndpoints?.kubeletEndpoint?.Port;
    assert.ok(port);
    const stranger = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false });
    stranger.on('error', () => {}).write('GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n');
    let answer = '';
    stranger.on('data', (data: Buffer) => (answer += data.toString()));
    await new Promise((resolve) => stranger.once('close', resolve));
    assert.equal(answer, '');
  });
});
