import assert from 'node:assert/strict';
import { type Job, jobs, pods } from '../../../src/controllers/resources.ts';
import { isActive } from '../../../src/kinds/core/pod.ts';
import { until } from '../until.ts';
import { conditionIn, create, outcome, podsOf, reached, tell, template, type World } from './world.ts';

/** `[sig-apps] Job`. */
export function jobStories(world: World): void {
  const resource = () => world.client.resource(jobs);
  const job = (name: string, spec: object, result = 'Succeeded') => ({
    metadata: { name, labels: { app: name } },
    spec: {
      template: template(name, { annotations: { [outcome]: result }, spec: { restartPolicy: 'Never' } }),
      ...spec,
    },
  });
  const has = (namespace: string, name: string, type: string) =>
    reached(world, jobs, namespace, name, ({ status }) => conditionIn(status, type) === 'True');
  const active = async (namespace: string, name: string) => (await podsOf(world, namespace, name)).filter(isActive);

  it('should run a job to completion when tasks sometimes fail', async () => {
    const namespace = await world.newNamespace();
    await create(world, jobs, namespace, job('some', { parallelism: 2, backoffLimit: 999 }, 'Running'));
    await until('two pods', async () => (await active(namespace, 'some')).length === 2);
    const [first, second] = await active(namespace, 'some');
    assert.ok(first && second);
    await tell(world, first, 'Failed');
    await reached(world, jobs, namespace, 'some', ({ status }) => status?.failed === 1);
    await tell(world, second, 'Succeeded');
    const { status } = await has(namespace, 'some', 'Complete');
    assert.deepEqual([status?.succeeded, status?.failed, status?.active], [1, 1, undefined]);
    assert.ok(status?.completionTime && status.startTime);
  });

  it('should create pods for an Indexed job with completion indexes and specified hostname', async () => {
    const namespace = await world.newNamespace();
    await create(world, jobs, namespace, job('ranked', { parallelism: 2, completions: 4, completionMode: 'Indexed' }));
    const { status } = await has(namespace, 'ranked', 'Complete');
    assert.deepEqual([status?.completedIndexes, status?.succeeded], ['0-3', 4]);
    const found = await podsOf(world, namespace, 'ranked');
    const names = found.map(({ metadata, spec }) => [
      metadata.annotations?.['batch.kubernetes.io/job-completion-index'],
      spec.hostname,
    ]);
    assert.deepEqual(
      names.toSorted(([a = ''], [b = '']) => a.localeCompare(b)),
      [0, 1, 2, 3].map((index) => [String(index), `ranked-${index}`]),
    );
  });

  it('should adopt matching orphans and release non-matching pods', async () => {
    const namespace = await world.newNamespace();
    const created = await create(world, jobs, namespace, job('adopts', { parallelism: 2, completions: 2 }, 'Running'));
    await until('two pods', async () => (await active(namespace, 'adopts')).length === 2);
    const [pod] = await podsOf(world, namespace, 'adopts');
    const name = pod?.metadata.name ?? '';
    const change = (metadata: object) =>
      world.client.resource(pods).patch(name, { metadata }, { type: 'merge', namespace });
    const owner = async () =>
      (await world.client.resource(pods).get(name, { namespace })).metadata.ownerReferences?.[0]?.uid;
    await change({ ownerReferences: null });
    await until('the pod to be adopted', async () => (await owner()) === created.metadata.uid);
    await change({ labels: null });
    await until('the pod to be released', async () => (await owner()) === undefined);
    await until('another pod', async () => (await active(namespace, 'adopts')).length === 2);
  });

  it('should delete a job', async () => {
    const namespace = await world.newNamespace();
    await create(world, jobs, namespace, job('deleted', { parallelism: 2, completions: 2 }, 'Running'));
    await until('two pods', async () => (await active(namespace, 'deleted')).length === 2);
    await resource().delete('deleted', { namespace, propagationPolicy: 'Foreground' });
    await until('no job and no pod', async () => {
      const { items } = await resource().list({ namespace });
      return items.length === 0 && (await podsOf(world, namespace, 'deleted')).length === 0;
    });
  });

  it('should apply changes to a job status', async () => {
    const namespace = await world.newNamespace();
    await create(world, jobs, namespace, job('state', { parallelism: 1, completions: 1 }, 'Running'));
    await reached(world, jobs, namespace, 'state', ({ status }) => status?.active === 1);
    const patch = { status: { conditions: [{ type: 'CustomConditionType', status: 'True' }] } };
    await resource().patch('state', patch, { type: 'merge', namespace, subresource: 'status' });
    const [pod] = await active(namespace, 'state');
    assert.ok(pod);
    await tell(world, pod, 'Succeeded');
    const { status } = await has(namespace, 'state', 'Complete');
    assert.equal(conditionIn(status, 'CustomConditionType'), 'True');
  });

  it('should manage the lifecycle of a job', async () => {
    const namespace = await world.newNamespace();
    await create(
      world,
      jobs,
      namespace,
      job('life', { suspend: true, parallelism: 2, completions: 2, backoffLimit: 6 }),
    );
    const suspended = await has(namespace, 'life', 'Suspended');
    assert.deepEqual([suspended.status?.startTime, await podsOf(world, namespace, 'life')], [undefined, []]);
    await resource().patch('life', { metadata: { labels: { stage: 'patched' } } }, { type: 'merge', namespace });
    await resource().patch('life', { spec: { suspend: false } }, { type: 'merge', namespace });
    await has(namespace, 'life', 'Complete');
    await resource().deleteCollection({ namespace, labelSelector: 'stage=patched', propagationPolicy: 'Background' });
    await until('no pod', async () => (await podsOf(world, namespace, 'life')).length === 0);
  });

  it('should fail to exceed backoffLimit, and when it exceeds its active deadline', async () => {
    const namespace = await world.newNamespace();
    await create(world, jobs, namespace, job('limited', { backoffLimit: 0 }, 'Failed'));
    await create(world, jobs, namespace, job('late', { activeDeadlineSeconds: 1 }, 'Running'));
    const reasonOf = ({ status }: Job) => status?.conditions?.find(({ type }) => type === 'Failed')?.reason;
    const limited = await has(namespace, 'limited', 'Failed');
    assert.deepEqual([reasonOf(limited), limited.status?.failed], ['BackoffLimitExceeded', 1]);
    assert.equal(reasonOf(await has(namespace, 'late', 'Failed')), 'DeadlineExceeded');
    await until('no pod to run', async () => (await active(namespace, 'late')).length === 0);
  });

  it('should delete a job once its time to live has passed', async () => {
    const namespace = await world.newNamespace();
    await create(world, jobs, namespace, job('short', { ttlSecondsAfterFinished: 1 }));
    await until('no job and no pod', async () => {
      const { items } = await resource().list({ namespace });
      return items.length === 0 && (await podsOf(world, namespace, 'short')).length === 0;
    });
  });

  it('should count pods that are deleted when they have ended', async () => {
    const namespace = await world.newNamespace();
    const spec = { parallelism: 1, completions: 3, backoffLimit: 99 };
    await create(world, jobs, namespace, job('honest', spec, 'Running'));
    for (let round = 0; round < 3; round++) {
      await until('a pod', async () => (await active(namespace, 'honest')).length === 1);
      const [pod] = await active(namespace, 'honest');
      assert.ok(pod);
      const name = pod.metadata.name;
      await tell(world, pod, 'Succeeded');
      await reached(world, pods, namespace, name, ({ status }) => status?.phase === 'Succeeded');
      await world.client.resource(pods).delete(name, { namespace, gracePeriodSeconds: 0 });
    }
    const { status } = await has(namespace, 'honest', 'Complete');
    assert.deepEqual([status?.succeeded, status?.failed ?? 0], [3, 0]);
  });

  it('should allow to use a pod failure policy to fail a job early, and to ignore failures', async () => {
    const namespace = await world.newNamespace();
    const rules = [
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
      { action: 'FailJob', onExitCodes: { containerName: 'c', operator: 'In', values: [1] } },
    ];
    const spec = { parallelism: 1, completions: 2, backoffLimit: 0, podFailurePolicy: { rules } };
    await create(world, jobs, namespace, job('judged', spec, 'Running'));
    await until('a pod', async () => (await active(namespace, 'judged')).length === 1);
    const [first] = await active(namespace, 'judged');
    assert.ok(first);
    const status = { conditions: [{ type: 'DisruptionTarget', status: 'True' }] };
    const options = { type: 'strategic', namespace, subresource: 'status' } as const;
    await world.client.resource(pods).patch(first.metadata.name, { status }, options);
    await tell(world, first, 'Failed');
    await until('the pod to be let go', async () => {
      const { metadata } = await world.client.resource(pods).get(first.metadata.name, { namespace });
      return !metadata.finalizers?.length;
    });
    const ignored = await resource().get('judged', { namespace });
    assert.deepEqual([ignored.status?.failed, ignored.status?.conditions], [undefined, undefined]);
    await world.client.resource(pods).delete(first.metadata.name, { namespace });
    await until('another pod', async () => (await active(namespace, 'judged')).length === 1);
    const [second] = await active(namespace, 'judged');
    assert.ok(second);
    await tell(world, second, 'Failed');
    const failed = await has(namespace, 'judged', 'Failed');
    const condition = failed.status?.conditions?.find(({ type }) => type === 'Failed');
    assert.equal(condition?.reason, 'PodFailurePolicy');
    const name = `${namespace}/${second.metadata.name}`;
    assert.equal(
      condition?.message,
      `Container c for pod ${name} failed with exit code 1 matching FailJob rule at index 1`,
    );
  });
}
