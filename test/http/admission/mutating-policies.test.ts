import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { create, messageOf, mutatingPolicy, policyRule, writeMap } from './policy-world.ts';

/** The parts of a ConfigMap or Pod that the stories look at. */
interface Changed {
  readonly metadata: {
    readonly labels?: Readonly<Record<string, string>>;
    readonly annotations?: Readonly<Record<string, string>>;
  };
  readonly data?: Readonly<Record<string, string>>;
  readonly spec: { readonly containers: readonly { readonly name: string; readonly image: string }[] };
}

function changed({ body }: HttpResponse): Changed {
  return body as Changed;
}

describe('a mutating policy', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', emulatedRelease: '1.36' });
  });
  after(() => server.stop());

  it('merges the fields that it sets into the object', async () => {
    await mutatingPolicy(server, 'merge', {
      mutations: ['Object{metadata: Object.metadata{labels: {"by": "policy"}}, data: {"a": object.data.a + "!"}}'],
    });
    const response = await writeMap(server, 'merge-1', { a: '1', b: '2' }, { labels: { own: 'yes' } });
    assert.deepEqual(changed(response).data, { a: '1!', b: '2' });
    assert.deepEqual(changed(response).metadata.labels, { own: 'yes', by: 'policy' });
  });

  it('sees the namespace of the request, and no field that the server sets later', async () => {
    await mutatingPolicy(server, 'sent', {
      mutations: [
        'Object{data: {"seen": string(object.metadata.namespace), "set": string(has(object.metadata.uid) || has(object.metadata.creationTimestamp))}}',
      ],
    });
    const sent = { uid: 'mine', creationTimestamp: '2020-01-01T00:00:00Z' };
    const seen = { seen: 'default', set: 'false' };
    assert.deepEqual(changed(await writeMap(server, 'sent-1', {}, sent)).data, seen);
    const path = '/api/v1/namespaces/default/configmaps/sent-1';
    const updated = await request(server, 'PUT', path, { metadata: { name: 'sent-1' }, data: {} });
    assert.deepEqual([updated.status, changed(updated).data?.['seen']], [200, 'default'], updated.text);
  });

  it('merges lists by the keys of their items', async () => {
    await mutatingPolicy(server, 'sidecar', {
      match: { resourceRules: [policyRule(['pods'])] },
      mutations: [
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "proxy", image: "proxy:1"}]}}',
        'Object{spec: Object.spec{containers: [Object.spec.containers{name: "main", image: "main:2"}]}}',
      ],
    });
    const containers = [{ name: 'main', image: 'main:1' }];
    const pods = '/api/v1/namespaces/default/pods';
    const response = await create(server, pods, { metadata: { name: 'sidecar-1' }, spec: { containers } });
    const found = changed(response).spec.containers.map(({ name, image }) => `${name} ${image}`);
    assert.deepEqual(found.toSorted(), ['main main:2', 'proxy proxy:1']);
  });

  it('applies patches, one of which may test first', async () => {
    await mutatingPolicy(server, 'patch', {
      mutations: [
        '[JSONPatch{op: "add", path: "/metadata/annotations/" + jsonpatch.escapeKey("example.com/by"), value: "p"}, JSONPatch{op: "remove", path: "/data/b"}]',
        '[JSONPatch{op: "test", path: "/data/a", value: "other"}, JSONPatch{op: "remove", path: "/data/a"}]',
        '[JSONPatch{op: "add", path: "/metadata/labels", value: Object.metadata.labels{by: "patch"}}]',
      ],
    });
    const response = await writeMap(server, 'patch-1', { a: '1', b: '2' }, { annotations: { own: 'yes' } });
    assert.deepEqual(changed(response).data, { a: '1' });
    assert.deepEqual(changed(response).metadata.annotations, { own: 'yes', 'example.com/by': 'p' });
    assert.deepEqual(changed(response).metadata.labels, { by: 'patch' });
  });

  it('runs in the order of names, with variables, parameters and the changes before it', async () => {
    await create(server, '/api/v1/namespaces/default/configmaps', { metadata: { name: 'suffix' }, data: { is: 'z' } });
    const match = { resourceRules: [policyRule(['configmaps'], { resourceNames: ['order-1'] })] };
    const conditions = { matchConditions: [] };
    await mutatingPolicy(server, 'order-b', {
      match,
      mutations: ['Object{data: {"a": variables.longer + params.data.is}}'],
      spec: {
        ...conditions,
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        variables: [{ name: 'longer', expression: 'object.data.a + "b"' }],
      },
      binding: { paramRef: { name: 'suffix', parameterNotFoundAction: 'Deny' } },
    });
    await mutatingPolicy(server, 'order-a', {
      match,
      mutations: ['Object{data: {"a": object.data.a + "a"}}'],
      spec: conditions,
    });
    assert.equal(changed(await writeMap(server, 'order-1', { a: '1' })).data?.['a'], '1abz');
  });

  it('runs again after a later change with reinvocationPolicy IfNeeded', async () => {
    await mutatingPolicy(server, 'again', {
      mutations: ['Object{data: {"count": string(int(object.data[?"count"].orValue("0")) + 1)}}'],
      spec: { reinvocationPolicy: 'IfNeeded' },
    });
    await mutatingPolicy(server, 'again-later', { mutations: ['Object{data: {"later": "1"}}'] });
    const response = await writeMap(server, 'again-later-1', { own: '' });
    assert.deepEqual(changed(response).data, { own: '', count: '2', later: '1' }, response.text);
  });

  it('runs again alone after its own mutation, as in kube-apiserver', async () => {
    const mutations = ['Object{data: {"count": string(int(object.data[?"count"].orValue("0")) + 1)}}'];
    await mutatingPolicy(server, 'alone', { mutations, spec: { reinvocationPolicy: 'IfNeeded' } });
    assert.deepEqual(changed(await writeMap(server, 'alone-1', { own: '' })).data, { own: '', count: '2' });
  });

  it('writes times, durations and bytes as texts', async () => {
    const values = ['timestamp("2020-01-01T00:00:00Z")', 'duration("90s")', 'b"abc"', 'optional.of("x")'];
    const patch = values.map(
      (value, i) => `JSONPatch{op: "add", path: "/metadata/annotations/v${i}", value: ${value}}`,
    );
    await mutatingPolicy(server, 'texts', { mutations: [`[${patch.join(', ')}]`] });
    const response = await writeMap(server, 'texts-1', {}, { annotations: { a: 'b' } });
    const { metadata } = response.body as { metadata: { annotations?: object } };
    assert.deepEqual(
      metadata.annotations,
      { a: 'b', v0: '2020-01-01T00:00:00Z', v1: '90s', v2: 'YWJj', v3: 'x' },
      response.text,
    );
  });

  it('refuses when a mutation fails, and says why', async () => {
    await mutatingPolicy(server, 'atomic', {
      match: { resourceRules: [policyRule(['services'])] },
      mutations: ['Object{spec: Object.spec{selector: {"a": "b"}}}'],
    });
    const services = '/api/v1/namespaces/default/services';
    const service = { metadata: { name: 'atomic-1' }, spec: { ports: [{ port: 80 }], selector: { a: 'a' } } };
    const response = await request(server, 'POST', services, service);
    const message =
      "policy 'atomic' with binding 'atomic-b' denied request: error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: .spec.selector";
    assert.deepEqual(response.body, {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message,
      reason: 'Invalid',
      details: { name: 'atomic-1', kind: 'services', causes: [{ message }] },
      code: 403,
    });
    await mutatingPolicy(server, 'unknown', { mutations: ['Object{missing: "field"}'] });
    assert.match(
      messageOf(await writeMap(server, 'unknown-1')),
      /denied request: error applying patch: .*\.missing: field not declared in schema$/,
    );
    await mutatingPolicy(server, 'misnamed', { mutations: ['Object{metadata: Object.spec{labels: {"a": "b"}}}'] });
    assert.match(
      messageOf(await writeMap(server, 'misnamed-1')),
      /denied request: type mismatch: unexpected type name "Object\.spec", expected "Object\.metadata", which matches field name path from root Object type$/,
    );
  });

  for (const [why, mutation, message] of [
    ['null', 'Object{immutable: null}', '.immutable: expected boolean, got null of type null_type'],
    ['bytes', 'Object{data: {"b": b"x"}}', '.data.b: expected string, got "eA==" of type bytes'],
    [
      'an unsigned number',
      'Object{metadata: Object.metadata{generation: 3u}}',
      '.metadata.generation: expected numeric (int or float), got uint',
    ],
    [
      'a time',
      'Object{metadata: Object.metadata{creationTimestamp: timestamp("2020-01-01T00:00:00.5Z")}}',
      '.metadata.creationTimestamp: expected any scalar, got "2020-01-01T00:00:00.5Z" of type google.protobuf.Timestamp',
    ],
    [
      'a map in a list',
      'Object{metadata: Object.metadata{ownerReferences: [{"uid": "u"}]}}',
      '.metadata.ownerReferences: element 0: associative list with keys may not have non-map elements',
    ],
  ] as const) {
    it(`does not take ${why} of an expression for a value of the object`, async () => {
      const name = `no-json-${why.replaceAll(' ', '-')}`;
      await mutatingPolicy(server, name, { mutations: [mutation] });
      const response = await writeMap(server, `${name}-1`);
      const start = `policy '${name}' with binding '${name}-b' denied request: error applying patch: `;
      assert.equal(messageOf(response), `${start}failed to convert patch object to typed object: ${message}`);
    });
  }

  it('keeps the type of the object, whichever a configuration names', async () => {
    await mutatingPolicy(server, 'retype', {
      mutations: ['Object{apiVersion: "v2", kind: "Other", data: {"b": "2"}}'],
    });
    assert.deepEqual(changed(await writeMap(server, 'retype-1', { a: '1' })).data, { a: '1', b: '2' });
  });

  it('refuses a configuration whose values cannot be decoded', async () => {
    await mutatingPolicy(server, 'undecodable', { mutations: ['Object{binaryData: {"a": "no base64!"}}'] });
    const response = await writeMap(server, 'undecodable-1');
    assert.equal(response.status, 403);
    assert.match(
      messageOf(response),
      /denied request: unable to convert unstructured object to \/v1, Kind=ConfigMap: /,
    );
  });

  for (const [why, operations, data] of [
    ['a missing member', '[JSONPatch{op: "test", path: "/data/x", value: null}, ', { a: '1' }],
    ['nothing', '[JSONPatch{op: "test", path: "/data/x"}, ', { a: '1', b: '2' }],
    [
      'the null of a patch',
      '[JSONPatch{op: "add", path: "/metadata/labels", value: null}, JSONPatch{op: "test", path: "/metadata/labels", value: null}, ',
      { a: '1', b: '2' },
    ],
  ] as const) {
    it(`compares ${why} with null as kube-apiserver does`, async () => {
      const name = why.replaceAll(' ', '-');
      await mutatingPolicy(server, name, {
        mutations: [`${operations}JSONPatch{op: "add", path: "/data/b", value: "2"}]`],
      });
      assert.deepEqual(changed(await writeMap(server, `${name}-1`, { a: '1' })).data, data);
    });
  }

  it('says why the value of a patch is no JSON', async () => {
    await mutatingPolicy(server, 'no-json', {
      mutations: ['[JSONPatch{op: "add", path: "/data/x", value: url("https://a")}]'],
    });
    assert.match(
      messageOf(await writeMap(server, 'no-json-1')),
      /evaluated to a type that could not marshal to JSON: type conversion error from 'URL' to '\*structpb.Value'$/,
    );
  });
});
