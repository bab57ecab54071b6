import assert from 'node:assert/strict';
import type { JsonObject } from '../../src/meta/json-value.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

const definitions = '/apis/apiextensions.cl.io/v1/customresourcedefinitions';
const services = '/apis/apiregistration.cl.io/v1/apiservices';
const cronJobs = '/apis/batch/v1/namespaces/default/cronjobs';

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

  it('has the policy of a CronJob before its template', async () => {
    const jobTemplate = { spec: { template: { spec: { containers: [], restartPolicy: 'Never' } } } };
    const spec = { schedule: 'x', concurrencyPolicy: 'y', jobTemplate };
    assert.deepEqual(await fieldsOf(cronJobs, { metadata: { name: 'a' }, spec }), [
      'spec.schedule',
      'spec.concurrencyPolicy',
      'spec.jobTemplate.spec.template.spec.containers',
    ]);
  });
});
