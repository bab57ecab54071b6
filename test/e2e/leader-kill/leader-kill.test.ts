import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type ApiObject,
  builtInResources,
  type Client,
  type corev1,
  createClient,
  hasReason,
  type ResourceClient,
} from '../../../src/client/index.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { startNodes } from '../../../src/nodes/start-nodes.ts';
import { ensureAuthority } from '../../../src/pki/ensure-authority.ts';
import { ensureKeyFile } from '../../../src/pki/key-files.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { until } from '../../http/until.ts';
import { startServer } from '../start-server.ts';
import { type History, isReady, recordHistory } from './history.ts';
import { type ManagerProcess, startManager } from './manager-process.ts';

const kinds = builtInResources('cluster');
const namespace = 'default';
const patience = 300_000;
const finalizers = ['example.com/hold'];
const numbered = (count: number, name: string): string[] =>
  Array.from({ length: count }, (_, index) => `${name}-${index}`);

/** Pods that run, or, with `Never`, succeed. */
const template = (app: string, image = 'app:1', restartPolicy = 'Always') => ({
  metadata: { labels: { app } },
  spec: { restartPolicy, terminationGracePeriodSeconds: 5, containers: [{ name: 'c', image }] },
});
const workload = <Spec extends object>(name: string, spec: Spec) => ({
  metadata: { name },
  spec: { selector: { matchLabels: { app: name } }, template: template(name), ...spec },
});
const nextImage = (app: string) => ({ spec: { template: template(app, 'app:2') } });

