import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { certificateRequest } from '../minimal-objects.ts';
import { type ClResult, runCl, startCl, writeConfig } from './started-cl.ts';

describe('cl with credentials', () => {
  let server: TestServer;
  let directory: string;
  before(async () => {
    server = await startServer();
    directory = await mkdtemp(path.join(tmpdir(), 'cl-access-'));
    await writeConfig(directory, server.clientConfig);
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  const cl = (...args: string[]): Promise<ClResult> => runCl(args, { directory });

  it('creates, lists and deletes bootstrap tokens, which are users', async () => {
    const created = await cl('bootstrap', 'token', 'create', '--description=for a node', '--ttl=1h');
    assert.deepEqual([created.code, created.err], [0, '']);
    const token = created.out.trim();
    assert.match(token, /^[a-z0-9]{6}\.[a-z0-9]{16}$/);
    const { out } = await cl('bootstrap', 'token', 'list');
    assert.match(out, new RegExp(`^TOKEN.*\n${token} +\\d+m +\\S+Z +authentication,signing +for a node +<none>\n$`));
    const id = token.slice(0, 6);
    assert.equal((await cl('bootstrap', 'token', 'delete', id)).out, `bootstrap token "${id}" deleted\n`);
    assert.match((await cl('bootstrap', 'token', 'delete', id)).err, /there is no bootstrap token/);
    assert.match((await cl('bootstrap', 'token', 'create', 'x')).err, /not of the form/);
    assert.match((await cl('bootstrap', 'token', 'create', '--usages=x')).err, /"x" is not a usage/);
  });

  it('decides about certificate requests, of files too, and goes on after a refused one', async () => {
    for (const name of ['a', 'b', 'c']) {
      const spec = { signerName: 'example.com/any', usages: ['client auth'], request: certificateRequest() };
      const at = '/apis/certificates.cl.io/v1/certificatesigningrequests';
      const created = await request(server, 'POST', at, { metadata: { name }, spec });
      assert.equal(created.status, 201, created.text);
    }
    const type = 'certificatesigningrequest.certificates.cl.io';
    const some = await cl('certificate', 'approve', 'none', 'a');
    assert.deepEqual([some.code, some.out], [1, `${type}/a approved\n`]);
    assert.equal((await cl('certificate', 'approve', 'a', '-o', 'name')).out, `${type}/a\n`);
    assert.match((await cl('certificate', 'deny', 'a')).err, /request "a" is already Approved/);
    const file = 'apiVersion: certificates.cl.io/v1\nkind: CertificateSigningRequest\nmetadata: {name: b}\n';
    await writeFile(path.join(directory, 'request.yaml'), file);
    assert.equal((await cl('certificate', 'deny', '-f', 'request.yaml')).out, `${type}/b denied\n`);
    assert.match((await cl('certificate', 'approve')).err, /must be specified as NAME or -f FILE/);
  });

  it('prints the user in every format', async () => {
    const template = '{.status.userInfo.username}';
    const [plain, json] = [await cl('auth', 'whoami'), await cl('auth', 'whoami', '-o', `jsonpath=${template}`)];
    assert.match(plain.out, new RegExp(`^ATTRIBUTE +VALUE\nUsername +${json.out}\n`));
  });

  it('uses the program that prints credentials', async () => {
    const program = path.join(directory, 'login');
    const printed = {
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      status: { token: server.token },
    };
    await writeFile(program, `#!/bin/sh\necho '${JSON.stringify(printed)}'\n`);
    await chmod(program, 0o755);
    const env = { KUBECONFIG: 'made' };
    const made = (...args: string[]): Promise<ClResult> => runCl(args, { directory, env, isUsual: true });
    await writeFile(path.join(directory, 'ca.crt'), server.ca);
    await made(
      'config',
      'set-cluster',
      'c',
      `--server=${server.url}`,
      '--certificate-authority=ca.crt',
      '--embed-certs',
    );
    await made('config', 'set-credentials', 'u', `--exec-command=${program}`);
    await made('config', 'set-context', 'a', '--cluster=c', '--user=u');
    await made('config', 'use-context', 'a');
    const { code, out, err } = await made('get', 'namespaces', '-o', 'name');
    assert.deepEqual([code, err, out.includes('namespace/default\n')], [0, '', true]);
  });

  describe('ends with one line and the code of its failure', () => {
    const failed = ({ code, err }: ClResult, wanted: number, line: RegExp): void => {
      assert.deepEqual([code, err.split('\n').length, line.test(err)], [wanted, 2, true], err);
    };

    it('for credentials that the server does not accept', async () => {
      failed(await cl('get', 'pods', '--token=wrong'), 1, /^error: .*(Unauthorized|logged in)/);
      failed(await cl('logs', 'p', '--token=wrong'), 1, /^error: .*(Unauthorized|logged in)/);
      failed(await cl('exec', 'p', '--token=wrong', '--', 'ls'), 1, /^error: .*(Unauthorized|logged in)/);
    });

    it('for a server that is not there', async () => {
      for (const args of [
        ['get', 'pods'],
        ['exec', 'p', '--', 'ls'],
        ['port-forward', 'p', ':80'],
      ]) {
        failed(await cl('--server=https://127.0.0.1:1', ...args), 1, /^error: .*ECONNREFUSED.* \(start a server/);
      }
    });

    it('for a server that goes away in the middle', async () => {
      const going = createServer((socket) => {
        socket.on('error', () => {});
        const list = '{"kind":"PodList","apiVersion":"v1","metadata":{},"items":[';
        socket.once('data', () => {
          socket.end(`HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n${list}`);
        });
      });
      going.listen(0, '127.0.0.1');
      await once(going, 'listening');
      const { port } = going.address() as AddressInfo;
      failed(await cl(`--server=http://127.0.0.1:${port}`, 'get', 'pods'), 1, /^error: /);
      failed(await cl(`--server=http://127.0.0.1:${port}`, 'get', '--raw', '/api'), 1, /^error: /);
      going.close();
    });

    it('for a client config that does not exist or is wrong', async () => {
      failed(await cl('--clientconfig=none', 'get', 'pods'), 1, /^error: .*none/);
      failed(await cl('--context=none', 'get', 'pods'), 1, /^error: .*context "none" does not exist; there/);
      await writeFile(path.join(directory, 'wrong'), 'clusters: 1\n');
      failed(await cl('--clientconfig=wrong', 'get', 'pods'), 1, /^error: .*clusters is not a list/);
    });

    it('for a full disk, and without one for a reader that has gone', async () => {
      const program = `${process.execPath} ${path.resolve('dist/src/bin/cl.js')}`;
      const shell = (line: string) =>
        promisify(execFile)('bash', ['-c', `set -o pipefail; ${line}`]).then(
          ({ stderr }) => ({ code: 0, out: '', err: stderr }),
          ({ code, stderr }: { code: number; stderr: string }) => ({ code, out: '', err: stderr }),
        );
      failed(await shell(`${program} options > /dev/full`), 1, /^error: the output cannot be written: ENOSPC/);
      assert.deepEqual(await shell(`${program} options | true`), { code: 0, out: '', err: '' });
    });

    it('for an interruption', async () => {
      const started = startCl(['get', 'namespaces', '-w'], { directory });
      await started.until(/default/);
      assert.deepEqual([await started.interrupt(), started.err()], [130, '']);
    });
  });
});
