import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { get } from 'node:https';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createClient, readClientConfig, type Client } from '../../src/client/index.ts';
import { parseFlags } from '../../src/config/parse-flags.ts';
import { parseFlags as parseControllerFlags } from '../../src/controllers/manager/controller-manager-flags.ts';
import { findEtcd } from '../../src/etcd/local-etcd.ts';
import { createServer, type Server } from '../../src/server/index.ts';
import { freePorts } from '../free-ports.ts';
import { type RenderedObject, renderChart } from '../http/deploy/helm-chart.ts';

/** The programs of a release, with their files in a folder and their ports on this machine. */
describe('a release of the Helm chart', () => {
  let directory: string;
  let objects: readonly RenderedObject[];
  let etcd: ChildProcess;
  let etcdUrl: string;
  let server: Server;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'helm-release-'));
    objects = await renderChart({ 'etcd.image': 'example.com/etcd:3.6.14' });
    const [client, peer, metrics] = await freePorts(3);
    const ports = { 2379: client, 2380: peer, 2381: metrics };
    const own = (arg: string): string =>
      arg
        .replace(/(?:0\.0\.0\.0|127\.0\.0\.1):(23\d\d)/g, (_, port: keyof typeof ports) => `127.0.0.1:${ports[port]}`)
        .replace('=/data/', `=${directory}/data/`);
    const args = (await argumentsOf('StatefulSet', 'plane-cl-apiserver-etcd')).map(own);
    etcdUrl = `https://localhost:${client}`;
    etcd = spawn(await findEtcd(), args, { stdio: 'ignore' });
    const { store, ...options } = parseFlags(await argumentsOf('Deployment', 'plane-cl-apiserver'));
    assert.ok(store.kind === 'etcd');
    assert.deepEqual(store.servers, ['https://plane-cl-apiserver-etcd.work.svc:2379']);
    server = await createServer({
      ...options,
      store: { ...store, servers: [etcdUrl] },
      bindAddress: '127.0.0.1',
      securePort: 0,
      logLevel: 'silent',
    });
    await server.started;
  });
  after(async () => {
    await server?.close();
    etcd?.kill('SIGKILL');
    await rm(directory, { recursive: true, force: true });
  });

  /** Writes the files of a pod's Secrets below the folder; resolves with its arguments, which name these files. */
  async function argumentsOf(kind: string, name: string): Promise<readonly string[]> {
    const workload = objects.find((object) => object.kind === kind && object.metadata.name === name);
    assert.ok(workload);
    const { containers, volumes } = workload.spec.template.spec;
    for (const { name: volume, mountPath } of containers[0].volumeMounts) {
      const { secret } = volumes.find((each) => each.name === volume) ?? {};
      if (secret === undefined) continue;
      await mkdir(path.join(directory, mountPath), { recursive: true });
      for (const { key } of secret.items) {
        await writeFile(path.join(directory, mountPath, key), fileOf(secret.secretName, key), { mode: 0o600 });
      }
    }
    return containers[0].args.map((arg) => arg.replace('=/etc/', `=${directory}/etc/`));
  }

  function fileOf(secret: string, key: string): string | Buffer {
    const { data = {}, stringData = {} } = objects.find(({ metadata }) => metadata.name === secret) ?? {};
    return stringData[key] ?? Buffer.from(data[key] ?? '', 'base64');
  }

  /** A client with a client config of the release, whose certificate is for localhost too. */
  async function clientOf(secret: string): Promise<Client> {
    const settings = await readClientConfig(String(fileOf(secret, 'config')));
    assert.equal(settings.server, 'https://plane-cl-apiserver.work.svc:443');
    return createClient({ ...settings, server: `https://localhost:${server.port}` });
  }

  it('has servers that reach their etcd, and an administrator', async () => {
    const client = await clientOf('plane-cl-apiserver-admin');
    const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'made' } };
    const namespaces = client.resource({ group: '', version: 'v1', resource: 'namespaces', namespaced: false });
    await namespaces.create(namespace);
    assert.equal((await namespaces.get('made')).metadata?.name, 'made');
    await client.close();
  });

  it('has controllers with the rights of controllers, and no others', async () => {
    const flags = parseControllerFlags(await argumentsOf('Deployment', 'plane-cl-apiserver-controllers'));
    assert.match(await readFile(flags.clientconfig, 'utf8'), /^apiVersion: v1\nkind: Config\n/);
    const client = await clientOf('plane-cl-apiserver-controllers');
    const secrets = client.resource({ group: '', version: 'v1', resource: 'secrets', namespaced: true });
    const roles = client.resource({
      group: 'rbac.authorization.cl.io',
      version: 'v1',
      resource: 'clusterroles',
      namespaced: false,
    });
    await secrets.list({ namespace: 'default' });
    await assert.rejects(roles.delete('cluster-admin'), /system:cl-controller-manager/);
    await client.close();
  });

  it('has an etcd that serves nobody without a certificate', async () => {
    const ca = fileOf('plane-cl-apiserver-etcd', 'ca.crt');
    const statusOf = async (settings: object): Promise<number | undefined> => {
      const [response] = (await once(get(`${etcdUrl}/health`, { ca, ...settings }), 'response')) as [IncomingMessage];
      response.resume();
      return response.statusCode;
    };
    const [cert, key] = ['client.crt', 'client.key'].map((name) => fileOf('plane-cl-apiserver-etcd', name));
    assert.equal(await statusOf({ cert, key }), 200);
    await assert.rejects(statusOf({}));
  });
});
