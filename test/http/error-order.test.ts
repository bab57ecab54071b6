import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const definitions = '/apis/apiextensions.cl.io/v1/customresourcedefinitions';
const services = '/apis/apiregistration.cl.io/v1/apiservices';
const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';
const ingresses = '/apis/networking.cl.io/v1/namespaces/default/ingresses';
const pods = '/api/v1/namespaces/default/pods';
const deployments = '/apis/apps/v1/namespaces/default/deployments';

describe('the order of errors', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  /** The fields and messages of the errors of a new object. */
  async function causesOf(collection: string, object: JsonObject): Promise<readonly (readonly [string, string])[]> {
    const { status, body, text } = await request(server, 'POST', collection, object);
    assert.equal(status, 422, text);
    const { details } = body as { details: { causes: { field: string; message: string }[] } };
    return details.causes.map(({ field, message }) => [field, message]);
  }

  const names = { plural: 'foos', kind: 'Foo' };
  const fieldsOf = async (collection: string, object: JsonObject) =>
    (await causesOf(collection, object)).map(([field]) => field);

  it('has the name of a definition before its labels and its spec', async () => {
    const metadata = { name: 'bad', labels: { 'a b': '' } };
    const causes = await causesOf(definitions, { metadata, spec: { group: 'example.com', scope: 'x', names } });
    assert.deepEqual(causes[0], ['metadata.name', 'Invalid value: "bad": must be spec.names.plural+"."+spec.group']);
    assert.deepEqual(
      causes.slice(1, 3).map(([field]) => field),
      ['metadata.labels', 'spec.scope'],
    );
  });

  it('has one error for a missing name of a definition or an API service', async () => {
    for (const collection of [definitions, services]) {
      const fields = await fieldsOf(collection, { metadata: {}, spec: {} });
      assert.deepEqual(
        fields.filter((field) => field === 'metadata.name'),
        ['metadata.name'],
        collection,
      );
    }
  });

  it('has the name of an API service, and the base of a generated one, first', async () => {
    const spec = { group: 'x_', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1 };
    const fields = await fieldsOf(services, { metadata: { generateName: 'a', labels: { 'a b': '' } }, spec });
    assert.deepEqual(fields, ['metadata.generateName', 'metadata.name', 'metadata.labels', 'spec.group']);
    const [error] = await causesOf(services, { metadata: { name: 'a' }, spec: { ...spec, caBundle: 'aGk=' } });
    assert.deepEqual(error, ['metadata.name', 'Invalid value: "a": must be `spec.version+"."+spec.group`: "v1.x_"']);
  });

  it('has the metadata first, then the schema in the order of its fields, then the rules', async () => {
    const jobTemplate = { spec: { template: { spec: { containers: [], restartPolicy: 'Always' } } } };
    const spec = { jobTemplate, successfulJobsHistoryLimit: -1, schedule: 'x', concurrencyPolicy: 'y' };
    assert.deepEqual(await fieldsOf(cronJobs, { metadata: { name: 'a', labels: { 'a b': '' } }, spec }), [
      'metadata.labels',
      'spec.concurrencyPolicy',
      'spec.jobTemplate.spec.template.spec.containers',
      'spec.successfulJobsHistoryLimit',
      'spec.schedule',
      'spec.jobTemplate.spec.template.spec.restartPolicy',
    ]);
  });

  it('has one error for a field that the schema and a rule refuse: that of the rule', async () => {
    const rules = [
      { http: { paths: [{ path: 'a', pathType: 'Zork', backend: { service: { name: 's', port: { number: 1 } } } }] } },
    ];
    assert.deepEqual(await causesOf(ingresses, { metadata: { name: 'a' }, spec: { rules } }), [
      [
        'spec.rules[0].http.paths[0].pathType',
        'Unsupported value: "Zork": supported values: "Exact", "ImplementationSpecific", "Prefix"',
      ],
    ]);
  });

  it('has none for what is in a part that a rule forbids', async () => {
    const volumes = [{ name: 'v', emptyDir: {}, nfs: {} }];
    const spec = { containers: [{ name: 'c', image: 'i' }], volumes };
    assert.deepEqual(await causesOf(pods, { metadata: { name: 'a' }, spec }), [
      ['spec.volumes[0].nfs', 'Forbidden: may not specify more than 1 volume type'],
    ]);
  });

  it('has the changes of immutable fields last', async () => {
    const deployment = (app: string, replicas: number): JsonObject => {
      const template = { metadata: { labels: { app: 'a' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
      return { metadata: { name: 'a' }, spec: { replicas, selector: { matchLabels: { app } }, template } };
    };
    assert.equal((await request(server, 'POST', deployments, deployment('a', 1))).status, 201);
    const { body } = await request(server, 'PUT', `${deployments}/a`, deployment('b', -1));
    const { details } = body as { details: { causes: { field: string }[] } };
    assert.deepEqual(
      details.causes.map(({ field }) => field),
      ['spec.replicas', 'spec.template.metadata.labels', 'spec.selector'],
    );
  });
});
