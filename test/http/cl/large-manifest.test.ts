import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { type ClServer, startClServer } from './cl-runner.ts';

/** The shape of the installation of an operator: definitions with long schemas, rights, programs and objects of the new kinds. */
const kinds = ['Application', 'Project', 'Rollout'];
const leastBytes = 1_000_000;

/** A schema that is as deep and as wordy as one that is generated from types. */
function schema(depth: number, breadth: number): object {
  const description =
    'A field that is described at length: what it is for, what it may be, and what else depends on it. ';
  const leaf = { type: 'string', description: description.repeat(2), pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' };
  if (depth === 0) return leaf;
  const inner = schema(depth - 1, breadth);
  const fields = Array.from({ length: breadth }, (_, index) => [
    `field${index}`,
    index % 3 === 0 ? { type: 'array', description, items: inner } : inner,
  ]);
  return { type: 'object', description, properties: Object.fromEntries(fields) as object };
}

function definition(kind: string): object {
  const plural = `${kind.toLowerCase()}s`;
  const openAPIV3Schema = {
    type: 'object',
    required: ['spec'],
    properties: { spec: schema(4, 5), status: { type: 'object' } },
  };
  return {
    apiVersion: 'apiextensions.cl.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: `${plural}.delivery.example.com` },
    spec: {
      group: 'delivery.example.com',
      scope: 'Namespaced',
      names: { kind, listKind: `${kind}List`, plural, singular: kind.toLowerCase() },
      versions: [
        { name: 'v1', served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema } },
      ],
    },
  };
}

const role = { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name: 'delivery' };
const metadata = { name: 'delivery', namespace: 'delivery' };
const others: readonly object[] = [
  ...kinds.map((kind) => ({
    apiVersion: 'delivery.example.com/v1',
    kind,
    metadata: { name: 'default', namespace: 'delivery' },
    spec: { field1: { field1: { field1: { field1: 'a' } } } },
  })),
  { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
  {
    apiVersion: 'rbac.authorization.cl.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name: 'delivery' },
    roleRef: role,
    subjects: [{ kind: 'ServiceAccount', ...metadata }],
  },
  {
    apiVersion: 'rbac.authorization.cl.io/v1',
    kind: 'ClusterRole',
    metadata: { name: 'delivery' },
    rules: [{ apiGroups: ['*'], resources: ['*'], verbs: ['*'] }],
  },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'dashboard.json': '{"panels": []}\n'.repeat(20_000) } },
  {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      selector: { matchLabels: { app: 'delivery' } },
      template: {
        metadata: { labels: { app: 'delivery' } },
        spec: {
          serviceAccountName: 'delivery',
          containers: [{ name: 'controller', image: 'example.com/delivery:v1' }],
        },
      },
    },
  },
  { apiVersion: 'v1', kind: 'Service', metadata, spec: { selector: { app: 'delivery' }, ports: [{ port: 80 }] } },
  { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'delivery', labels: { app: 'delivery' } } },
];

describe('cl apply of a large installation', () => {
  let cl: ClServer;
  before(async () => {
    cl = await startClServer();
    // The objects come first, what they need last. JSON is YAML, and its long lines are as hard to read.
    const documents = [...others, ...kinds.map(definition)].map((object) => JSON.stringify(object, null, 1));
    const text = documents.map((document) => `# A part.\n${document}\n`).join('---\n');
    assert.ok(text.length > leastBytes, `${text.length} bytes`);
    await cl.write('install.yaml', text);
  });
  after(() => cl[Symbol.asyncDispose]());

  const count = others.length + kinds.length;

  it('creates all in the order of their needs, finds nothing to change the second time, and deletes all', async () => {
    const created = await cl.run('apply -f install.yaml');
    assert.deepEqual([created.code, created.err], [0, '']);
    assert.equal(created.out.match(/ created\n/g)?.length, count);
    const again = await cl.run('apply -f install.yaml');
    assert.deepEqual([again.code, again.err], [0, '']);
    assert.equal(again.out.match(/ unchanged\n/g)?.length, count, again.out);
    assert.equal((await cl.run('diff -f install.yaml')).code, 0);
    const deleted = await cl.run('delete -f install.yaml --wait=false');
    assert.deepEqual([deleted.code, deleted.err], [0, '']);
    const path = '/apis/apiextensions.cl.io/v1/customresourcedefinitions';
    await until('no definition is left', async () => {
      const { body } = await request(cl.server, 'GET', path);
      return (body as { readonly items: readonly unknown[] }).items.length === 0;
    });
  });
});
