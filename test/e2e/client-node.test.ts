import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import * as k8s from '@kubernetes/client-node';
import type { TestServer } from '../../src/testing/index.ts';
import { startServer } from './start-server.ts';
import { startTestEtcd } from './local-store.ts';
import { until } from '../http/until.ts';

function apiOf(server: TestServer): { readonly config: k8s.KubeConfig; readonly core: k8s.CoreV1Api } {
  const config = new k8s.KubeConfig();
  config.loadFromString(server.clientConfig);
  return { config, core: config.makeApiClient(k8s.CoreV1Api) };
}

const namespace = 'default';
const configMap = (name: string, data: Record<string, string>): k8s.V1ConfigMap => ({ metadata: { name }, data });

describe('@kubernetes/client-node 1.4, unmodified', () => {
  it('creates, reads, lists, replaces and deletes', async () => {
    await using server = await startServer({ store: 'memory', identifiers: 'kubernetes' });
    const { core } = apiOf(server);
    const created = await core.createNamespacedConfigMap({ namespace, body: configMap('a', { k: '1' }) });
    assert.ok(created.metadata?.uid);
    const read = await core.readNamespacedConfigMap({ namespace, name: 'a' });
    assert.deepEqual(read.data, { k: '1' });
    assert.ok(read.metadata?.creationTimestamp instanceof Date);
    const replaced = await core.replaceNamespacedConfigMap({
      namespace,
      name: 'a',
      body: configMap('a', { k: '2' }),
    });
    assert.notEqual(replaced.metadata?.resourceVersion, read.metadata.resourceVersion);
    await assert.rejects(core.replaceNamespacedConfigMap({ namespace, name: 'a', body: read }), { code: 409 });
    const list = await core.listNamespacedConfigMap({ namespace, labelSelector: '!x' });
    assert.deepEqual(
      list.items.map((item) => item.metadata?.name),
      ['a'],
    );
    const status = await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
    assert.equal(status.status, 'Success');
    await assert.rejects(core.readNamespacedConfigMap({ namespace, name: 'a' }), { code: 404 });
  });

  it('has an informer that sees add, update and delete, and resumes after the server restarts', async () => {
    await using etcd = await startTestEtcd();
    const options = {
      store: { kind: 'etcd', servers: [etcd.endpoint] },
      identifiers: 'kubernetes',
      certDir: path.join(etcd.directory, 'pki'),
      tokens: [{ token: 'informer', username: 'informer', groups: ['system:masters'] }],
    } as const;
    const first = await startServer(options);
    const config = new k8s.KubeConfig();
    config.loadFromString(first.clientConfig.replace(first.token, 'informer'));
    const core = config.makeApiClient(k8s.CoreV1Api);

    const seen: string[] = [];
    const informer = k8s.makeInformer(config, `/api/v1/namespaces/${namespace}/configmaps`, () =>
      core.listNamespacedConfigMap({ namespace }),
    );
    const note = (what: string) => (object: k8s.KubernetesObject) =>
      seen.push(`${what} ${object.metadata?.name} ${JSON.stringify((object as k8s.V1ConfigMap).data)}`);
    informer.on('add', note('add'));
    informer.on('update', note('update'));
    informer.on('delete', note('delete'));
    let stopped = false;
    informer.on('error', () => setTimeout(() => stopped || void informer.start(), 100));
    await informer.start();

    await core.createNamespacedConfigMap({ namespace, body: configMap('a', { k: '1' }) });
    await until('add', () => seen.includes('add a {"k":"1"}'));
    await core.replaceNamespacedConfigMap({ namespace, name: 'a', body: configMap('a', { k: '2' }) });
    await until('update', () => seen.includes('update a {"k":"2"}'));

    await first.stop();
    await using second = await startServer({ ...options, securePort: first.port });
    assert.equal(second.port, first.port);
    await core.createNamespacedConfigMap({ namespace, body: configMap('b', { k: '3' }) });
    await until('add after the restart', () => seen.includes('add b {"k":"3"}'));
    await core.deleteNamespacedConfigMap({ namespace, name: 'a' });
    await until('delete', () => seen.some((line) => line.startsWith('delete a')));
    assert.equal(seen.filter((line) => line.startsWith('add a')).length, 1, seen.join('\n'));
    stopped = true;
    await informer.stop();
  });

  it('runs programs in stand-in pods, attaches, follows logs, forwards ports and copies', async () => {
    await using server = await startServer({ store: 'memory', identifiers: 'kubernetes', nodes: 1 });
    const { config, core } = apiOf(server);
    const annotations = {
      'stand-in.kubernetes.io/logs': 'hello {pod}',
      'stand-in.kubernetes.io/attach-reply': '<{line}>',
    };
    const spec = { containers: [{ name: 'c', image: 'i' }] };
    await core.createNamespacedPod({ namespace, body: { metadata: { name: 'p', annotations }, spec } });
    await until('the pod to run', async () => {
      const { status } = await core.readNamespacedPod({ namespace, name: 'p' });
      return status?.phase === 'Running';
    });
    const collected = (): PassThrough & { seen: string } => {
      const stream = Object.assign(new PassThrough(), { seen: '' });
      return stream.on('data', (data: Buffer) => (stream.seen += data.toString()));
    };
    const exec = new k8s.Exec(config);
    const run = async (command: string[], stdout: PassThrough, stdin: Readable | null = null): Promise<k8s.V1Status> =>
      new Promise((resolve, reject) => {
        exec.exec(namespace, 'p', 'c', command, stdout, null, stdin, false, resolve).catch(reject);
      });
    const out = collected();
    assert.equal((await run(['sh', '-c', 'hostname; exit 3'], out)).details?.causes?.[0]?.message, '3');
    await until('the output', async () => out.seen === 'p\n');

    const log = collected();
    await new k8s.Log(config).log(namespace, 'p', 'c', log, {});
    await until('the log', async () => log.seen === 'hello p\n');

    const [attached, typed] = [collected(), new PassThrough()];
    const socket = await new k8s.Attach(config).attach(namespace, 'p', 'c', attached, null, typed, false);
    typed.write('hi\n');
    await until('the reply', async () => attached.seen === '<hi>\n');
    socket.close();

    const [returned, sent] = [collected(), new PassThrough()];
    const forward = new k8s.PortForward(config);
    const port = await forward.portForward(namespace, 'p', [80], returned, null, sent);
    sent.write('ping');
    await until('the echo', async () => returned.seen === 'ping');
    (typeof port === 'function' ? port() : port)?.close();

    const directory = await mkdtemp(path.join(tmpdir(), 'cl-copy-'));
    await writeFile(path.join(directory, 'file'), 'contents');
    await new k8s.Cp(config).cpToPod(namespace, 'p', 'c', directory, '/tmp');
    await until('the copy', async () => {
      const copy = collected();
      await run(['cat', '/tmp/file'], copy);
      await nextTurn();
      return copy.seen === 'contents';
    });
    await rm(directory, { recursive: true });
    // Archives are compressed if they are asked for so, in both directions.
    const [archive, packed] = [new PassThrough(), collected()];
    const bytes = buffer(archive);
    await run(['tar', 'czf', '-', '-C', '/tmp', 'file'], archive);
    assert.match(gunzipSync(await bytes).toString(), /^file\0.*contents/s);
    const unpacked = await run(['tar', 'xzf', '-', '-C', '/home'], packed, Readable.from([await bytes]));
    assert.equal(unpacked.status, 'Success', unpacked.message);
    const again = collected();
    await run(['cat', '/home/file'], again);
    await until('the second copy', async () => again.seen === 'contents');
  });
});