describe('controller managers whose leader is killed with its hands full', function () {
  this.timeout(900_000);
  let directory: string;
  let server: TestServer;
  let client: Client;
  let history: History;
  let managers: ManagerProcess[] = [];
  let other: ManagerProcess | undefined;
  let stopNodes: () => Promise<void> = async () => {};
  const stop = new AbortController();
  const file = (name: string): string => path.join(directory, name);
  const of = <T extends ApiObject>(kind: Parameters<typeof client.resource<T>>[0]): ResourceClient<T> =>
    client.resource(kind);

  async function addNodes(): Promise<void> {
    const leaving = new AbortController();
    const options = { settings: server.connection, identifiers: identifiersOf('cluster'), groups: [{ count: 2 }] };
    const { ended } = await startNodes(options, leaving.signal);
    stopNodes = async () => {
      leaving.abort();
      await ended;
    };
  }
  const merge = { type: 'merge' } as const;
  const podsOf = async (app: string) => (await of(kinds.pods).list({ namespace, labelSelector: `app=${app}` })).items;
  async function ready(app: string, count: number, image = 'app:1'): Promise<void> {
    const isGood = (pod: corev1.Pod) => isReady(pod) && pod.spec?.containers?.[0]?.image === image;
    try {
      await until(
        `${count} pods of ${app} with ${image}`,
        async () => {
          const found = await podsOf(app);
          return found.length === count && found.every(isGood);
        },
        patience,
      );
    } catch (error) {
      const found = (await podsOf(app)).map(({ metadata, spec, status }) => JSON.stringify([metadata, spec, status]));
      const logs = managers.map(({ log }) => log.slice(-2000));
      throw new Error([String(error), ...found, ...logs].join('\n'), { cause: error });
    }
  }
  const isGone = (request: Promise<unknown>): Promise<boolean> =>
    request.then(
      () => false,
      (error: unknown) => hasReason(error, 'NotFound'),
    );
  const gone = (what: string, read: () => Promise<unknown>) => until(`${what} to go`, () => isGone(read()), patience);
  const hold = async (name: string, more: object = {}, into = namespace) =>
    of(kinds.configmaps).create({ metadata: { name, finalizers, ...more } }, { namespace: into });
  const letGo = (name: string, from = namespace) =>
    of(kinds.configmaps).patch(name, { metadata: { finalizers: null } }, { ...merge, namespace: from });
  const createdFor = (name: string, image?: string) =>
    history.created.filter((pod) => pod.name.startsWith(`${name}-`) && (image === undefined || pod.image === image));

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-leader-kill-'));
    const [authority] = await Promise.all([ensureAuthority(directory, 'ca', 'clients'), ensureKeyFile(file('sa.key'))]);
    server = await startServer({
      authorizationMode: ['Node', 'RBAC'],
      admissionPlugins: { enabled: ['ServiceAccount'], disabled: [] },
      clientCaFile: authority.certFile,
      serviceAccountSigningKeyFile: file('sa.key'),
    });
    client = createClient(server.connection);
    history = await recordHistory(client, stop.signal);
    await writeFile(file('config'), server.clientConfig, { mode: 0o600 });
    const flags = [
      '--controllers=*,bootstrapsigner,tokencleaner',
      '--use-service-account-credentials',
      `--cluster-signing-cert-file=${authority.certFile}`,
      `--cluster-signing-key-file=${authority.keyFile}`,
      `--service-account-private-key-file=${file('sa.key')}`,
    ];
    managers = [startManager(file('config'), flags)];
    await until('the first to lead', () => managers[0]?.leads === true, patience);
    managers.push(startManager(file('config'), flags));
    await begin();
    await interrupt();
    await goOn();
  });
  after(async () => {
    stop.abort();
    await stopNodes();
    await Promise.all(managers.map((manager) => manager.stop()));
    await client.close();
    await server.stop();
    await rm(directory, { recursive: true });
  });

  /** The state before: everything runs. */
  async function begin(): Promise<void> {
    await addNodes();
    await until('the default account', () => isThere(of(kinds.serviceaccounts).get('default')), patience);
    await Promise.all([
      of(kinds.deployments).create(workload('web', { replicas: 4 })),
      of(kinds.statefulsets).create(workload('db', { replicas: 3, serviceName: 'db' })),
      of(kinds.daemonsets).create(workload('agent', {})),
      of(kinds.services).create({
        metadata: { name: 'web' },
        spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
      }),
      of(kinds.poddisruptionbudgets).create({
        metadata: { name: 'web' },
        spec: { minAvailable: 3, selector: { matchLabels: { app: 'web' } } },
      }),
      of(kinds.namespaces).create({ metadata: { name: 'doomed' } }),
      of(kinds.configmaps).create(
        { metadata: { name: 'cluster-info' }, data: { clientconfig: 'apiVersion: v1\n' } },
        { namespace: 'cl-public' },
      ),
    ]);
    await Promise.all([ready('web', 4), ready('db', 3), ready('agent', 2)]);
    await stopNodes();
  }

  /** Work of all controllers that no node takes part in, so that it is not done when the leader dies. */
  async function interrupt(): Promise<void> {
    const owner = await hold('owner');
    const { uid = '' } = owner.metadata ?? {};
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid, blockOwnerDeletion: true }];
    await Promise.all([hold('dependent', { ownerReferences }), hold('held', {}, 'doomed'), letGo('owner')]);
    await createClaims();
    await Promise.all([
      of(kinds.deployments).patch('web', nextImage('web'), merge),
      of(kinds.deployments).create(workload('fresh', { replicas: 3 })),
      of(kinds.statefulsets).patch('db', nextImage('db'), merge),
      of(kinds.statefulsets).create(workload('seq', { replicas: 3, serviceName: 'seq' })),
      of(kinds.daemonsets).patch('agent', nextImage('agent'), merge),
      of(kinds.replicasets).create(workload('bare', { replicas: 2 })),
      of(kinds.replicationcontrollers).create({
        metadata: { name: 'old' },
        spec: { replicas: 2, selector: { app: 'old' }, template: template('old') },
      }),
      of(kinds.jobs).create({
        metadata: { name: 'work' },
        spec: { completions: 6, parallelism: 3, template: template('work', 'app:1', 'Never') },
      }),
      of(kinds.jobs).create({
        metadata: { name: 'brief' },
        spec: { ttlSecondsAfterFinished: 0, template: template('brief', 'app:1', 'Never') },
      }),
      of(kinds.cronjobs).create({
        metadata: { name: 'yearly' },
        spec: {
          schedule: '0 0 1 1 *',
          suspend: true,
          jobTemplate: { spec: { template: template('yearly', 'app:1', 'Never') } },
        },
      }),
      of(kinds.configmaps).delete('owner', { propagationPolicy: 'Foreground' }),
      of(kinds.namespaces).delete('doomed'),
      of(kinds.resourcequotas).create({ metadata: { name: 'q' }, spec: { hard: { pods: '100', services: '50' } } }),
      of(kinds.persistentvolumeclaims).delete('used'),
      of(kinds.persistentvolumes).delete('v'),
      of(kinds.clusterroles).create({
        metadata: { name: 'sum' },
        aggregationRule: { clusterRoleSelectors: [{ matchLabels: { part: 'of-sum' } }] },
      }),
    ]);
    await until(
      'the pods that wait for a node',
      async () => {
        const counts = await Promise.all(
          ['fresh', 'seq', 'work', 'bare', 'old'].map(async (app) => (await podsOf(app)).length),
        );
        return (
          counts.join() === '3,1,3,2,2' &&
          (await podsOf('web')).some((pod) => pod.spec?.containers?.[0]?.image === 'app:2')
        );
      },
      patience,
    );
    await until(
      'the namespace to say what it waits for',
      async () => {
        const { status } = await of(kinds.namespaces).get('doomed');
        return (status?.conditions ?? []).length > 0;
      },
      patience,
    );
    const wave = burst();
    const certified = () =>
      [...history.issued].filter(([name, { size }]) => name.startsWith('csr-') && size > 0).length;
    await until('the first certificates', () => certified() > 0, patience);
    await until('a leader', () => managers.some(({ leads }) => leads), patience);
    const leader = managers.find(({ leads }) => leads);
    other = managers.find((each) => each !== leader);
    await leader?.kill();
    await wave;
    await until('the other to lead', () => other?.leads === true, patience);
  }

  /** Much at once, in the middle of which the leader is killed. */
  async function burst(): Promise<void> {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', file('csr.key')];
    await promisify(execFile)('openssl', ['req', '-new', ...key, '-subj', '/CN=ann', '-out', file('csr')]);
    const request = (await readFile(file('csr'))).toString('base64');
    const annotations = { 'cluster.io/service-account.name': 'default' };
    const part = { labels: { part: 'of-sum' } };
    await Promise.all([
      ...numbered(20, 'csr').map(async (name) => {
        const spec = { request, signerName: 'cluster.io/cl-apiserver-client', usages: ['client auth'] };
        const created = await of(kinds.certificatesigningrequests).create({ metadata: { name }, spec });
        const conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: '' }];
        const approved = { ...created, status: { conditions } };
        await of(kinds.certificatesigningrequests).update(approved, { subresource: 'approval' });
      }),
      ...numbered(10, 'token').map((name) =>
        of(kinds.secrets).create({ metadata: { name, annotations }, type: 'cluster.io/service-account-token' }),
      ),
      ...numbered(8, 'new').map((name) => of(kinds.namespaces).create({ metadata: { name } })),
      ...numbered(5, 'svc').map((name) =>
        of(kinds.services).create({ metadata: { name }, spec: { selector: { app: 'fresh' }, ports: [{ port: 80 }] } }),
      ),
      of(kinds.services).create({ metadata: { name: 'outside' }, spec: { ports: [{ port: 80 }] } }),
      of(kinds.endpoints).create({
        metadata: { name: 'outside' },
        subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ port: 80 }] }],
      }),
      ...numbered(5, 'rule').map((name) =>
        of(kinds.clusterroles).create({
          metadata: { name, ...part },
          rules: [{ apiGroups: [''], resources: [name], verbs: ['get'] }],
        }),
      ),
      ...['aaaaaa', 'bbbbbb'].map((id) =>
        of(kinds.secrets).create(
          {
            metadata: { name: `bootstrap-token-${id}` },
            type: 'bootstrap.cluster.io/token',
            stringData: {
              'token-id': id,
              'token-secret': '0123456789abcdef',
              'usage-bootstrap-signing': 'true',
              ...(id === 'bbbbbb'
                ? { expiration: new Date(Date.now() + 3000).toISOString().replace(/\.\d+/, '') }
                : {}),
            },
          },
          { namespace: 'cl-system' },
        ),
      ),
    ]);
  }

  async function createClaims(): Promise<void> {
    const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    await of(kinds.persistentvolumeclaims).create({ metadata: { name: 'used' }, spec });
    const volumes = [{ name: 'v', persistentVolumeClaim: { claimName: 'used' } }];
    const user = {
      nodeName: 'node-1',
      terminationGracePeriodSeconds: 0,
      containers: [{ name: 'c', image: 'i' }],
      volumes,
    };
    await of(kinds.pods).create({ metadata: { name: 'user' }, spec: user });
    await of(kinds.persistentvolumes).create({
      metadata: { name: 'v' },
      spec: { accessModes: spec.accessModes, capacity: { storage: '1Gi' }, hostPath: { path: '/tmp' } },
    });
    await of(kinds.persistentvolumes).patch('v', { status: { phase: 'Bound' } }, { ...merge, subresource: 'status' });
  }

  /** The present leader has not seen how any of it began. */
  async function goOn(): Promise<void> {
    await Promise.all([letGo('held', 'doomed'), letGo('dependent'), addNodes()]);
    const lastYear = `${new Date().getUTCFullYear() - 1}-06-01T00:00:00Z`;
    await of(kinds.cronjobs).patch(
      'yearly',
      { status: { lastScheduleTime: lastYear } },
      { ...merge, subresource: 'status' },
    );
    await of(kinds.cronjobs).patch('yearly', { spec: { suspend: false } }, merge);
    await of(kinds.pods).delete('user', { gracePeriodSeconds: 0 });
    await of(kinds.persistentvolumes).patch(
      'v',
      { status: { phase: 'Released' } },
      { ...merge, subresource: 'status' },
    );
  }

  const isThere = async (request: Promise<unknown>): Promise<boolean> => !(await isGone(request));

  it('have another leader when the lease has ended', async () => {
    const health =
      /"url":"([^"]+)".*serving health endpoints/.exec(other?.log ?? '')?.[1] ?? assert.fail('no endpoints');
    const has = async (line: RegExp): Promise<boolean> => line.test(await (await fetch(`${health}/metrics`)).text());
    assert.ok(await has(/^leader_election_master_status\{name="cl-controller-manager"\} 1$/m));
    await until('it to have listed pods', () => has(/^reflector_lists_total\{name="pods"\} 1$/m));
  });

  it('finish rollouts of Deployments with the revisions that the first leader began', async () => {
    await Promise.all([ready('web', 4, 'app:2'), ready('fresh', 3)]);
    const { items } = await of(kinds.replicasets).list({ namespace });
    const revision = 'deployment.cluster.io/revision';
    const sets = (name: string) =>
      items
        .filter(({ metadata }) => metadata?.name?.startsWith(`${name}-`))
        .map(({ metadata, spec }) => `${metadata?.annotations?.[revision]}: ${spec?.replicas}`)
        .toSorted();
    assert.deepEqual([sets('web'), sets('fresh')], [['1: 0', '2: 4'], ['1: 3']]);
    await until('the status', async () => {
      const { metadata, status } = await of(kinds.deployments).get('web');
      return (
        metadata?.annotations?.[revision] === '2' && status?.updatedReplicas === 4 && status.availableReplicas === 4
      );
    });
    assert.equal(createdFor('fresh').length, 3);
    assert.equal(createdFor('web', 'app:1').length, 4);
    assert.equal(createdFor('web', 'app:2').length, 4);
  });

  it('create the pods of StatefulSets in order, once', async () => {
    await Promise.all([ready('seq', 3), ready('db', 3, 'app:2')]);
    assert.deepEqual(
      createdFor('seq').map(({ name, readySiblings }) => [name, ...readySiblings.toSorted()]),
      [['seq-0'], ['seq-1', 'seq-0'], ['seq-2', 'seq-0', 'seq-1']],
    );
    const updated = createdFor('db', 'app:2').map(({ name, readySiblings }) => [name, readySiblings.length]);
    assert.deepEqual(updated, [
      ['db-2', 2],
      ['db-1', 2],
      ['db-0', 2],
    ]);
  });

  it('roll a DaemonSet out, a pod for each node', async () => {
    await ready('agent', 2, 'app:2');
    const nodes = (await podsOf('agent')).map(({ spec }) => spec?.nodeName ?? '');
    assert.deepEqual(nodes.toSorted(), ['node-1', 'node-2']);
    assert.equal(createdFor('agent').length, 4);
  });

  it('create as many pods for ReplicaSets and ReplicationControllers as they want', async () => {
    await Promise.all([ready('bare', 2), ready('old', 2)]);
    assert.deepEqual([createdFor('bare').length, createdFor('old').length], [2, 2]);
  });

  it('run each pod of a Job once, and the Job of a schedule once', async () => {
    const complete = (name: string) =>
      until(
        `the Job ${name} to be complete`,
        async () => {
          const { status } = await of(kinds.jobs).get(name);
          return status?.conditions?.some((condition) => condition.type === 'Complete') === true;
        },
        patience,
      );
    await complete('work');
    assert.equal((await of(kinds.jobs).get('work')).status?.succeeded, 6);
    assert.equal(createdFor('work').length, 6);
    await until(
      'the scheduled Job to succeed',
      async () => {
        const { status } = await of(kinds.cronjobs).get('yearly');
        return status?.lastSuccessfulTime !== undefined;
      },
      patience,
    );
    const { items } = await of(kinds.jobs).list({ namespace });
    const scheduled = items.filter(({ metadata }) => metadata?.ownerReferences?.some(({ kind }) => kind === 'CronJob'));
    assert.equal(scheduled.length, 1);
    await gone('the Job with a time to live', () => of(kinds.jobs).get('brief'));
    assert.equal(createdFor('brief').length, 1);
  });

  it('delete the namespace, and the owner after its dependent', async () => {
    await gone('the namespace', () => of(kinds.namespaces).get('doomed'));
    await gone('the dependent', () => of(kinds.configmaps).get('dependent'));
    await gone('the owner', () => of(kinds.configmaps).get('owner'));
  });

  it('sign each request once', async () => {
    const sizes = () => numbered(20, 'csr').map((name) => history.issued.get(name)?.size ?? 0);
    await until('all certificates', () => !sizes().includes(0), patience);
    assert.deepEqual([...new Set(sizes())], [1]);
  });

  it('give each Secret one token', async () => {
    const sizes = () => numbered(10, 'token').map((name) => history.issued.get(name)?.size ?? 0);
    await until('all tokens', () => !sizes().includes(0), patience);
    assert.deepEqual([...new Set(sizes())], [1]);
  });

  it('give new namespaces their account and their root CA', async () => {
    for (const each of numbered(8, 'new')) {
      await until(
        `the account of ${each}`,
        () => isThere(of(kinds.serviceaccounts).get('default', { namespace: each })),
        patience,
      );
      const roots = async () => (await of(kinds.configmaps).list({ namespace: each })).items;
      await until(`the root CA of ${each}`, async () => (await roots()).length === 1, patience);
    }
  });

  it('keep the Endpoints and one EndpointSlice of each Service, and mirror the Endpoints of users', async () => {
    const sorted = (addresses: readonly (string | undefined)[]) => [...addresses].map(String).toSorted().join();
    const slicesHave = (name: string, addresses: string) =>
      until(
        `the slice of ${name}`,
        async () => {
          const labelSelector = `cluster.io/service-name=${name}`;
          const { items } = await of(kinds.endpointslices).list({ namespace, labelSelector });
          const endpoints = items.flatMap((slice) => slice.endpoints ?? []);
          return items.length === 1 && sorted(endpoints.flatMap((endpoint) => endpoint.addresses ?? [])) === addresses;
        },
        patience,
      );
    const addresses = sorted((await podsOf('fresh')).map(({ status }) => status?.podIP));
    for (const name of numbered(5, 'svc')) {
      await until(
        `the Endpoints of ${name}`,
        async () => {
          if (await isGone(of(kinds.endpoints).get(name))) return false;
          const { subsets = [] } = await of(kinds.endpoints).get(name);
          return sorted((subsets[0]?.addresses ?? []).map(({ ip }) => ip)) === addresses;
        },
        patience,
      );
      await slicesHave(name, addresses);
    }
    await slicesHave('outside', '192.0.2.1');
  });

  it('count quotas and disruption budgets', async () => {
    const counted = async () => {
      const [{ items }, quota] = await Promise.all([
        of(kinds.pods).list({ namespace }),
        of(kinds.resourcequotas).get('q'),
      ]);
      const living = items.filter(({ status }) => status?.phase !== 'Succeeded' && status?.phase !== 'Failed');
      return quota.status?.used?.['pods'] === String(living.length) && quota.status.used['services'] === '8';
    };
    await until('the quota', counted, patience);
    await until(
      'the budget',
      async () => {
        const { status } = await of(kinds.poddisruptionbudgets).get('web');
        return status?.currentHealthy === 4 && status.disruptionsAllowed === 1;
      },
      patience,
    );
  });

  it('sum cluster roles, release claims and volumes, and sign and clean bootstrap tokens', async () => {
    await until(
      'the sum',
      async () => {
        const { rules = [] } = await of(kinds.clusterroles).get('sum');
        return rules.flatMap(({ resources = [] }) => resources).join() === numbered(5, 'rule').join();
      },
      patience,
    );
    await gone('the claim', () => of(kinds.persistentvolumeclaims).get('used'));
    await gone('the volume', () => of(kinds.persistentvolumes).get('v'));
    await gone('the token', () => of(kinds.secrets).get('bootstrap-token-bbbbbb', { namespace: 'cl-system' }));
    await until(
      'the signature',
      async () => {
        const { data = {} } = await of(kinds.configmaps).get('cluster-info', { namespace: 'cl-public' });
        return (
          Object.keys(data)
            .filter((name) => name.startsWith('jws-'))
            .join() === 'jws-clientconfig-aaaaaa'
        );
      },
      patience,
    );
  });

  it('need no more rights than their default roles', () => {
    const logs = managers.map(({ log }) => log).join('');
    assert.ok(!logs.includes('forbidden: User'), logs);
  });
});
