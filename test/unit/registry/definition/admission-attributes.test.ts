import assert from 'node:assert/strict';
import type { AdmissionAttributes, AdmissionPlugin } from '../../../../src/admission/admission.ts';
import type { WriteOptions } from '../../../../src/registry/definition/registry.ts';
import { type Fixture, startFixture, write } from '../fixture.ts';

const spec = {
  schedule: '* * * * *',
  jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'i' }] } } } },
};

describe('the admission attributes of a write', () => {
  let fixture: Fixture;
  let seen: AdmissionAttributes[];
  const recorder: AdmissionPlugin = {
    name: 'Recorder',
    operations: ['CREATE', 'UPDATE', 'DELETE', 'CONNECT'],
    validate: (attributes) => void seen.push(attributes),
  };
  beforeEach(() => {
    seen = [];
    fixture = startFixture({ builtIn: true, plugins: [recorder] });
  });
  afterEach(() => fixture.close());
  const jobs = () => fixture.registry('cronjobs', 'batch');
  const scope = (name = '') => fixture.scope({ group: 'batch', version: 'v1beta1', name });
  const create = (options: WriteOptions = write) => jobs().create(scope(), { metadata: { name: 'a' }, spec }, options);

  it('has the kind of the request, that of the store, and the object in any version', async () => {
    await create();
    const [attributes] = seen;
    assert.ok(attributes?.object);
    assert.deepEqual(attributes.kind, { group: 'batch', version: 'v1beta1', kind: 'CronJob' });
    assert.deepEqual(attributes.resource, { group: 'batch', version: 'v1beta1', resource: 'cronjobs' });
    assert.deepEqual(attributes.storedKind, { group: 'batch', version: 'v1', kind: 'CronJob' });
    assert.deepEqual(attributes.storedResource, { group: 'batch', version: 'v1', resource: 'cronjobs' });
    assert.equal(attributes.object['apiVersion'], 'batch/v1');
    const { object } = attributes;
    const shown = attributes.versions().map(async (one) => {
      const { apiVersion } = await one.show(object);
      return [one.resource.version, apiVersion];
    });
    assert.deepEqual(await Promise.all(shown), [
      ['v1beta1', 'batch/v1beta1'],
      ['v1', 'batch/v1'],
    ]);
    const [requested] = attributes.versions();
    assert.deepEqual(await requested?.read(await requested.show(object)), object);
  });

  it('has the options that the client sent, and no more', async () => {
    await create({ ...write, fieldManager: 'tester', sent: {} });
    await create({ ...write, dryRun: true, sent: { fieldManager: 'me', fieldValidation: 'Strict' } }).catch(() => {});
    const patch = { type: 'merge', document: { spec: { suspend: true } }, duplicateFields: [] } as const;
    await jobs().patch(scope('a'), patch, { ...write, sent: { fieldManager: 'me' } });
    await jobs().delete(scope('a'), { dryRun: true, gracePeriodSeconds: 5, propagationPolicy: 'Orphan' });
    await jobs()
      .delete(scope('a'), { dryRun: false, preconditions: { resourceVersion: '2' } })
      .catch(() => {});
    const apiVersion = 'meta.k8s.io/v1';
    assert.deepEqual(
      seen.map((attributes) => [attributes.operation, attributes.options()]),
      [
        ['CREATE', { kind: 'CreateOptions', apiVersion }],
        [
          'CREATE',
          { kind: 'CreateOptions', apiVersion, dryRun: ['All'], fieldManager: 'me', fieldValidation: 'Strict' },
        ],
        ['UPDATE', { kind: 'UpdateOptions', apiVersion, fieldManager: 'me' }],
        [
          'DELETE',
          {
            kind: 'DeleteOptions',
            apiVersion,
            dryRun: ['All'],
            gracePeriodSeconds: 5,
            propagationPolicy: 'Orphan',
          },
        ],
      ],
    );
  });

  it('sees the eviction of a pod, and not the delete that follows, as in kube-apiserver', async () => {
    const pods = fixture.registry('pods');
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await pods.create(fixture.scope({ version: 'v1' }), pod, write);
    seen = [];
    const eviction = { kind: 'Eviction', apiVersion: 'policy/v1beta1', metadata: { name: 'p' } };
    await pods.create(fixture.scope({ version: 'v1', name: 'p', subresource: 'eviction' }), eviction, write);
    assert.deepEqual(
      seen.map(({ operation, kind, subresource }) => [operation, kind.kind, subresource]),
      [['CREATE', 'Eviction', 'eviction']],
    );
  });
});
