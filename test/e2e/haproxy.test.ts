import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type EtcdHome, openEtcdHome } from '../contract/etcd-fixture.ts';
import { freePorts } from '../free-ports.ts';
import { runCl } from '../http/cl/cl-runner.ts';
import { until } from '../http/until.ts';
import { programFile } from '../program-file.ts';

/** Two servers behind the HAProxy of deploy/cluster, with the certificates of `cl certs`. A part of `make robustness`. */
describe('Servers behind HAProxy', () => {
  let directory: string;
  let etcd: EtcdHome;
  let ports: readonly number[];
  const children = new Map<string, ChildProcess>();
  const file = (name: string): string => path.join(directory, 'pki', name);

  function start(name: string, command: string, args: readonly string[]): void {
    children.set(name, spawn(command, args, { stdio: 'ignore' }));
  }
  async function kill(name: string): Promise<void> {
    const child = children.get(name);
    children.delete(name);
    if (!child || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }
  function startApiServer(name: string, port: number): void {
    start(name, process.execPath, [
      programFile('cl-apiserver'),
      `--etcd-servers=${etcd.endpoint}`,
      `--etcd-cafile=${file('etcd-ca.crt')}`,
      `--etcd-certfile=${file('etcd-client.crt')}`,
      `--etcd-keyfile=${file('etcd-client.key')}`,
      `--tls-cert-file=${file('apiserver.crt')}`,
      `--tls-private-key-file=${file('apiserver.key')}`,
      `--client-ca-file=${file('client-ca.crt')}`,
      `--service-account-signing-key-file=${file('service-account.key')}`,
      `--cert-dir=${path.join(directory, name)}`,
      '--authorization-mode=RBAC',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
    ]);
  }

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-haproxy-'));
    assert.equal((await runCl(['certs', 'create'], { directory })).code, 0);
    const [ca, cert, key] = await Promise.all(
      ['etcd-ca.crt', 'etcd-client.crt', 'etcd-client.key'].map((name) => readFile(file(name))),
    );
    assert.ok(ca && cert && key);
    const tls = { caFile: file('etcd-ca.crt'), certFile: file('etcd-server.crt'), keyFile: file('etcd-server.key') };
    etcd = await openEtcdHome({ tls: { ...tls, client: { ca, cert, key } } });
    ports = await freePorts(3);
    const [front = 0, first = 0, second = 0] = ports;
    const settings = (await readFile('deploy/cluster/haproxy.cfg', 'utf8'))
      .replace('bind :6443', `bind 127.0.0.1:${front}`)
      .replace('api-1:6443', `127.0.0.1:${first}`)
      .replace('api-2:6443', `127.0.0.1:${second}`)
      .replace('/pki/ca.crt', file('ca.crt'));
    await writeFile(path.join(directory, 'haproxy.cfg'), settings);
    const program = (await promisify(execFile)('hack/haproxy.sh')).stdout.trim();
    startApiServer('api-1', first);
    startApiServer('api-2', second);
    start('haproxy', program, ['-db', '-f', path.join(directory, 'haproxy.cfg')]);
  });
  after(async () => {
    for (const name of ['haproxy', 'api-1', 'api-2']) await kill(name);
    await etcd.close();
    await rm(directory, { recursive: true, force: true });
  });

  /** Sends a request over a connection of its own; 0 if it was not answered. */
  async function statusOf(method: string, target: string, port = ports[0] ?? 0, body?: object): Promise<number> {
    const [ca, cert, key] = await Promise.all(['ca.crt', 'admin.crt', 'admin.key'].map((name) => readFile(file(name))));
    return new Promise((resolve) => {
      const options = { host: '127.0.0.1', port, method, path: target, ca, cert, key, agent: false, timeout: 10_000 };
      const headers = { 'content-type': 'application/json' };
      const request = https.request({ ...options, headers }, (response) => {
        response.resume();
        response.on('close', () => resolve(response.statusCode ?? 0));
      });
      request.on('timeout', () => request.destroy());
      request.on('error', () => resolve(0));
      request.end(body && JSON.stringify(body));
    });
  }

  /** Writes an object until it is there, and returns how many requests were not answered well. */
  async function create(name: string): Promise<number> {
    for (let failures = 0; ; failures++) {
      const status = await statusOf('POST', '/api/v1/namespaces/default/configmaps', undefined, { metadata: { name } });
      // An answer may be lost, and the object be there.
      if (status === 201 || status === 409) return failures;
      assert.ok(failures < 500, `${name}: ${status}`);
      await sleep(50);
    }
  }

  it('are one server for clients, of which either may be killed and come back', async () => {
    const [, first = 0, second = 0] = ports;
    for (const port of ports) {
      await until(`port ${port}`, async () => (await statusOf('GET', '/readyz', port)) === 200);
    }
    await until('the namespace', async () => (await statusOf('GET', '/api/v1/namespaces/default')) === 200);
    const names: string[] = [];
    const createSome = async (prefix: string): Promise<number> => {
      let failures = 0;
      for (let index = 0; index < 10; index++) {
        names.push(`${prefix}-${index}`);
        failures += await create(`${prefix}-${index}`);
      }
      return failures;
    };
    assert.equal(await createSome('both'), 0);

    for (const [name, port] of [
      ['api-1', first],
      ['api-2', second],
    ] as const) {
      await kill(name);
      // Until the checks have noticed, requests may meet the one that is gone.
      await createSome(`without-${name}`);
      assert.equal(await createSome(`later-without-${name}`), 0);
      startApiServer(name, port);
      await until(name, async () => (await statusOf('GET', '/readyz', port)) === 200);
      // Two checks must succeed, two seconds apart.
      await sleep(6_000);
    }
    for (const name of names) {
      assert.equal(await statusOf('GET', `/api/v1/namespaces/default/configmaps/${name}`), 200, name);
    }
  });
});
