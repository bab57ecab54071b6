import assert from 'node:assert/strict';
import { type Client, createClient } from '../../../src/client/index.ts';
import { builtInResources } from '../../../src/client/built-in-resources.ts';
import {
  controllerRevisions,
  type Job,
  jobs,
  type Pod,
  pods,
  type StatefulSet,
  statefulSets,
  volumeClaims,
} from '../../../src/controllers/resources.ts';
import { isActive, isReady } from '../../../src/kinds/core/pod.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';
import { startPlane } from './start-plane.ts';

const outcome = 'stand-in.cluster.io/outcome';
const namespace = 'default';

describe('jobs and stateful sets on stand-in nodes', () => {
  let server: Awaited<ReturnType<typeof startPlane>>;
  let client: Client;
  before(async () => {
    server = await startPlane(2);
    client = createClient(connectionTo(server));
  });
  after(async () => {
    await client.close();
    await server.stop();
  });
  const template = (
    app: string,
    annotations: Record<string, string> = {},
    image = 'app:1',
    restartPolicy = 'Never',
  ) => ({
    metadata: { labels: { app }, annotations },
    spec: { restartPolicy, containers: [{ name: 'c', image }] },
  });
  const podsOf = async (app: string): Promise<Pod[]> =>
    (await client.resource(pods).list({ namespace, labelSelector: `app=${app}` })).items;
  const createJob = (name: string, spec: object, annotations: Record<string, string> = {}) =>
    client.resource(jobs).create({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name, namespace },
      spec: { template: template(name, annotations), ...spec },
    } as unknown as Job);
  const statusOf = async (name: string) => (await client.resource(jobs).get(name)).status ?? {};
  const ended = (name: string, type: string) =>
    until(`the job ${name} to be ${type}`, async () =>
      ((await statusOf(name)).conditions ?? []).some((each) => each.type === type && each.status === 'True'),
    );

  it('complete an indexed job, each index once', async () => {
    await createJob('indexed', { completions: 5, parallelism: 2, completionMode: 'Indexed' });
    await ended('indexed', 'Complete');
    const { succeeded, completedIndexes, completionTime, active } = await statusOf('indexed');
    assert.deepEqual([succeeded, completedIndexes, active, completionTime === undefined], [5, '0-4', undefined, false]);
    const found = await podsOf('indexed');
    const indexes = found.map(({ metadata }) => metadata.annotations?.['batch.cluster.io/job-completion-index']);
    assert.deepEqual(
      indexes.toSorted((a, b) => Number(a) - Number(b)),
      ['0', '1', '2', '3', '4'],
    );
    const env = found[0]?.spec.containers?.[0]?.env?.map(({ name }) => name);
    assert.deepEqual(env, ['JOB_COMPLETION_INDEX']);
  });

  it('fail a job whose pods fail too often, and end those that run', async () => {
    await createJob('failing', { backoffLimit: 0, completions: 3, parallelism: 3 }, { [outcome]: 'Running' });
    await until('three pods', async () => (await podsOf('failing')).length === 3);
    const [first] = await podsOf('failing');
    const failing = { metadata: { annotations: { [outcome]: 'Failed' } } };
    await client.resource(pods).patch(first?.metadata.name ?? '', failing, { type: 'merge', namespace });
    await ended('failing', 'Failed');
    const [condition] = (await statusOf('failing')).conditions ?? [];
    assert.equal(condition?.reason, 'BackoffLimitExceeded');
    await until('no pod to run', async () => !(await podsOf('failing')).some(isActive));
  });

  it('suspend a job and resume it', async () => {
    await createJob('paused', { suspend: true, completions: 1 });
    await ended('paused', 'Suspended');
    assert.deepEqual([await podsOf('paused'), (await statusOf('paused')).startTime], [[], undefined]);
    await client.resource(jobs).patch('paused', { spec: { suspend: false } }, { type: 'merge' });
    await ended('paused', 'Complete');
  });

  it('wait after a refused pod, unless the job or its pods change', async () => {
    const { events, resourcequotas } = builtInResources('cluster');
    const limited = 'limited';
    const at = { namespace: limited };
    await client.resource(builtInResources('cluster').namespaces).create({ metadata: { name: limited } });
    const quota = { metadata: { name: 'none' }, spec: { hard: { pods: '0' } } };
    await client.resource(resourcequotas).create(quota, at);
    await until('the quota', async () => {
      const { status } = await client.resource(resourcequotas).get('none', at);
      return status?.used?.['pods'] === '0';
    });
    const refusals = async () => {
      const { items } = await client.resource(events).list(at);
      return items.filter(({ reason }) => reason === 'FailedCreate').reduce((sum, { count = 1 }) => sum + count, 0);
    };
    const job = { metadata: { name: 'refused', namespace: limited }, spec: { template: template('refused') } };
    await client.resource(jobs).create(job as unknown as Job);
    await until('a refusal', async () => (await refusals()) === 1);
    await until('the status', async () => {
      const { status } = await client.resource(jobs).get('refused', at);
      return status?.startTime !== undefined;
    });
    const change = (patch: object) => client.resource(jobs).patch('refused', patch, { type: 'merge', ...at });
    for (const step of ['1', '2', '3']) await change({ metadata: { labels: { step } } });
    assert.equal(await refusals(), 1);
    await change({ spec: { backoffLimit: 3 } });
    await until('another refusal', async () => (await refusals()) === 2);
  });

  const createSet = (name: string, spec: object, annotations: Record<string, string> = {}) =>
    client.resource(statefulSets).create({
      apiVersion: 'apps/v1',
      kind: 'StatefulSet',
      metadata: { name, namespace },
      spec: {
        serviceName: name,
        selector: { matchLabels: { app: name } },
        template: template(name, annotations, 'app:1', 'Always'),
        ...spec,
      },
    } as unknown as StatefulSet);
  const ready = (name: string, count: number) =>
    until(`${count} pods of ${name}`, async () => {
      const { metadata, status } = await client.resource(statefulSets).get(name);
      const all = [status?.replicas ?? 0, status?.readyReplicas ?? 0, status?.updatedReplicas ?? 0];
      const isCurrent = status?.currentRevision === status?.updateRevision;
      return status?.observedGeneration === metadata.generation && isCurrent && all.every((each) => each === count);
    });
  const imagesOf = async (app: string) =>
    (await podsOf(app))
      .toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name))
      .map(({ metadata, spec }) => `${metadata.name} ${spec.containers?.[0]?.image}`);

  it('give the pods of a set names, claims and an order', async () => {
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await createSet('db', { replicas: 3, volumeClaimTemplates: [claim] });
    await ready('db', 3);
    const found = (await podsOf('db')).toSorted((a, b) => a.metadata.name.localeCompare(b.metadata.name));
    assert.deepEqual(
      found.map(({ metadata }) => metadata.name),
      ['db-0', 'db-1', 'db-2'],
    );
    const times = found.map(({ metadata }) => Number(metadata.resourceVersion));
    assert.deepEqual(
      times.toSorted((a, b) => a - b),
      times,
    );
    assert.deepEqual(found[1]?.spec.volumes?.[0]?.persistentVolumeClaim?.claimName, 'data-db-1');
    const claims = await client.resource(volumeClaims).list({ namespace });
    assert.deepEqual(
      claims.items.map(({ metadata }) => metadata?.name),
      ['data-db-0', 'data-db-1', 'data-db-2'],
    );
    await client.resource(statefulSets).patch('db', { spec: { replicas: 1 } }, { type: 'merge' });
    await ready('db', 1);
    assert.deepEqual(
      (await podsOf('db')).map(({ metadata }) => metadata.name),
      ['db-0'],
    );
  });

  it('update the pods of a set down to its partition, then all, and record the revisions', async () => {
    await createSet('web', { replicas: 3, podManagementPolicy: 'Parallel' });
    await ready('web', 3);
    const change = {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } },
      template: { spec: { containers: [{ name: 'c', image: 'app:2' }] } },
    };
    await client.resource(statefulSets).patch('web', { spec: change }, { type: 'strategic' });
    await until(
      'the last pod to be updated',
      async () => (await imagesOf('web')).join() === 'web-0 app:1,web-1 app:1,web-2 app:2',
    );
    const whole = { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } };
    await client.resource(statefulSets).patch('web', whole, { type: 'merge' });
    await ready('web', 3);
    assert.deepEqual(await imagesOf('web'), ['web-0 app:2', 'web-1 app:2', 'web-2 app:2']);
    const revisions = (await client.resource(controllerRevisions).list({ namespace, labelSelector: 'app=web' })).items;
    assert.deepEqual(
      revisions.map(({ revision }) => revision).toSorted((a, b) => a - b),
      [1, 2],
    );
  });

  it('adopt no pod of a set that has another name than those of the set', async () => {
    const stranger = {
      metadata: { name: 'stranger-0', namespace, labels: { app: 'picky' } },
      spec: template('x').spec,
    };
    await client.resource(pods).create(stranger as unknown as Pod);
    await createSet('picky', { replicas: 1 });
    await ready('picky', 1);
    assert.equal((await client.resource(pods).get('stranger-0', { namespace })).metadata.ownerReferences, undefined);
    assert.equal((await client.resource(statefulSets).get('picky')).status?.replicas, 1);
  });

  const nameLabel = 'statefulset.cluster.io/pod-name';
  const askFor = (pod: string, value: string) =>
    client.resource(pods).patch(pod, { metadata: { annotations: { [outcome]: value } } }, { type: 'merge', namespace });
  const isReadyPod = async (pod: string) => isReady(await client.resource(pods).get(pod, { namespace }));

  it('leave an adopted pod alone until it is ready, then name and update it', async () => {
    const { metadata, spec } = template('adopted', { [outcome]: 'NotReady' });
    const pod = { metadata: { ...metadata, name: 'adopted-0', namespace }, spec };
    const { metadata: created } = await client.resource(pods).create(pod as unknown as Pod);
    await createSet('adopted', { replicas: 1 });
    await until('the adoption', async () => {
      const { status } = await client.resource(statefulSets).get('adopted');
      return status?.replicas === 1;
    });
    const [before] = await podsOf('adopted');
    assert.deepEqual([before?.metadata.uid, before?.metadata.labels], [created.uid, { app: 'adopted' }]);
    await askFor('adopted-0', 'Running');
    await until('the Event', async () => {
      const { items } = await client.resource(builtInResources('cluster').events).list({ namespace });
      const message = 'update Pod adopted-0 in StatefulSet adopted successful';
      return items.some((event) => event.reason === 'SuccessfulUpdate' && event.message === message);
    });
    await until('another pod', async () => (await podsOf('adopted'))[0]?.metadata.uid !== created.uid);
    await ready('adopted', 1);
    assert.equal((await podsOf('adopted'))[0]?.metadata.labels?.[nameLabel], 'adopted-0');
  });

  it('create no other pods while an adopted one lacks its claims', async () => {
    const { metadata, spec } = template('claimless', { [outcome]: 'Running' });
    const pod = { metadata: { ...metadata, name: 'claimless-0', namespace }, spec };
    await client.resource(pods).create(pod as unknown as Pod);
    await until('a ready pod', () => isReadyPod('claimless-0'));
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await createSet('claimless', { replicas: 2, volumeClaimTemplates: [claim] });
    await until('the Event', async () => {
      const { items } = await client.resource(builtInResources('cluster').events).list({ namespace });
      const start =
        'update Pod claimless-0 in StatefulSet claimless failed error: Pod "claimless-0" is invalid: spec: ';
      return items.some((event) => event.reason === 'FailedUpdate' && event.message?.startsWith(start));
    });
    await client.resource(volumeClaims).get('data-claimless-0', { namespace });
    assert.equal((await podsOf('claimless')).length, 1);
    await client.resource(pods).delete('claimless-0', { namespace });
    await ready('claimless', 2);
  });

  it('report a claim that is refused, and with it the pod', async () => {
    const { events, namespaces, resourcequotas } = builtInResources('cluster');
    const at = { namespace: 'unclaimed' };
    await client.resource(namespaces).create({ metadata: { name: at.namespace } });
    const quota = { metadata: { name: 'none' }, spec: { hard: { persistentvolumeclaims: '0' } } };
    await client.resource(resourcequotas).create(quota, at);
    await until('the quota', async () => {
      const { status } = await client.resource(resourcequotas).get('none', at);
      return status?.used?.['persistentvolumeclaims'] === '0';
    });
    const claim = {
      metadata: { name: 'data' },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    const spec = {
      serviceName: 's',
      selector: { matchLabels: { app: 'u' } },
      template: template('u', {}, 'i', 'Always'),
    };
    const set = { metadata: { name: 'u', ...at }, spec: { ...spec, volumeClaimTemplates: [claim] } };
    await client.resource(statefulSets).create(set as unknown as StatefulSet);
    const refusal = 'persistentvolumeclaims "data-u-0" is forbidden: exceeded quota: none';
    for (const start of [
      `create Claim data-u-0 for Pod u-0 in StatefulSet u failed error: ${refusal}`,
      `create Pod u-0 in StatefulSet u failed error: failed to create PVC data-u-0: ${refusal}`,
    ]) {
      await until(start, async () => {
        const { items } = await client.resource(events).list(at);
        return items.some((event) => event.reason === 'FailedCreate' && event.message?.startsWith(start));
      });
    }
  });

  it('replace no broken pod of an old revision until it is ready', async () => {
    await createSet('broken', { replicas: 1 });
    await ready('broken', 1);
    const [before] = await podsOf('broken');
    await askFor('broken-0', 'NotReady');
    await until('a broken pod', async () => !(await isReadyPod('broken-0')));
    const change = { template: { spec: { containers: [{ name: 'c', image: 'app:2' }] } } };
    await client.resource(statefulSets).patch('broken', { spec: change }, { type: 'strategic' });
    await until('the new revision', async () => {
      const { metadata, status } = await client.resource(statefulSets).get('broken');
      return status?.observedGeneration === metadata.generation && status?.updateRevision !== status?.currentRevision;
    });
    const [broken] = await podsOf('broken');
    assert.deepEqual([broken?.metadata.uid, broken?.metadata.deletionTimestamp], [before?.metadata.uid, undefined]);
    await askFor('broken-0', 'Running');
    await ready('broken', 1);
    assert.deepEqual(await imagesOf('broken'), ['broken-0 app:2']);
  });

  it('replace a pod of a set that has succeeded, and report that as normal', async () => {
    await createSet('brief', { replicas: 1 });
    await ready('brief', 1);
    const [before] = await podsOf('brief');
    const succeeded = { status: { phase: 'Succeeded' } };
    await client.resource(pods).patch('brief-0', succeeded, { type: 'merge', namespace, subresource: 'status' });
    await until('another pod', async () => (await podsOf('brief'))[0]?.metadata.uid !== before?.metadata.uid);
    await until('the Event', async () => {
      const { items } = await client.resource(builtInResources('cluster').events).list({ namespace });
      const found = items.find(({ reason }) => reason === 'RecreatingTerminatedPod');
      return (
        found?.type === 'Normal' && found.message === 'StatefulSet default/brief is recreating terminated Pod brief-0'
      );
    });
  });

  it('need no more than the default roles of the controllers', () => assert.deepEqual(server.errors, []));
});
