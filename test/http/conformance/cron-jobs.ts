import assert from 'node:assert/strict';
import { cronJobs, jobs } from '../../../src/controllers/resources.ts';
import { finishOf } from '../../../src/kinds/batch/job.ts';
import { until } from '../until.ts';
import { create, outcome, reached, resources, template, type World } from './world.ts';

/** `[sig-apps] CronJob`, with a schedule of seconds. */
export function cronJobStories(world: World): void {
  const resource = () => world.client.resource(cronJobs);
  const cronJob = (name: string, concurrencyPolicy: string, result: string, spec: object = {}) => ({
    metadata: { name },
    spec: {
      schedule: '@every 1s',
      concurrencyPolicy,
      jobTemplate: {
        spec: { template: template(name, { annotations: { [outcome]: result }, spec: { restartPolicy: 'Never' } }) },
      },
      ...spec,
    },
  });
  const jobsOf = async (namespace: string) => (await world.client.resource(jobs).list({ namespace })).items;
  const stop = (namespace: string, name: string) =>
    resource().patch(name, { spec: { suspend: true } }, { type: 'merge', namespace });

  it('should schedule jobs, and delete them with the CronJob', async () => {
    const namespace = await world.newNamespace();
    await create(world, cronJobs, namespace, cronJob('many', 'Allow', 'Running'));
    await reached(world, cronJobs, namespace, 'many', ({ status }) => status?.active?.length === 1);
    const [job] = await jobsOf(namespace);
    assert.deepEqual(
      [job?.metadata.ownerReferences?.[0]?.kind, job?.metadata.ownerReferences?.[0]?.name],
      ['CronJob', 'many'],
    );
    await resource().delete('many', { namespace });
    await until('no job', async () => (await jobsOf(namespace)).length === 0);
  });

  it('should not schedule jobs when suspended', async () => {
    const namespace = await world.newNamespace();
    await create(world, cronJobs, namespace, cronJob('paused', 'Allow', 'Running', { suspend: true }));
    await create(world, cronJobs, namespace, cronJob('running', 'Forbid', 'Running'));
    // Another one that was created later has run by then.
    await reached(world, cronJobs, namespace, 'running', ({ status }) => status?.active?.length === 1);
    assert.equal((await jobsOf(namespace)).length, 1);
    await stop(namespace, 'running');
  });

  it('should not schedule new jobs when ForbidConcurrent', async () => {
    const namespace = await world.newNamespace();
    await create(world, cronJobs, namespace, cronJob('alone', 'Forbid', 'Running'));
    await reached(world, cronJobs, namespace, 'alone', ({ status }) => status?.active?.length === 1);
    await until('an event', async () => {
      const { items } = await world.client.resource(resources.events).list({ namespace });
      return items.some(({ reason }) => reason === 'JobAlreadyActive');
    });
    assert.equal((await jobsOf(namespace)).length, 1);
    await stop(namespace, 'alone');
  });

  it('should replace jobs when ReplaceConcurrent', async () => {
    const namespace = await world.newNamespace();
    await create(world, cronJobs, namespace, cronJob('next', 'Replace', 'Running'));
    await reached(world, cronJobs, namespace, 'next', ({ status }) => status?.active?.length === 1);
    const [first] = await jobsOf(namespace);
    await until('another job in its place', async () => {
      const found = await jobsOf(namespace);
      return found.length > 0 && found.every(({ metadata }) => metadata.uid !== first?.metadata.uid);
    });
    await stop(namespace, 'next');
  });

  it('should delete successful and failed finished jobs beyond the limits of the history', async () => {
    const namespace = await world.newNamespace();
    const limits = { successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 0, suspend: true };
    const { metadata } = await create(world, cronJobs, namespace, cronJob('kept', 'Allow', 'Succeeded', limits));
    const owner = { apiVersion: 'batch/v1', kind: 'CronJob', name: 'kept', uid: metadata.uid, controller: true };
    for (const [name, result] of Object.entries({ a: 'Succeeded', b: 'Succeeded', c: 'Failed' })) {
      const spec = { restartPolicy: 'Never' };
      await create(world, jobs, namespace, {
        metadata: { name, ownerReferences: [owner] },
        spec: { backoffLimit: 0, template: template(name, { annotations: { [outcome]: result }, spec }) },
      });
    }
    await until('one finished job', async () => {
      const found = await jobsOf(namespace);
      return found.length === 1 && found.every((job) => finishOf(job)?.type === 'Complete');
    });
    await reached(world, cronJobs, namespace, 'kept', ({ status }) => status?.lastSuccessfulTime !== undefined);
  });
}
