import assert from 'node:assert/strict';
import { type Client, createClient } from '../../../src/client/index.ts';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import {
  type Job,
  jobs,
  type Pod,
  pods,
  replicaSets,
  type ReplicaSet,
  type StatefulSet,
  statefulSets,
  volumeClaims,
} from '../../../src/controllers/resources.ts';
import { isActive } from '../../../src/kinds/core/pod.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';
import { startPlane } from './start-plane.ts';

const outcome = 'stand-in.cluster.io/outcome';
const failed = { [outcome]: 'Failed' };
const namespace = 'default';

describe('workloads of release 1.36 on stand-in nodes', () => {
  let server: Awaited<ReturnType<typeof startPlane>>;
  let client: Client;
  before(async () => {
    server = await startPlane(2, {
      emulatedRelease: '1.36',
      emulationForwardCompatible: true,
      runtimeConfig: ['certificates.cl.io/v1beta1=true', 'scheduling.cl.io/v1alpha2=true'],
      featureGates: ['ClusterTrustBundle=true', 'GenericWorkload=true'],
    });
    client = createClient(connectionTo(server));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  const template = (app: string, annotations: Record<string, string> = {}, spec: object = {}) => ({
    metadata: { labels: { app }, annotations },
    spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'app:1' }], ...spec },
  });
  const podsOf = async (app: string): Promise<Pod[]> =>
    (await client.resource(pods).list({ namespace, labelSelector: `app=${app}` })).items;
  const createJob = (name: string, spec: object, annotations: Record<string, string> = {}) =>
    client.resource(jobs).create({
      metadata: { name, namespace },
      spec: { template: template(name, annotations), ...spec },
    } as unknown as Job);
  const endOf = async (name: string, type: string) => {
    await until(`the job ${name} to be ${type}`, async () =>
      ((await client.resource(jobs).get(name)).status?.conditions ?? []).some((each) => each.type === type),
    );
    const { status = {} } = await client.resource(jobs).get(name);
    const conditions = (status.conditions ?? []).map((each) => `${each.type} ${each.reason}`);
    return { ...status, conditions: conditions.toSorted() };
  };

  it('protect VolumeAttributesClasses and PodGroups while they are used', async () => {
    const { podgroups, volumeattributesclasses } = builtInResources('cluster');
    const classes = client.resource(volumeattributesclasses);
    await classes.create({ metadata: { name: 'fast' }, driverName: 'd.example.com', parameters: { iops: '1' } });
    await until('the finalizer', async () => (await classes.get('fast')).metadata?.finalizers?.length === 1);
    const claim = {
      metadata: { name: 'data', namespace },
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1Gi' } },
        volumeAttributesClassName: 'fast',
      },
    };
    await client.resource(volumeClaims).create(claim);
    const groups = client.resource(podgroups);
    const finalizers = ['scheduling.cl.io/podgroup-protection'];
    await groups.create({ metadata: { name: 'g', namespace, finalizers }, spec: { schedulingPolicy: { basic: {} } } });
    const spec = { ...template('member').spec, schedulingGroup: { podGroupName: 'g' } };
    const metadata = { name: 'member', namespace, annotations: { [outcome]: 'Running' } };
    await client.resource(pods).create({ metadata, spec } as unknown as Pod);
    await classes.delete('fast');
    await groups.delete('g', { namespace });
    await until('both to be marked', async () => {
      const both = await Promise.all([classes.get('fast'), groups.get('g', { namespace })]);
      return both.every((object) => object.metadata?.deletionTimestamp !== undefined);
    });
    await client.resource(volumeClaims).delete('data', { namespace });
    await client.resource(pods).delete('member', { namespace, gracePeriodSeconds: 0 });
    await until('both to go', async () => {
      const [all, left] = [await classes.list(), await groups.list({ namespace })];
      return all.items.length + left.items.length === 0;
    });
  });

  it('have the CA of the server in a bundle, and claims for their ephemeral volumes', async () => {
    const { clustertrustbundles } = builtInResources('cluster');
    const bundles = client.resource(clustertrustbundles);
    await until('the bundle', async () => (await bundles.list()).items.length === 1);
    const [bundle] = (await bundles.list()).items;
    assert.match(bundle?.metadata?.name ?? '', /^cluster\.io:cl-?apiserver-serving:[0-9a-f]{24}$/);
    assert.match(bundle?.spec?.trustBundle ?? '', /BEGIN CERTIFICATE/);
    const volumeClaimTemplate = {
      metadata: { labels: { of: 'scratch' } },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const spec = { ...template('scratch').spec, volumes: [{ name: 'v', ephemeral: { volumeClaimTemplate } }] };
    await client.resource(pods).create({ metadata: { name: 'scratch', namespace }, spec } as unknown as Pod);
    const made = async () =>
      (await client.resource(volumeClaims).list({ namespace, labelSelector: 'of=scratch' })).items;
    await until('the claim', async () => (await made())[0]?.metadata?.name === 'scratch-v');
    assert.equal((await made())[0]?.metadata?.ownerReferences?.[0]?.kind, 'Pod');
  });

  it('announce the end of a Job, and count ready and terminating pods', async () => {
    await createJob('plain', { completions: 2, parallelism: 2 });
    const { conditions, succeeded, ready, terminating } = await endOf('plain', 'Complete');
    assert.deepEqual(conditions, ['Complete CompletionsReached', 'SuccessCriteriaMet CompletionsReached']);
    assert.deepEqual([succeeded, ready, terminating], [2, 0, 0]);
  });

  it('end a Job by its success policy, with its other pods', async () => {
    const successPolicy = { rules: [{ succeededIndexes: '0' }] };
    const spec = { completions: 3, parallelism: 3, completionMode: 'Indexed', successPolicy };
    await createJob('leader', spec, { [outcome]: 'Running' });
    await until('three pods', async () => (await podsOf('leader')).length === 3);
    const leader = (await podsOf('leader')).find(({ metadata }) => metadata.name.startsWith('leader-0-'));
    const succeeds = { metadata: { annotations: { [outcome]: 'Succeeded' } } };
    await client.resource(pods).patch(leader?.metadata.name ?? '', succeeds, { type: 'merge', namespace });
    const { conditions, completedIndexes } = await endOf('leader', 'Complete');
    assert.deepEqual([conditions[0], completedIndexes], ['Complete SuccessPolicy', '0']);
    await until('no pod to run', async () => !(await podsOf('leader')).some(isActive));
  });

  it('count the failures of each index of a Job separately', async () => {
    const spec = { completions: 2, parallelism: 2, completionMode: 'Indexed', backoffLimitPerIndex: 0 };
    await createJob('indexes', spec, failed);
    const { conditions, failedIndexes, failed: count } = await endOf('indexes', 'Failed');
    assert.deepEqual(conditions, ['Failed FailedIndexes', 'FailureTarget FailedIndexes']);
    assert.deepEqual([failedIndexes, count], ['0,1', 2]);
    await createJob('few', { ...spec, maxFailedIndexes: 0 }, failed);
    assert.equal((await endOf('few', 'Failed')).conditions[0], 'Failed MaxFailedIndexesExceeded');
  });

  it('leave the jobs of another controller alone', async () => {
    await createJob('theirs', { managedBy: 'example.com/other' });
    await createJob('after', {});
    await endOf('after', 'Complete');
    assert.deepEqual([(await podsOf('theirs')).length, (await client.resource(jobs).get('theirs')).status], [0, {}]);
  });

  const createSet = (name: string, spec: object) => {
    const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
    return client.resource(statefulSets).create({
      metadata: { name, namespace },
      spec: {
        serviceName: name,
        selector: { matchLabels: { app: name } },
        template: template(name, {}, { restartPolicy: 'Always' }),
        volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
        ...spec,
      },
    } as unknown as StatefulSet);
  };
  const settled = (name: string, count: number) =>
    until(`${count} pods of ${name}`, async () => {
      const { metadata, status } = await client.resource(statefulSets).get(name);
      const counts = [status?.replicas ?? 0, status?.readyReplicas ?? 0];
      return status?.observedGeneration === metadata.generation && counts.every((each) => each === count);
    });
  const ownersOf = async (name: string) =>
    ((await client.resource(volumeClaims).get(name, { namespace })).metadata?.ownerReferences ?? []).map(
      ({ kind }) => kind,
    );

  it('number the pods of a set from its first ordinal, and delete the claims of scaled-down pods', async () => {
    const persistentVolumeClaimRetentionPolicy = { whenScaled: 'Delete', whenDeleted: 'Delete' };
    await createSet('db', { replicas: 2, ordinals: { start: 3 }, persistentVolumeClaimRetentionPolicy });
    await settled('db', 2);
    const names = (await podsOf('db')).map(
      ({ metadata }) => `${metadata.name} ${metadata.labels?.['apps.cluster.io/pod-index']}`,
    );
    assert.deepEqual(new Set(names), new Set(['db-3 3', 'db-4 4']));
    await until('an owner', async () => (await ownersOf('data-db-4'))[0] === 'StatefulSet');
    await client.resource(statefulSets).patch('db', { spec: { replicas: 1 } }, { type: 'merge' });
    await settled('db', 1);
    await until('the claim to be gone', async () => {
      const { items } = await client.resource(volumeClaims).list({ namespace });
      const left = items.map(({ metadata }) => metadata?.name ?? '');
      return left.filter((name) => name.startsWith('data-db-')).join() === 'data-db-3';
    });
  });

  it('count the terminating pods of a ReplicaSet', async () => {
    const spec = {
      replicas: 1,
      selector: { matchLabels: { app: 'web' } },
      template: template('web', { 'stand-in.cluster.io/termination-seconds': '30' }, { restartPolicy: 'Always' }),
    };
    await client.resource(replicaSets).create({ metadata: { name: 'web', namespace }, spec } as unknown as ReplicaSet);
    const terminating = async () => (await client.resource(replicaSets).get('web')).status?.terminatingReplicas;
    await until('a pod', async () => (await terminating()) === 0);
    await client.resource(replicaSets).patch('web', { spec: { replicas: 0 } }, { type: 'merge' });
    await until('it to go', async () => (await terminating()) === 1);
  });

  const createPod = (name: string, spec: object, annotations: Record<string, string> = {}) =>
    client.resource(pods).create({
      metadata: { name, namespace, labels: { app: name }, annotations },
      spec: { containers: [{ name: 'c', image: 'app:1' }], ...spec },
    } as unknown as Pod);
  const sidecar = { name: 's', image: 'app:1', restartPolicy: 'Always' };
  const runs = (name: string) =>
    until(`the pod ${name} to run`, async () => (await client.resource(pods).get(name)).status?.phase === 'Running');
  it('run sidecars beside the other containers, and end them after these', async () => {
    const initContainers = [sidecar, { name: 'i', image: 'app:1' }];
    await createPod('beside', { initContainers }, { 'stand-in.cluster.io/start-seconds': '1' });
    await until('the sidecar to run', async () => {
      const { status } = await client.resource(pods).get('beside');
      return status?.initContainerStatuses?.[0]?.started === true;
    });
    await runs('beside');
    const { status: running } = await client.resource(pods).get('beside');
    assert.deepEqual(
      running?.initContainerStatuses?.map(({ state }) => Object.keys(state ?? {}).join()),
      ['running', 'terminated'],
    );
    await createPod('after', { initContainers, restartPolicy: 'Never' });
    await until('it to end', async () => (await client.resource(pods).get('after')).status?.phase === 'Succeeded');
    const { status } = await client.resource(pods).get('after');
    assert.deepEqual(
      status?.initContainerStatuses?.map(({ state }) => state?.terminated?.reason),
      ['Completed', 'Completed'],
    );
  });

  it('resize a pod in place', async () => {
    const resources = { requests: { cpu: '100m' }, limits: { cpu: '200m' } };
    await createPod('sized', { containers: [{ name: 'c', image: 'app:1', resources }] });
    await runs('sized');
    const larger = { requests: { cpu: '150m' }, limits: { cpu: '300m' } };
    const spec = { containers: [{ name: 'c', resources: larger }] };
    const options = { type: 'strategic' as const, subresource: 'resize' as const };
    await client.resource(pods).patch('sized', { spec }, options);
    await until('the node to follow', async () => {
      const { metadata, status } = await client.resource(pods).get('sized');
      return metadata.generation === 2 && status?.observedGeneration === 2;
    });
    const { status } = await client.resource(pods).get('sized');
    const [container] = status?.containerStatuses ?? [];
    assert.deepEqual(
      [container?.resources, container?.allocatedResources, container?.restartCount],
      [larger, larger.requests, 0],
    );
  });

  it('do not resize a pod without room on its node, and restart containers whose policy requires it', async () => {
    const sized = (cpu: string, resizePolicy?: object[]) => ({
      containers: [{ name: 'c', image: 'app:1', resources: { requests: { cpu } }, resizePolicy }],
    });
    await createPod('huge', sized('1', [{ resourceName: 'cpu', restartPolicy: 'RestartContainer' }]));
    await runs('huge');
    const resize = (cpu: string) =>
      client.resource(pods).patch('huge', { spec: sized(cpu) }, { type: 'strategic', subresource: 'resize' });
    const given = async () => (await client.resource(pods).get('huge')).status?.containerStatuses?.[0];
    await assert.rejects(resize('1000'), /node didn't have enough allocatable resources: cpu, requested: 1000000/);
    assert.deepEqual((await given())?.allocatedResources, { cpu: '1' });
    await resize('2');
    await until('the node to follow', async () => (await given())?.allocatedResources?.['cpu'] === '2');
    assert.equal((await given())?.restartCount, 1);
  });

  it('resize no pod beyond a quota', async () => {
    const at = { namespace: 'small' };
    const { namespaces, resourcequotas: quotas } = builtInResources('cluster');
    await client.resource(namespaces).create({ metadata: { name: at.namespace } });
    await client.resource(quotas).create({ metadata: { name: 'q' }, spec: { hard: { 'requests.cpu': '200m' } } }, at);
    await until('the quota', async () => (await client.resource(quotas).get('q', at)).status?.used !== undefined);
    const sized = (cpu: string) => ({ containers: [{ name: 'c', image: 'app:1', resources: { requests: { cpu } } }] });
    await client.resource(pods).create({ metadata: { name: 'p' }, spec: sized('100m') } as unknown as Pod, at);
    const resize = (cpu: string) =>
      client.resource(pods).patch('p', { spec: sized(cpu) }, { type: 'strategic', subresource: 'resize', ...at });
    await assert.rejects(resize('300m'), /exceeded quota: q, requested: requests.cpu=200m, used: requests.cpu=100m/);
    await resize('200m');
  });

  it('evict a pod that is not ready, if its budget always allows that', async () => {
    const budgets = client.resource(builtInResources('cluster').poddisruptionbudgets);
    const evict = (name: string) =>
      client
        .resource(pods)
        .create(
          { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } },
          { subresource: 'eviction' },
        );
    for (const [name, unhealthyPodEvictionPolicy] of [
      ['kept', 'IfHealthyBudget'],
      ['evicted', 'AlwaysAllow'],
    ] as const) {
      await createPod(name, {}, { [outcome]: 'NotReady' });
      const spec = { minAvailable: 1, selector: { matchLabels: { app: name } }, unhealthyPodEvictionPolicy };
      await budgets.create({ metadata: { name, namespace }, spec });
      await runs(name);
      await until('the budget', async () => (await budgets.get(name)).status?.observedGeneration === 1);
    }
    await evict('evicted');
    await assert.rejects(evict('kept'), /violate the pod's disruption budget/);
  });

  it('add hints of nodes and zones for a Service with traffic distribution', async () => {
    const { services, nodes } = builtInResources('cluster');
    const slices = builtInResources('cluster').endpointslices;
    const zone = { metadata: { labels: { 'topology.cluster.io/zone': 'a' } } };
    for (const { metadata } of (await client.resource(nodes).list()).items) {
      await client.resource(nodes).patch(metadata?.name ?? '', zone, { type: 'merge' });
    }
    await createPod('near', {});
    const spec = { selector: { app: 'near' }, ports: [{ port: 80 }], trafficDistribution: 'PreferSameNode' };
    await client.resource(services).create({ metadata: { name: 'near', namespace }, spec });
    await until('the hints', async () => {
      const { items } = await client.resource(slices).list({ namespace });
      const [endpoint] = items.find(({ metadata }) => metadata?.name?.startsWith('near-'))?.endpoints ?? [];
      const { forZones, forNodes } = endpoint?.hints ?? {};
      return forZones?.[0]?.name === 'a' && forNodes?.[0]?.name === endpoint?.nodeName;
    });
  });

  it('say and mark what controllers of the release do', async () => {
    const { configmaps, endpoints, events, serviceaccounts } = builtInResources('cluster');
    await createJob('worded', { completionMode: 'Indexed', completions: 1, parallelism: 1 });
    const selector = { matchLabels: { app: 'worded-set' } };
    await client.resource(statefulSets).create({
      metadata: { name: 'worded', namespace },
      spec: { serviceName: 'x', selector, template: template('worded-set', {}, { restartPolicy: 'Always' }) },
    } as unknown as StatefulSet);
    await until('the Event of the set', async () =>
      (await client.resource(events).list({ namespace })).items.some(
        ({ message }) => message === 'Create Pod worded-0 in StatefulSet worded successful',
      ),
    );
    await until('the pod of the job', async () => (await podsOf('worded')).length > 0);
    const [indexed] = await podsOf('worded');
    const [{ valueFrom } = {}] = indexed?.spec.containers?.[0]?.env ?? [];
    assert.equal(valueFrom?.fieldRef?.fieldPath, "metadata.labels['batch.cluster.io/job-completion-index']");
    const ca = await client.resource(configmaps).get('cluster-root-ca.crt', { namespace });
    assert.match(ca.metadata?.annotations?.['cluster.io/description'] ?? '', /^Contains a CA bundle/);
    const near = await client.resource(endpoints).get('near', { namespace });
    assert.equal(near.metadata?.labels?.['endpoints.cluster.io/managed-by'], 'endpoint-controller');
    const account = await client.resource(serviceaccounts).get('default', { namespace });
    assert.equal(account.secrets, undefined);
  });

  it('need no more than the default roles of the controllers', () => assert.deepEqual(server.errors, []));
});
