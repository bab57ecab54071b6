import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { scheduleMessages } from '../../../src/resources/batch/cronjobs/schedule.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { completeObject } from '../../../src/scheme/complete-object.ts';
import { complete, context, summarize } from '../resources/context.ts';

const { resources } = builtInCatalogue(identifiersOf('kubernetes')).current;

function strategyOf(resource: string) {
  const found = resources.find((one) => one.resource === resource);
  assert.ok(found, resource);
  return found.strategy;
}

const template = (labels: JsonObject = { a: 'b' }, restartPolicy = 'Always'): JsonObject => ({
  metadata: { labels },
  spec: { restartPolicy, containers: [{ name: 'c', image: 'i' }] },
});

const jobOf = (job: JsonObject): JsonObject => complete('api.batch.v1.Job', job);

describe('strategies', () => {
  it('a job without labels has those of its pods, those that it selects them by too', () => {
    const strategy = strategyOf('jobs');
    const created = (labels?: JsonObject): unknown => {
      const metadata: JsonObject = { name: 'j', uid: 'u', ...(labels ? { labels } : {}) };
      const job = jobOf({ metadata, spec: { template: template({}, 'Never') } });
      strategy.default?.(job, context);
      strategy.prepareForCreate?.(job, context);
      return objectAt(job, 'metadata')['labels'];
    };
    assert.deepEqual(created(), {
      'batch.cluster.io/controller-uid': 'u',
      'batch.cluster.io/job-name': 'j',
      'controller-uid': 'u',
      'job-name': 'j',
    });
    assert.deepEqual(created({ a: 'b' }), { a: 'b' });
  });

  it('a job selects its pods by its uid', () => {
    const job = jobOf({ metadata: { name: 'j', uid: 'u' }, spec: { template: template({}, 'Never') } });
    const strategy = strategyOf('jobs');
    strategy.default?.(job, context);
    strategy.prepareForCreate?.(job, context);
    assert.deepEqual((job['spec'] as JsonObject)['selector'], {
      matchLabels: { 'batch.cluster.io/controller-uid': 'u' },
    });
    assert.deepEqual(summarize(strategy.validate?.(job, context) ?? []), []);
  });

  it('a policy keeps nothing of how /proc is mounted, as no release by default', () => {
    const policy: JsonObject = { spec: { privileged: true, allowedProcMountTypes: ['Default'] } };
    const strategy = strategyOf('podsecuritypolicies');
    strategy.prepareForCreate?.(policy, context);
    assert.deepEqual(policy, { spec: { privileged: true } });
    const changed: JsonObject = { spec: { allowedProcMountTypes: ['Default'] } };
    strategy.prepareForUpdate?.(changed, policy, context);
    assert.deepEqual(changed, { spec: {} });
  });

  it('a replication controller takes selector and labels from its template', () => {
    const controller = complete('api.core.v1.ReplicationController', { spec: { template: template() } });
    strategyOf('replicationcontrollers').default?.(controller, context);
    assert.deepEqual((controller['spec'] as JsonObject)['selector'], { a: 'b' });
    assert.deepEqual(objectAt(controller, 'metadata')['labels'], { a: 'b' });
  });

  it('a namespace is active, named by a label, and held by its finalizer until that is gone', () => {
    const strategy = strategyOf('namespaces');
    const namespace: JsonObject = { metadata: { name: 'n' }, spec: {}, status: { phase: 'Terminating' } };
    strategy.prepareForCreate?.(namespace, context);
    assert.deepEqual(namespace, {
      metadata: { name: 'n', labels: { 'cluster.io/metadata.name': 'n' } },
      status: { phase: 'Active' },
      spec: { finalizers: ['cluster'] },
    });
    assert.equal(strategy.holdsDeletion?.(namespace), true);
    strategy.prepareForDelete?.(namespace, context);
    assert.deepEqual(namespace['status'], { phase: 'Terminating' });
    assert.equal(strategy.holdsDeletion?.({ spec: { finalizers: [] } }), false);
  });

  it('every object gives every selectable field', () => {
    for (const { resource, strategy, storage } of resources) {
      if (!storage) continue;
      const given = Object.keys(strategy.fieldsOf?.(completeObject(storage.schema(), {})) ?? {});
      assert.deepEqual(given.toSorted(), [...(strategy.selectableFields ?? [])].toSorted(), resource);
    }
  });

  const schedules: readonly (readonly [schedule: string, good: boolean])[] = [
    ['*/5 * * * *', true],
    ['0 9-17/2 1,15 jan-mar MON-FRI', true],
    ['TZ=Europe/Berlin 0 0 * * *', true],
    ['@daily', true],
    ['@every 5m', true],
    ['* * * *', false],
    ['60 * * * *', false],
    ['5-1 * * * *', false],
    ['*/0 * * * *', false],
    ['@sometimes', false],
    ['', false],
  ];
  for (const [schedule, good] of schedules) {
    it(`a schedule ${JSON.stringify(schedule)} is ${good ? 'good' : 'refused'}`, () => {
      assert.equal(scheduleMessages(schedule).length === 0, good);
    });
  }
});
