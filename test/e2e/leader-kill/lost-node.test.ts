import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { builtInResources, type Client, createClient, hasReason } from '../../../src/client/index.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startNodes } from '../../../src/nodes/start-nodes.ts';
import { ensureAuthority } from '../../../src/pki/ensure-authority.ts';
import { generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate } from '../../../src/pki/issue-certificate.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { until } from '../../http/until.ts';
import { type History, isReady, recordHistory } from './history.ts';
import { type ManagerProcess, startManager } from './manager-process.ts';

const kinds = builtInResources('cluster');
const namespace = 'default';
const patience = 300_000;
const threshold = 3;
const hour = 3_600_000;
const numbered = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

describe('controller managers whose leader is killed when a node is lost', function () {
  this.timeout(900_000);
  let directory: string;
  let server: TestServer;
  let client: Client;
  let history: History;
  let managers: ManagerProcess[] = [];
  let onLostNode = 0;
  let nodesEnded = Promise.resolve();
  const stop = new AbortController();

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-lost-node-'));
    const authority = await ensureAuthority(directory, 'ca', 'clients');
    server = await startServer({ clientCaFile: authority.certFile });
    client = createClient(server.connection);
    history = await recordHistory(client, stop.signal);
    const config = path.join(directory, 'config');
    await writeFile(config, server.clientConfig, { mode: 0o600 });
    const flags = [
      '--node-monitor-period=200ms',
      // Stand-in nodes renew their leases every ten seconds.
      '--node-monitor-grace-period=25s',
      '--node-eviction-rate=100',
      `--terminated-pod-gc-threshold=${threshold}`,
      `--cluster-signing-cert-file=${authority.certFile}`,
      `--cluster-signing-key-file=${authority.keyFile}`,
    ];
    managers = [startManager(config, flags)];
    await until('the first to lead', () => managers[0]?.leads === true, patience);
    managers.push(startManager(config, flags));
    const options = { settings: server.connection, identifiers: identifiersOf('cluster'), groups: [{ count: 2 }] };
    nodesEnded = (await startNodes(options, stop.signal)).ended;
    await createReplicas();
    const annotations = { 'stand-in.cluster.io/outcome': 'Lost' };
    const requests = createRequests();
    await client.resource(kinds.nodes).patch('node-1', { metadata: { annotations } }, { type: 'merge' });
    await until('a certificate', () => [...history.issued.values()].some(({ size }) => size > 0), patience);
    await managers[0]?.kill();
    await Promise.all([requests, createEndedPods(), createExpiredRequest()]);
    await until('the other to lead', () => managers[1]?.leads === true, patience);
  });
  after(async () => {
    stop.abort();
    await nodesEnded;
    await Promise.all(managers.map((manager) => manager.stop()));
    await client.close();
    await server.stop();
    await rm(directory, { recursive: true });
  });

  const replicas = async () => (await client.resource(kinds.pods).list({ namespace, labelSelector: 'app=web' })).items;

  async function createReplicas(): Promise<void> {
    const labels = { app: 'web' };
    const tolerations = ['not-ready', 'unreachable'].map((name) => ({
      key: `node.cluster.io/${name}`,
      operator: 'Exists',
      effect: 'NoExecute',
      tolerationSeconds: 0,
    }));
    const spec = { tolerations, containers: [{ name: 'c', image: 'i' }] };
    await client.resource(kinds.replicasets).create({
      metadata: { name: 'web', namespace },
      spec: { replicas: 6, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
    });
    await until('six pods', async () => (await replicas()).filter(isReady).length === 6, patience);
    onLostNode = (await replicas()).filter(({ spec: { nodeName } = {} }) => nodeName === 'node-1').length;
  }

  /** Requests of a node agent, which are approved and signed. */
  async function createRequests(): Promise<void> {
    const [key, file] = [path.join(directory, 'csr.key'), path.join(directory, 'csr')];
    const subject = '/O=system:nodes/CN=system:node:node-1';
    const keyFlags = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', key];
    await promisify(execFile)('openssl', ['req', '-new', ...keyFlags, '-subj', subject, '-out', file]);
    const request = (await readFile(file)).toString('base64');
    const signerName = 'cluster.io/cl-apiserver-client-nodeagent';
    const usages = ['key encipherment', 'digital signature', 'client auth'];
    for (const name of numbered(20, 'csr')) {
      const spec = { request, signerName, usages };
      await client.resource(kinds.certificatesigningrequests).create({ metadata: { name }, spec });
    }
  }

  /** Pods that have ended, of which too many are kept. */
  async function createEndedPods(): Promise<void> {
    for (const name of numbered(8, 'ended')) {
      const spec = { restartPolicy: 'Never', schedulerName: 'none', containers: [{ name: 'c', image: 'i' }] };
      await client.resource(kinds.pods).create({ metadata: { name, namespace }, spec });
      const options = { type: 'merge', namespace, subresource: 'status' } as const;
      await client.resource(kinds.pods).patch(name, { status: { phase: 'Succeeded' } }, options);
    }
  }

  /** A request whose certificate has expired. */
  async function createExpiredRequest(): Promise<void> {
    const resource = client.resource(kinds.certificatesigningrequests);
    const request = (await readFile(path.join(directory, 'csr'))).toString('base64');
    const spec = { request, signerName: 'example.com/other', usages: ['client auth'] };
    const created = await resource.create({ metadata: { name: 'expired' }, spec });
    const approved = { conditions: [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }] };
    const decided = await resource.update({ ...created, status: approved }, { subresource: 'approval' });
    const past = Date.now() - hour;
    const pem = await issueAuthorityCertificate(await generateKey(), 'old', new Date(past), new Date(past - hour));
    const certificate = Buffer.from(pem).toString('base64');
    await resource.update({ ...decided, status: { ...decided.status, certificate } }, { subresource: 'status' });
  }

  it('evict the pods of the node once, and create one pod for each', async () => {
    const onOther = async () =>
      (await replicas()).filter((pod) => isReady(pod) && pod.spec?.nodeName === 'node-2').length;
    await until('all pods on the other node', async () => (await onOther()) === 6, patience);
    const left = (await replicas()).filter(({ spec }) => spec?.nodeName === 'node-1');
    // Its agent does not end them.
    assert.equal(left.length, onLostNode);
    assert.ok(left.every(({ metadata }) => metadata?.deletionTimestamp));
    assert.ok(onLostNode > 0);
    assert.equal(history.created.filter(({ name }) => name.startsWith('web-')).length, 6 + onLostNode);
    const { spec } = await client.resource(kinds.nodes).get('node-1');
    const taints = (spec?.taints ?? []).map(({ key, effect }) => `${key}:${effect}`).toSorted();
    assert.deepEqual(
      taints,
      ['NoExecute', 'NoSchedule'].map((effect) => `node.cluster.io/unreachable:${effect}`),
    );
    const evictions = async () =>
      (await client.resource(kinds.events).list({ namespace })).items.filter(
        ({ reason }) => reason === 'TaintManagerEviction',
      );
    await until('the Events', async () => (await evictions()).length >= onLostNode, patience);
    const reported = await evictions();
    assert.deepEqual(
      reported.map(({ involvedObject }) => involvedObject?.name ?? '').toSorted(),
      left.map(({ metadata }) => metadata?.name ?? '').toSorted(),
    );
    assert.ok(reported.every(({ count = 1 }) => count === 1));
  });

  it('approve and sign each request once', async () => {
    const sizes = () => numbered(20, 'csr').map((name) => history.issued.get(name)?.size ?? 0);
    await until('all certificates', () => !sizes().includes(0), patience);
    assert.deepEqual(new Set(sizes()), new Set([1]));
    const { items } = await client.resource(kinds.certificatesigningrequests).list();
    for (const { metadata, status } of items.filter((each) => each.metadata?.name?.startsWith('csr-'))) {
      const conditions = status?.conditions?.map(({ type, reason }) => `${type} ${reason}`);
      assert.deepEqual(conditions, ['Approved AutoApproved'], metadata?.name);
    }
  });

  it('delete the request whose certificate has expired, and the ended pods beyond the limit', async () => {
    const resource = client.resource(kinds.certificatesigningrequests);
    const isGone = () =>
      resource.get('expired').then(
        () => false,
        (error: unknown) => hasReason(error, 'NotFound'),
      );
    await until('the request to go', isGone, patience);
    const ended = async () =>
      (await client.resource(kinds.pods).list({ namespace })).items
        .map(({ metadata }) => metadata?.name ?? '')
        .filter((name) => name.startsWith('ended-'));
    await until('few ended pods', async () => (await ended()).length <= threshold, patience);
    assert.equal((await ended()).length, threshold);
  });
});
