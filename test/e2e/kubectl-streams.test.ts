import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { promisify } from 'node:util';
import { type NodeWorld, startNodeWorld } from '../node-agent/node-world.ts';
import { idleConnections } from '../idle-connections.ts';

const run = promisify(execFile);

describe('kubectl with the containers of a node', () => {
  let world: NodeWorld;
  let kubectl: string;
  let environment: NodeJS.ProcessEnv;

  before(async () => {
    kubectl = (await run('hack/kubectl.sh')).stdout.trim();
    world = await startNodeWorld({ identifiers: 'kubernetes' });
    const config = path.join(world.directory, 'config');
    await writeFile(config, world.server.clientConfig);
    environment = { ...process.env, KUBECONFIG: config, HOME: world.directory };
  });
  after(() => world[Symbol.asyncDispose]());

  /** Runs kubectl with an input; resolves with its exit code and what it printed. */
  async function kube(args: readonly string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> {
    const child = spawn(kubectl, args, { env: environment, cwd: world.directory });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    child.stdin.end(input);
    const [code] = await once(child, 'close');
    return { code: Number(code), stdout, stderr };
  }

  it('reads logs, and follows them until it is stopped', async () => {
    world.agent.log('one');
    world.agent.log('two');
    assert.equal((await kube(['logs', 'p'])).stdout, 'one\ntwo\n');
    assert.equal((await kube(['logs', 'p', '--tail=1'])).stdout, 'two\n');
    const child = spawn(kubectl, ['logs', '-f', 'p', '--tail=1'], { env: environment });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    while (!text.includes('two\n')) await once(child.stdout, 'data');
    world.agent.log('three');
    while (!text.includes('three\n')) await once(child.stdout, 'data');
    child.kill();
    await once(child, 'close');
  });

  it('runs a command and returns its output, errors and exit code', async () => {
    const script = 'echo out; echo err >&2; exit 3';
    const { code, stdout, stderr } = await kube(['exec', 'p', '--', 'sh', '-c', script]);
    assert.equal(stdout, 'out\n');
    assert.match(stderr, /^err\n/);
    assert.match(stderr, /command terminated with exit code 3/);
    assert.equal(code, 3);
  });

  it('sends its input to a command, a large one too', async () => {
    const input = 'x'.repeat(3_000_000);
    const { stdout } = await kube(['exec', '-i', 'p', '--', 'sh', '-c', 'wc -c; echo done'], input);
    assert.match(stdout, /^ *3000000\ndone\n$/);
    assert.equal((await kube(['exec', '-i', 'p', '--', 'cat'], input)).stdout, input);
  });

  it('attaches to the main process of a container', async () => {
    await world.patchStatus('/api/v1/namespaces/default/pods/p', { phase: 'Running' });
    const { stdout, stderr } = await kube(['attach', '-i', 'p'], 'typed\n');
    assert.equal(stdout, 'typed\n', stderr);
  });

  it('names the containers of a pod that has several', async () => {
    const containers = ['a', 'b'].map((name) => ({ name, image: 'i' }));
    await world.createPod('two', { nodeName: 'n', containers });
    // Newer releases of kubectl choose the first container before they ask.
    const { code, stderr } = await kube(['get', '--raw', '/api/v1/namespaces/default/pods/two/log']);
    assert.equal(code, 1);
    assert.match(stderr, /a container name must be specified for pod two, choose one of: \[a b\]/);
  });

  it('copies files to a pod and back', async () => {
    const [from, there, back] = ['from', 'there', 'back'].map((name) => path.join(world.directory, name));
    const bytes = 'content\n'.repeat(100_000);
    await writeFile(from ?? '', bytes);
    const sent = await kube(['cp', from ?? '', `p:${there}`]);
    assert.equal(sent.code, 0, sent.stderr);
    const received = await kube(['cp', `p:${there}`, back ?? '']);
    assert.equal(received.code, 0, received.stderr);
    assert.equal(await readFile(back ?? '', 'utf8'), bytes);
  });

  it('forwards a port', async () => {
    await using target = await startPage('the page behind the port');
    await world.patchStatus('/api/v1/namespaces/default/pods/p', { phase: 'Running' });
    const child = spawn(kubectl, ['port-forward', 'p', `:${target.port}`], { env: environment });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
    let port: string | undefined;
    while (!(port = /127\.0\.0\.1:(\d+) ->/.exec(text)?.[1])) await once(child.stdout, 'data');
    for (const _ of [1, 2, 3]) {
      const response = await fetch(`http://127.0.0.1:${port}/`);
      assert.equal(await response.text(), 'the page behind the port');
    }
    child.kill();
    await once(child, 'close');
  });

  it('reaches the server of a pod through its own proxy', async () => {
    await using target = await startPage('<a href="/next">next</a>');
    await world.createPod('web', { nodeName: 'n', containers: [{ name: 'c', image: 'i' }] }, '127.0.0.1');
    const child = spawn(kubectl, ['proxy', '--port=0'], { env: environment });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    let origin: string | undefined;
    while (!(origin = /Starting to serve on (\S+)/.exec(text)?.[1])) await once(child.stdout, 'data');
    const prefix = `/api/v1/namespaces/default/pods/web:${target.port}/proxy`;
    const response = await fetch(`http://${origin}${prefix}`);
    assert.equal(response.url, `http://${origin}${prefix}/`);
    assert.equal(await response.text(), `<a href="${prefix}/next">next</a>`);
    child.kill();
    await once(child, 'close');
  });
});

async function startPage(body: string) {
  const server = createServer(idleConnections, (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    // A listening TCP server has such an address.
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
