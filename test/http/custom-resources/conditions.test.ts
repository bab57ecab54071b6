import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { definitions, versionOf, widgetsIn } from './widgets.ts';

const betaDefinitions = definitions.replace('/v1/', '/v1beta1/');
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const annotation = 'api-approved.cluster.io';
const policy = 'see https://github.com/kubernetes/enhancements/pull/1111';

/** An annotation of a definition in a group of the project, and its condition. */
const approvals: readonly (readonly [text: string, condition: readonly string[]])[] = [
  ['unapproved, for a test', ['False', 'UnapprovedAnnotation', 'not approved: "unapproved, for a test"']],
  ['https://a.example.com/b', ['True', 'ApprovedAnnotation', 'approved in https://a.example.com/b']],
];

/** An annotation for which a definition in a group of the project is refused. */
const refusals: readonly (readonly [title: string, annotations: JsonObject, error: string])[] = [
  [
    'without an approval',
    {},
    `metadata.annotations[${annotation}]: Required value: protected groups must have approval annotation "${annotation}", ${policy}`,
  ],
  [
    'with another text as its approval',
    { [annotation]: 'yes' },
    `metadata.annotations[${annotation}]: Invalid value: "yes": protected groups must have approval annotation "${annotation}" with either a URL or a reason starting with "unapproved", ${policy}`,
  ],
];

describe('the conditions of a definition', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.21' });
  });
  after(() => server.stop());

  const conditionOf = async (group: string, type: string): Promise<readonly string[] | undefined> => {
    const { body } = await request(server, 'GET', `${definitions}/widgets.${group}`);
    const conditions = objectsAt(objectAt(body as JsonObject, 'status'), 'conditions');
    const found = conditions.find((condition) => stringAt(condition, 'type') === type);
    return found && ['status', 'reason', 'message'].map((field) => stringAt(found, field));
  };
  const create = async (definition: JsonObject, collection = definitions): Promise<void> => {
    const created = await request(server, 'POST', collection, definition);
    assert.equal(created.status, 201, created.text);
  };
  const betaWidgets = (group: string, schema: JsonObject): JsonObject =>
    widgetsIn(group, { versions: null, version: 'v1', validation: { openAPIV3Schema: schema } });

  it('tell of schemas that are not structural, until they are', async () => {
    const group = 'loose.example.com';
    await create(
      betaWidgets(group, { properties: { spec: { properties: { a: { type: 'string' } } } } }),
      betaDefinitions,
    );
    await until('the condition', async () => (await conditionOf(group, 'NonStructuralSchema')) !== undefined);
    const schema = 'spec.versions[0].schema.openAPIV3Schema';
    assert.deepEqual(await conditionOf(group, 'NonStructuralSchema'), [
      'True',
      'Violations',
      `[spec.preserveUnknownFields: Invalid value: true: must be false, ${schema}.properties[spec].type: Required value: must not be empty for specified object fields, ${schema}.type: Required value: must not be empty at the root]`,
    ]);
    const spec = { preserveUnknownFields: false, versions: [versionOf('v1')] };
    const changed = await request(server, 'PATCH', `${definitions}/widgets.${group}`, { spec }, mergePatch);
    assert.equal(changed.status, 200, changed.text);
    await until('the condition to go', async () => (await conditionOf(group, 'NonStructuralSchema')) === undefined);
  });

  it('leave a definition of v1beta1 unpruned while it keeps unknown fields', async () => {
    const group = 'kept.example.com';
    await create(betaWidgets(group, { type: 'object' }), betaDefinitions);
    await until(
      'the definition to be established',
      async () => (await conditionOf(group, 'Established'))?.[0] === 'True',
    );
    const widget = { apiVersion: `${group}/v1`, kind: 'Widget', metadata: { name: 'a' }, zork: { a: 1 } };
    const created = await request(server, 'POST', `/apis/${group}/v1/namespaces/default/widgets`, widget);
    assert.deepEqual((created.body as JsonObject)['zork'], { a: 1 });
  });

  for (const [index, [text, condition]] of approvals.entries()) {
    it(`tell of the approval "${text}" of a protected group`, async () => {
      const group = `approval${index}.cl.io`;
      const { spec, metadata } = widgetsIn(group);
      const annotations = { [annotation]: text };
      await create({ spec: spec ?? {}, metadata: { ...(metadata as JsonObject), annotations } });
      const type = 'KubernetesAPIApprovalPolicyConformant';
      await until('the condition', async () => (await conditionOf(group, type)) !== undefined);
      assert.deepEqual(await conditionOf(group, type), condition);
    });
  }

  for (const [title, annotations, error] of refusals) {
    it(`cannot come up for a protected group ${title}`, async () => {
      const { spec, metadata } = widgetsIn('refused.cl.io');
      const definition = { spec, metadata: { ...(metadata as JsonObject), annotations } };
      const refused = await request(server, 'POST', definitions, definition);
      assert.equal(refused.status, 422, refused.text);
      const { message } = refused.body as { message: string };
      assert.ok(message.endsWith(error), message);
    });
  }
});
