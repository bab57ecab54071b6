import assert from 'node:assert/strict';
import { type Deployment, deployments, pods, replicaSets } from '../../../src/controllers/resources.ts';
import { isActive, isReady } from '../../../src/kinds/core/pod.ts';
import { until } from '../until.ts';
import { conditionIn, create, outcome, podsOf, reached, template, workload, type World } from './world.ts';

const image = (name: string) => ({ spec: { template: { spec: { containers: [{ name: 'c', image: name }] } } } });

/** `[sig-apps] Deployment`. */
export function deploymentStories(world: World): void {
  const resource = () => world.client.resource(deployments);
  const complete = (namespace: string, name: string) =>
    reached(world, deployments, namespace, name, ({ metadata, spec, status = {} }) => {
      const counts = [status.updatedReplicas ?? 0, status.replicas ?? 0, status.availableReplicas ?? 0];
      const isObserved = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
      return isObserved && counts.every((count) => count === spec.replicas) && !status.unavailableReplicas;
    });
  const setsOf = async (namespace: string) => (await world.client.resource(replicaSets).list({ namespace })).items;

  it('RollingUpdateDeployment should delete old pods and create new ones, adopting a replica set', async () => {
    const namespace = await world.newNamespace();
    const old = workload('rolling', { replicas: 1 }, { image: 'old' });
    const set = await create(world, replicaSets, namespace, {
      ...old,
      metadata: { ...old.metadata, annotations: { 'deployment.kubernetes.io/revision': '3546342826724305832' } },
    });
    await until('a pod', async () => (await podsOf(world, namespace, 'rolling')).some(isReady));
    await create(world, deployments, namespace, workload('rolling', { replicas: 1 }));
    const { metadata } = await complete(namespace, 'rolling');
    assert.equal(metadata.annotations?.['deployment.kubernetes.io/revision'], '3546342826724305833');
    const found = await setsOf(namespace);
    assert.equal(found.length, 2);
    const adopted = found.find(({ metadata: { uid } }) => uid === set.metadata.uid);
    assert.deepEqual(
      [adopted?.metadata.ownerReferences?.[0]?.name, adopted?.spec.replicas, adopted?.status?.replicas],
      ['rolling', 0, 0],
    );
    const hash = found.find(({ metadata: { uid } }) => uid !== set.metadata.uid)?.metadata.labels?.[
      'pod-template-hash'
    ];
    await until('the old pod to be gone', async () => (await podsOf(world, namespace, 'rolling')).length === 1);
    const [pod] = await podsOf(world, namespace, 'rolling');
    assert.equal(pod?.metadata.labels?.['pod-template-hash'], hash);
  });

  it('RecreateDeployment should delete old pods and create new ones', async () => {
    const namespace = await world.newNamespace();
    await create(world, deployments, namespace, workload('again', { replicas: 2, strategy: { type: 'Recreate' } }));
    await complete(namespace, 'again');
    const stop = new AbortController();
    let overlap = false;
    const watching = (async () => {
      const { client } = world;
      const live = new Map<string, string>();
      const start = await client.resource(pods).list({ namespace });
      for (const pod of start.items) live.set(pod.metadata.uid, pod.spec.containers?.[0]?.image ?? '');
      const { resourceVersion } = start.metadata;
      for await (const { type, object } of client
        .resource(pods)
        .watch({ namespace, resourceVersion, signal: stop.signal })) {
        if (type === 'BOOKMARK') continue;
        if (type === 'DELETED') live.delete(object.metadata.uid);
        else if (isActive(object)) live.set(object.metadata.uid, object.spec.containers?.[0]?.image ?? '');
        overlap ||= new Set(live.values()).size > 1;
      }
    })().catch((error: unknown) => assert.ok(stop.signal.aborted, String(error)));
    await resource().patch('again', image('app:2'), { type: 'strategic', namespace });
    await complete(namespace, 'again');
    stop.abort();
    await watching;
    assert.equal(overlap, false);
  });

  it('deployment should delete old replica sets', async () => {
    const namespace = await world.newNamespace();
    await create(world, replicaSets, namespace, workload('clean', { replicas: 1 }, { image: 'old' }));
    await until('a pod', async () => (await podsOf(world, namespace, 'clean')).some(isReady));
    await create(world, deployments, namespace, workload('clean', { replicas: 1, revisionHistoryLimit: 0 }));
    await complete(namespace, 'clean');
    await until('one replica set', async () => (await setsOf(namespace)).length === 1);
  });

  it('deployment should support rollover', async () => {
    const namespace = await world.newNamespace();
    const rollingUpdate = { maxUnavailable: 0, maxSurge: 1 };
    const strategy = { type: 'RollingUpdate', rollingUpdate };
    const stuck = workload('over', { replicas: 4, strategy }, { annotations: { [outcome]: 'NotReady' } });
    await create(world, deployments, namespace, stuck);
    await until('pods that never become ready', async () => (await podsOf(world, namespace, 'over')).length === 4);
    await resource().patch(
      'over',
      { spec: { template: template('over', { annotations: { [outcome]: 'Running' } }) } },
      { type: 'merge', namespace },
    );
    await reached(world, deployments, namespace, 'over', ({ status }) => (status?.updatedReplicas ?? 0) > 0);
    const change = { spec: { minReadySeconds: 1, ...image('app:3').spec } };
    await resource().patch('over', change, { type: 'strategic', namespace });
    await complete(namespace, 'over');
    const sets = await setsOf(namespace);
    assert.deepEqual(
      sets.map(({ spec }) => spec.replicas).toSorted((a, b) => (a ?? 0) - (b ?? 0)),
      [0, 0, 4],
    );
    const newest = sets.find(({ spec }) => spec.replicas === 4);
    assert.deepEqual(
      [newest?.spec.template.spec?.containers?.[0]?.image, newest?.status?.availableReplicas],
      ['app:3', 4],
    );
  });

  it('deployment should support proportional scaling', async () => {
    const namespace = await world.newNamespace();
    const strategy = { type: 'RollingUpdate', rollingUpdate: { maxSurge: 3, maxUnavailable: 2 } };
    await create(world, deployments, namespace, workload('share', { replicas: 10, strategy }));
    await complete(namespace, 'share');
    const broken = template('share', { image: 'none', annotations: { [outcome]: 'NotReady' } });
    await resource().patch('share', { spec: { template: broken } }, { type: 'merge', namespace });
    const sizes = async () =>
      (await setsOf(namespace))
        .map(({ spec, metadata }) => `${metadata.annotations?.['deployment.kubernetes.io/revision']}:${spec.replicas}`)
        .toSorted((a, b) => a.localeCompare(b))
        .join(' ');
    await until('the rollout to be stuck', async () => (await sizes()) === '1:8 2:5');
    await reached(world, deployments, namespace, 'share', ({ status }) => status?.replicas === 13);
    await resource().patch('share', { spec: { replicas: 30 } }, { type: 'merge', namespace, subresource: 'scale' });
    await until('both sets to grow', async () => (await sizes()) === '1:20 2:13');
  });

  it('Deployment should have a working scale subresource', async () => {
    const namespace = await world.newNamespace();
    await create(world, deployments, namespace, workload('scaled', { replicas: 1 }));
    await complete(namespace, 'scaled');
    const scale = await resource().get('scaled', { namespace, subresource: 'scale' });
    const update = { ...scale, spec: { ...scale.spec, replicas: 2 } };
    await resource().update(update, { namespace, subresource: 'scale' });
    await complete(namespace, 'scaled');
    const patch = { spec: { replicas: 4 } };
    await resource().patch('scaled', patch, { type: 'merge', namespace, subresource: 'scale' });
    const { status } = await complete(namespace, 'scaled');
    assert.equal(status?.availableReplicas, 4);
  });

  it('should validate Deployment Status endpoints', async () => {
    const namespace = await world.newNamespace();
    await create(world, deployments, namespace, workload('state', { replicas: 1 }));
    await complete(namespace, 'state');
    const added = { type: 'StatusUpdate', status: 'True', reason: 'E2E', message: 'Set from e2e test' };
    await addCondition(namespace, 'state', added);
    const patch = { status: { conditions: [{ type: 'StatusPatched', status: 'True' }] } };
    await resource().patch('state', patch, { type: 'merge', namespace, subresource: 'status' });
    // Conditions of others stay when the controller writes its own.
    await resource().patch('state', { spec: { replicas: 2 } }, { type: 'merge', namespace });
    const { status } = await complete(namespace, 'state');
    assert.equal(conditionIn(status, 'StatusPatched'), 'True');
  });

  it('should run the lifecycle of a Deployment', async () => {
    const namespace = await world.newNamespace();
    await create(world, deployments, namespace, workload('life', { replicas: 2 }));
    await complete(namespace, 'life');
    const change = { metadata: { labels: { stage: 'patched' } }, spec: { replicas: 1, ...image('app:2').spec } };
    await resource().patch('life', change, { type: 'strategic', namespace });
    const patched = await complete(namespace, 'life');
    assert.equal(patched.spec.template.spec?.containers?.[0]?.image, 'app:2');
    assert.equal((await resource().list({ labelSelector: 'stage=patched' })).items.length, 1);
    await resource().deleteCollection({ namespace, labelSelector: 'stage=patched' });
    await until('the replica sets to be gone', async () => (await setsOf(namespace)).length === 0);
    await until('the pods to be gone', async () => (await podsOf(world, namespace, 'life')).length === 0);
  });

  it('should pause a rollout, and time out one that does not progress', async () => {
    const namespace = await world.newNamespace();
    await create(world, deployments, namespace, workload('slow', { replicas: 1, progressDeadlineSeconds: 1 }));
    await complete(namespace, 'slow');
    await resource().patch('slow', { spec: { paused: true } }, { type: 'merge', namespace });
    await resource().patch('slow', image('app:2'), { type: 'strategic', namespace });
    const isPaused = ({ metadata, status }: Deployment) =>
      status?.observedGeneration === metadata.generation && conditionIn(status, 'Progressing') === 'Unknown';
    await reached(world, deployments, namespace, 'slow', isPaused);
    assert.equal((await setsOf(namespace)).length, 1);
    const broken = template('slow', { image: 'app:3', annotations: { [outcome]: 'NotReady' } });
    await resource().patch('slow', { spec: { paused: false, template: broken } }, { type: 'merge', namespace });
    const timedOut = await reached(
      world,
      deployments,
      namespace,
      'slow',
      ({ status }) => conditionIn(status, 'Progressing') === 'False',
    );
    const { reason } = timedOut.status?.conditions?.find(({ type }) => type === 'Progressing') ?? {};
    assert.equal(reason, 'ProgressDeadlineExceeded');
    assert.equal(conditionIn(timedOut.status, 'Available'), 'True');
  });

  async function addCondition(namespace: string, name: string, condition: { type: string; status: string }) {
    for (;;) {
      const present = await resource().get(name, { namespace });
      const status = { ...present.status, conditions: [...(present.status?.conditions ?? []), condition] };
      const written = await resource()
        .update({ ...present, status }, { namespace, subresource: 'status' })
        .catch(() => undefined);
      if (written) return;
    }
  }
}
