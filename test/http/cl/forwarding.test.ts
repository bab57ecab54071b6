import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { idleConnections } from '../../idle-connections.ts';
import { type NodeWorld, podsPath, startNodeWorld } from '../../node-agent/node-world.ts';
import { request } from '../http-client.ts';
import { runCl, startCl, type StartedCl, writeConfig } from './cl-runner.ts';

interface PageAnswer {
  readonly status: number;
  readonly body: string;
}

function get(origin: string, at: string, options: object = {}): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(`${origin}${at}`, { agent: false, ...options }, (response) => {
      text(response).then((body) => resolve({ status: response.statusCode ?? 0, body }), reject);
    });
    sent.on('error', reject).end();
  });
}

describe('cl with ports of this machine', () => {
  let world: NodeWorld;
  let directory: string;
  let page: Server;
  let port: number;

  before(async () => {
    world = await startNodeWorld();
    directory = world.directory;
    await writeConfig(directory, world.server.clientConfig);
    page = createServer(idleConnections, (_request, response) => response.end('the page'));
    page.listen(0, '127.0.0.1');
    await once(page, 'listening');
    port = (page.address() as AddressInfo).port;
    const containers = [{ name: 'c', image: 'i', ports: [{ name: 'http', containerPort: port }] }];
    const labels = { app: 'web' };
    const spec = { nodeName: 'n', containers };
    await request(world.server, 'POST', podsPath, { metadata: { name: 'web', labels }, spec });
    await world.patchStatus(`${podsPath}/web`, { phase: 'Running' });
    await request(world.server, 'POST', '/api/v1/namespaces/default/services', {
      metadata: { name: 'web' },
      spec: { selector: labels, ports: [{ name: 'www', port: 80, targetPort: 'http' }] },
    });
  });
  after(async () => {
    page.closeAllConnections();
    page.close();
    await world[Symbol.asyncDispose]();
  });

  const start = (...args: string[]): StartedCl => startCl(args, { directory });

  describe('port-forward', () => {
    it('leads a free port to one of a pod, for several connections', async () => {
      const started = start('port-forward', 'web', `:${port}`, '--address=127.0.0.1');
      const [, local] = await started.until(/^Forwarding from 127\.0\.0\.1:(\d+) -> \d+\n/);
      for (const _ of [1, 2, 3]) {
        assert.deepEqual(await get(`http://127.0.0.1:${local}`, '/'), { status: 200, body: 'the page' });
      }
      assert.match(started.out(), new RegExp(`(Handling connection for ${local}\n){3}$`));
      assert.equal(await started.interrupt(), 130);
      await assert.rejects(get(`http://127.0.0.1:${local}`, '/'));
    });

    it('ends at once if the node of the pod cannot be reached', async () => {
      const spec = { nodeName: 'nowhere', containers: [{ name: 'c', image: 'i' }] };
      await request(world.server, 'POST', podsPath, { metadata: { name: 'lost' }, spec });
      await world.patchStatus(`${podsPath}/lost`, { phase: 'Running' });
      const started = start('port-forward', 'lost', `:${port}`);
      assert.equal(await started.code, 1);
      assert.equal(started.out(), '');
      assert.match(started.err(), /nowhere/);
    });

    it('knows the names of ports of pods and services', async () => {
      for (const args of [
        ['service/web', ':www'],
        ['pod/web', ':http'],
        ['svc/web', ':80'],
      ]) {
        const started = start('port-forward', ...args);
        const [, local, remote] = await started.until(/^Forwarding from 127\.0\.0\.1:(\d+) -> (\d+)\n/);
        assert.equal(Number(remote), port);
        assert.equal((await get(`http://127.0.0.1:${local}`, '/')).body, 'the page');
        await started.interrupt();
      }
    });

    it('reports a port on which nothing listens, and goes on', async () => {
      const started = start('port-forward', 'web', ':1', `:${port}`);
      const [, closed] = await started.until(/127\.0\.0\.1:(\d+) -> 1\n/);
      const [, open] = await started.until(new RegExp(`127\\.0\\.0\\.1:(\\d+) -> ${port}\n`));
      await assert.rejects(get(`http://127.0.0.1:${closed}`, '/'));
      await started.until(/^error: .*ECONNREFUSED/);
      assert.equal((await get(`http://127.0.0.1:${open}`, '/')).body, 'the page');
      await started.interrupt();
    });

    it('refuses ports that are taken or do not exist, and pods that do not run', async () => {
      const line = (...args: string[]) => runCl(['port-forward', ...args], { directory });
      const taken = await line('web', `${port}:80`, '--address=127.0.0.1');
      assert.match(taken.err, /^error: unable to listen on port \d+: .*EADDRINUSE/);
      assert.match((await line('web', 'none')).err, /pod web has no port "none"/);
      assert.match((await line('service/web', '81')).err, /does not have a service port 81/);
      assert.match((await line('p', '80')).err, /pod is not running\. Current status=Pending/);
      assert.match((await line('web', '80', '--address=example.com')).err, /is not an IP address/);
    });
  });

  describe('proxy', () => {
    it('serves the API with the credentials of the user', async () => {
      const started = start('proxy', '--port=0');
      const [, host = ''] = await started.until(/^Starting to serve on (127\.0\.0\.1:\d+)\n/);
      const origin = `http://${host}`;
      assert.match((await get(origin, `${podsPath}/web`)).body, /"name":"web"/);
      assert.equal((await get(origin, `${podsPath}/none`)).status, 404);
      const refused = { status: 403, body: 'Forbidden\n' };
      assert.deepEqual(await get(origin, `${podsPath}/web/exec?command=ls`), refused);
      assert.deepEqual(await get(origin, `${podsPath}/web/%65xec?command=ls`), refused);
      assert.deepEqual(await get(origin, `${podsPath}/web/%zz`), refused);
      assert.deepEqual(await get(origin, '/api', { headers: { host: 'attacker.example' } }), refused);
      assert.equal((await get(origin, '/version', { headers: { host: 'localhost:1' } })).status, 200);
      assert.equal(await started.interrupt(), 130);
    });

    it('serves below a prefix, files beside it, and only what the patterns say', async () => {
      await mkdir(path.join(directory, 'site'));
      await writeFile(path.join(directory, 'site/index.html'), 'the site');
      await writeFile(path.join(directory, 'secret'), 'secret');
      const flags = ['--api-prefix=/k/', '--www=site', '--reject-methods=POST,PUT', '--accept-paths=^/k,^/static'];
      const started = start('proxy', '--port=0', ...flags);
      const [, host = ''] = await started.until(/serve on (\S+)\n/);
      const origin = `http://${host}`;
      const status = async (at: string, options: object = {}) => (await get(origin, at, options)).status;
      assert.equal(await status('/k/version'), 200);
      assert.equal(await status('/k/version', { method: 'POST' }), 403);
      assert.equal(await status('/version'), 403);
      assert.equal((await get(origin, '/static/')).body, 'the site');
      assert.equal(await status('/static/..%2Fsecret'), 404);
      assert.equal(await status('/static/none'), 404);
      await mkdir(path.join(directory, 'site/linked'));
      await symlink(path.join(directory, 'secret'), path.join(directory, 'site/linked/index.html'));
      assert.equal(await status('/static/linked'), 404);
      await started.interrupt();
    });

    it('listens on a Unix socket', async () => {
      const socketPath = path.join(directory, 'proxy.sock');
      const started = start('proxy', '--unix-socket=proxy.sock');
      await started.until(/^Starting to serve on proxy\.sock\n/);
      assert.equal((await get('http://localhost', '/version', { socketPath })).status, 200);
      await started.interrupt();
    });

    it('leaves a file alone that is no socket', async () => {
      await writeFile(path.join(directory, 'notes'), 'mine');
      assert.equal((await runCl(['proxy', '--unix-socket=notes'], { directory })).code, 1);
      assert.equal(await readFile(path.join(directory, 'notes'), 'utf8'), 'mine');
    });

    it('refuses ports that are taken, and bad patterns', async () => {
      assert.match((await runCl(['proxy', `--port=${port}`], { directory })).err, /EADDRINUSE/);
      assert.match((await runCl(['proxy', '--accept-paths=('], { directory })).err, /is not a regular expression/);
    });
  });
});
