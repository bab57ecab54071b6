import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { readEvents, request } from '../http-client.ts';
import { until } from '../until.ts';
import { define, versionOf, widgetsAt, widgetsIn } from './widgets.ts';

const group = 'objects.example.com';
const loose = 'loose.example.com';
const collection = widgetsAt(group);
const mergePatch = { 'content-type': 'application/merge-patch+json' };
const applyPatch = { 'content-type': 'application/apply-patch+yaml' };

/** A spec, and the one that is stored. */
const accepted: readonly (readonly [title: string, spec: JsonObject, stored: JsonObject])[] = [
  ['a default', { size: 1 }, { color: 'red', size: 1 }],
  ['a null where a default is', { size: 1, color: null }, { color: 'red', size: 1 }],
  ['a null without default', { size: 1, code: null }, { color: 'red', size: 1 }],
  ['a null that is allowed', { size: 1, note: null }, { color: 'red', note: null, size: 1 }],
  [
    'fields that no schema knows',
    { size: 1, zork: 1, parts: [{ name: 'a', zork: 2 }] },
    { color: 'red', parts: [{ count: 1, name: 'a' }], size: 1 },
  ],
  [
    'fields that are kept',
    { size: 1, raw: { b: [null, { a: 1 }] } },
    { color: 'red', raw: { b: [null, { a: 1 }] }, size: 1 },
  ],
  ['a whole number with a point', { size: 1.0, either: 'a' }, { color: 'red', either: 'a', size: 1 }],
  [
    'a whole object inside',
    { size: 1, template: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a', zork: 1 }, spec: { a: 1, b: 2 } } },
    { color: 'red', size: 1, template: { apiVersion: 'v1', kind: 'A', metadata: { name: 'a' }, spec: { a: 1 } } },
  ],
];

/** A spec, and the errors of its fields. */
const refused: readonly (readonly [title: string, spec: JsonObject, errors: readonly string[]])[] = [
  ['a missing field', {}, ['spec.size: Required value']],
  [
    'another type',
    { size: 'x' },
    [
      'spec.size: Invalid value: "string": spec.size in body must be of type integer: "string"',
      '.spec.size: Invalid value: 0: .spec.size accessor error: x is of the type string, expected int64',
    ],
  ],
  [
    'a number that is too large',
    { size: 10 },
    ['spec.size: Invalid value: 10: spec.size in body should be less than or equal to 9'],
  ],
  [
    'a number with a fraction',
    { size: 1.5 },
    [
      'spec.size: Invalid value: "number": spec.size in body must be of type integer: "number"',
      '.spec.size: Invalid value: 0: .spec.size accessor error: 1.5 is of the type float64, expected int64',
    ],
  ],
  [
    'a value outside an enumeration',
    { size: 1, color: 'green' },
    ['spec.color: Unsupported value: "green": supported values: "red", "blue"'],
  ],
  [
    'a text that does not match',
    { size: 1, code: 'A' },
    ['spec.code: Invalid value: "A": spec.code in body should match \'^[a-z]+$\''],
  ],
  [
    'a text that is too long',
    { size: 1, code: 'ABCDE' },
    ['spec.code: Invalid value: "ABCDE": spec.code in body should be at most 4 chars long'],
  ],
  [
    'a text of another format',
    { size: 1, since: 'x' },
    ['spec.since: Invalid value: "x": spec.since in body must be of type date-time: "x"'],
  ],
  [
    'neither a number nor a text',
    { size: 1, either: true },
    ['spec.either: Invalid value: "boolean": spec.either in body must be of type integer,string: "boolean"'],
  ],
  ['an item twice in a set', { size: 1, tags: ['a', 'a'] }, ['spec.tags[1]: Duplicate value: "a"']],
  [
    'two items with one key',
    { size: 1, parts: [{ name: 'a' }, { name: 'a' }] },
    ['spec.parts[1]: Duplicate value: {"name":"a"}'],
  ],
  [
    'an object inside without a type',
    { size: 1, template: {} },
    [
      'spec.template.apiVersion: Required value: must not be empty',
      'spec.template.kind: Required value: must not be empty',
    ],
  ],
];

describe('an object of a custom kind', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    const subresources = {
      status: {},
      scale: {
        specReplicasPath: '.spec.size',
        statusReplicasPath: '.status.ready',
        labelSelectorPath: '.status.selector',
      },
    };
    await define(server, widgetsIn(group, { versions: [versionOf('v1', { subresources })] }));
    const integer = { type: 'integer' };
    const properties = {
      spec: { type: 'object', properties: { size: integer, note: { type: 'string' } } },
      status: { type: 'object', default: { phase: 'New' }, properties: { phase: { type: 'string' } } },
    };
    const schema = { openAPIV3Schema: { type: 'object', properties } };
    await define(server, widgetsIn(loose, { versions: [versionOf('v1', { subresources, schema })] }));
  });
  after(() => server.stop());

  const send = async (method: string, path: string, body?: JsonObject, headers?: Record<string, string>) =>
    request(server, method, path, body, headers);
  const widget = (name: string, spec: JsonObject): JsonObject => ({ kind: 'Widget', metadata: { name }, spec });

  it('has no status when it is created, even if its schema only preserves unknown fields', async () => {
    const kept = 'kept.example.com';
    const schema = { openAPIV3Schema: { type: 'object', 'x-cluster-preserve-unknown-fields': true } };
    await define(server, widgetsIn(kept, { versions: [versionOf('v1', { subresources: { status: {} }, schema })] }));
    const created = await send('POST', widgetsAt(kept), { ...widget('a', { size: 1 }), status: { ready: 1 } });
    const { spec, status } = created.body as JsonObject;
    assert.deepEqual([spec, status], [{ size: 1 }, undefined], created.text);
  });

  for (const [index, [title, spec, stored]] of accepted.entries()) {
    it(`is stored with ${title}`, async () => {
      const created = await send('POST', collection, widget(`accepted-${index}`, spec));
      assert.equal(created.status, 201, created.text);
      assert.deepEqual((created.body as JsonObject)['spec'], stored);
      const read = await send('GET', `${collection}/accepted-${index}`);
      assert.equal(read.text, created.text);
    });
  }

  for (const [title, spec, errors] of refused) {
    it(`is refused with ${title}`, async () => {
      const { status, body, text } = await send('POST', collection, widget('refused', spec));
      assert.equal(status, 422, text);
      const causes = objectsAt(objectAt(body as JsonObject, 'details'), 'causes');
      assert.deepEqual(
        causes.map((cause) => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`),
        errors,
      );
    });
  }

  it('must be of its kind, which patches cannot change', async () => {
    assert.equal((await send('POST', collection, { metadata: { name: 'a' }, spec: { size: 1 } })).status, 400);
    const other = await send('POST', collection, { ...widget('a', { size: 1 }), kind: 'Other' });
    assert.equal(other.status, 422, other.text);
    assert.match(other.text, /kind: Invalid value: \\"Other\\": must be Widget/);
    assert.equal((await send('POST', collection, widget('typed', { size: 1 }))).status, 201);
    const changed = await send('PATCH', `${collection}/typed`, { kind: 'Other' }, mergePatch);
    assert.equal(changed.status, 422, changed.text);
    assert.match(changed.text, /must be Widget/);
  });

  it('is told in messages when fields are unknown, if the client asks for it', async () => {
    const body = widget('strict', { size: 1, zork: 1 });
    const refusal = await send('POST', `${collection}?fieldValidation=Strict`, body);
    assert.equal(refusal.status, 400, refusal.text);
    assert.match(refusal.text, /unknown field \\"spec\.zork\\"/);
    const warned = await send('POST', `${collection}?fieldValidation=Warn`, body);
    assert.equal(warned.headers['warning'], '299 - "unknown field \\"spec.zork\\""');
  });

  it('silently drops unknown fields of an apply where no schema describes an object', async () => {
    const bare = 'bare.example.com';
    const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } };
    await define(server, widgetsIn(bare, { versions: [versionOf('v1', { schema })] }));
    const body = { apiVersion: `${bare}/v1`, ...widget('a', { zork: 1 }) };
    const path = `${widgetsAt(bare)}/a?fieldManager=story&fieldValidation=Strict`;
    const applied = await send('PATCH', path, body, { 'content-type': 'application/apply-patch+yaml' });
    assert.equal(applied.status, 201, applied.text);
    assert.deepEqual([(applied.body as JsonObject)['spec'], applied.headers['warning']], [{}, undefined]);
  });

  it('is told of duplicate keys of an apply by their lines', async () => {
    const head = `apiVersion: ${group}/v1\nkind: Widget\nmetadata: {name: twice}\n`;
    const body = Buffer.from(`${head}spec:\n  size: 1\n  size: 2\n`);
    const type = { 'content-type': 'application/apply-patch+yaml' };
    const path = `${collection}/twice?fieldManager=story`;
    const refusal = await request(server, 'PATCH', `${path}&fieldValidation=Strict`, body, type);
    assert.equal(refusal.status, 400, refusal.text);
    const why = 'error converting YAML to JSON: yaml: unmarshal errors:\n  line 6: key "size" already set in map';
    assert.equal((refusal.body as JsonObject)['message'], `error strict decoding YAML: ${why}`);
    const warned = await request(server, 'PATCH', path, body, type);
    assert.equal(warned.status, 201, warned.text);
    assert.equal(warned.headers['warning'], '299 - "line 6: key \\"size\\" already set in map"');
  });

  it('has a status and a scale of its own', async () => {
    assert.equal(
      (await send('POST', collection, { ...widget('scaled', { size: 2 }), status: { ready: 9 } })).status,
      201,
    );
    const path = `${collection}/scaled`;
    assert.equal((await send('GET', path)).body?.['status' as never], undefined);
    const change = { status: { ready: 1, selector: 'a=b' }, spec: { size: 9 }, metadata: { labels: { a: 'b' } } };
    const status = await send('PATCH', `${path}/status`, change, mergePatch);
    assert.deepEqual(objectAt(status.body as JsonObject, 'status'), { ready: 1, selector: 'a=b' });
    assert.equal(objectAt(status.body as JsonObject, 'spec')['size'], 2);
    assert.equal(objectAt(status.body as JsonObject, 'metadata')['labels'], undefined);

    const scale = (await send('GET', `${path}/scale`)).body as JsonObject;
    assert.deepEqual([scale['spec'], scale['status']], [{ replicas: 2 }, { replicas: 1, selector: 'a=b' }]);
    const scaled = await send('PATCH', `${path}/scale`, { spec: { replicas: 4 } }, mergePatch);
    assert.equal(scaled.status, 200, scaled.text);
    const read = (await send('GET', path)).body as JsonObject;
    assert.equal(objectAt(read, 'spec')['size'], 4);
    assert.equal(objectAt(read, 'metadata')['generation'], 2);
    const below = await send('PATCH', `${path}/scale`, { spec: { replicas: -1 } }, mergePatch);
    assert.equal(below.status, 422, below.text);
    assert.match(below.text, /\.spec\.size: Invalid value: -1: should be a non-negative integer/);
  });

  it('refuses a scale of other types, and has none without replicas', async () => {
    const path = `${collection}/unscaled`;
    assert.equal((await send('POST', collection, widget('unscaled', { size: 2 }))).status, 201);
    const refusals: readonly (readonly [JsonObject, string])[] = [
      [
        { ready: 'x' },
        '.status.ready: Invalid value: 0: .status.ready accessor error: x is of the type string, expected int64',
      ],
      [
        { ready: 1.5 },
        '.status.ready: Invalid value: 0: .status.ready accessor error: 1.5 is of the type float64, expected int64',
      ],
      [{ ready: 5e9 }, '.status.ready: Invalid value: 5000000000: should be less than or equal to 2147483647'],
      [
        { selector: 1 },
        '.status.selector: Invalid value: \\"\\": .status.selector accessor error: 1 is of the type int64, expected string',
      ],
    ];
    for (const [status, message] of refusals) {
      const { text } = await send('PATCH', `${path}/status`, { status }, mergePatch);
      assert.ok(text.includes(message), text);
    }
    const bare = await send('POST', widgetsAt(loose), widget('bare', {}));
    assert.equal(bare.status, 201, bare.text);
    const at = `${widgetsAt(loose)}/bare/scale`;
    const read = await send('GET', at);
    assert.equal(read.status, 500);
    assert.match(read.text, /the spec replicas field \\"\.spec\.size\\" does not exist/);
    const kept = await send('PATCH', at, { metadata: { labels: { a: 'b' } } }, mergePatch);
    assert.equal(kept.status, 400);
    assert.match(kept.text, /the spec replicas field \\"\.spec\.size\\" cannot be empty/);
    const set = await send('PATCH', at, { spec: { replicas: 3 } }, mergePatch);
    assert.deepEqual(objectAt(set.body as JsonObject, 'spec'), { replicas: 3 }, set.text);
    assert.equal((await send('GET', at)).status, 200);
  });

  it('shows the default of a status that a create has dropped', async () => {
    const sent = { ...widget('defaulted', {}), status: { phase: 'Mine' } };
    const rehearsed = await send('POST', `${widgetsAt(loose)}?dryRun=All`, sent);
    assert.deepEqual(objectAt(rehearsed.body as JsonObject, 'status'), { phase: 'New' }, rehearsed.text);
    const created = await send('POST', widgetsAt(loose), sent);
    assert.deepEqual(objectAt(created.body as JsonObject, 'status'), { phase: 'New' }, created.text);
    assert.equal((await send('GET', `${widgetsAt(loose)}/defaulted`)).text, created.text);
  });

  it('is refused with a null that an apply has set, where a create would drop it', async () => {
    const spec = { note: null };
    const applied = { apiVersion: `${loose}/v1`, ...widget('nulls', spec) };
    const path = `${widgetsAt(loose)}/nulls?fieldManager=a`;
    const message = /spec\.note in body must be of type string: \\"null\\"/;
    assert.match((await send('PATCH', path, applied, applyPatch)).text, message);
    const created = await send('POST', widgetsAt(loose), widget('nulls', spec));
    assert.equal(created.status, 201, created.text);
    assert.match((await send('PATCH', path, applied, applyPatch)).text, message);
  });

  it('takes a scale that leaves the namespace to the path', async () => {
    assert.equal((await send('POST', collection, widget('placed', { size: 2 }))).status, 201);
    const scale = (metadata: JsonObject, replicas: number) => ({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      metadata: { name: 'placed', ...metadata },
      spec: { replicas },
    });
    const put = async (body: JsonObject) => send('PUT', `${collection}/placed/scale`, body);
    const scaled = await put(scale({}, 5));
    assert.equal(scaled.status, 200, scaled.text);
    const read = (await send('GET', `${collection}/placed`)).body as JsonObject;
    assert.deepEqual([objectAt(read, 'spec')['size'], objectAt(read, 'metadata')['namespace']], [5, 'default']);
    const elsewhere = await put(scale({ namespace: 'other' }, 6));
    assert.equal(elsewhere.status, 400, elsewhere.text);
    const below = await put(scale({}, -1));
    assert.equal(below.status, 422, below.text);
  });

  it('is patched by merges, JSON patches and configurations, but not strategically', async () => {
    const path = `${collection}/patched`;
    const apply = async (manager: string, spec: JsonObject) =>
      send(
        'PATCH',
        `${path}?fieldManager=${manager}`,
        { apiVersion: `${group}/v1`, ...widget('patched', spec) },
        applyPatch,
      );
    const first = await apply('one', { size: 1, parts: [{ name: 'a', count: 1 }], tags: ['x'] });
    assert.equal(first.status, 201, first.text);
    const second = await apply('two', { size: 1, parts: [{ name: 'b' }], tags: ['y'] });
    assert.equal(second.status, 200, second.text);
    assert.deepEqual(objectAt(second.body as JsonObject, 'spec'), {
      color: 'red',
      parts: [
        { count: 1, name: 'a' },
        { count: 1, name: 'b' },
      ],
      size: 1,
      tags: ['x', 'y'],
    });
    const third = await apply('one', { size: 1 });
    assert.deepEqual(objectAt(third.body as JsonObject, 'spec')['tags'], ['y'], 'items of another manager stay');
    const conflict = await apply('three', { size: 2 });
    assert.equal(conflict.status, 409, conflict.text);

    const json = { 'content-type': 'application/json-patch+json' };
    const operations = [{ op: 'replace', path: '/spec/size', value: 5 }];
    const patched = await request(server, 'PATCH', path, operations, json);
    assert.equal(objectAt(patched.body as JsonObject, 'spec')['size'], 5);
    const strategic = { 'content-type': 'application/strategic-merge-patch+json' };
    const refusal = await send('PATCH', path, { spec: { size: 6 } }, strategic);
    assert.equal(refusal.status, 415, refusal.text);
    assert.doesNotMatch(refusal.text, /strategic/);
  });

  it('is watched, listed by labels and deleted like any other', async () => {
    const watch = readEvents(server, `${collection}?watch=1&labelSelector=story%3Dlife`);
    try {
      const body = { ...widget('watched', { size: 1 }), metadata: { name: 'watched', labels: { story: 'life' } } };
      assert.equal((await send('POST', collection, body)).status, 201);
      assert.equal((await send('PATCH', `${collection}/watched`, { spec: { size: 2 } }, mergePatch)).status, 200);
      const list = (await send('GET', `${collection}?labelSelector=story%3Dlife`)).body as JsonObject;
      assert.deepEqual([list['kind'], objectsAt(list, 'items').length], ['WidgetList', 1]);
      assert.equal((await send('DELETE', `${collection}/watched`)).status, 200);
      await until('all events', () => watch.events.at(-1)?.type === 'DELETED');
      assert.deepEqual(
        watch.events.map(({ type }) => type),
        ['ADDED', 'MODIFIED', 'DELETED'],
      );
    } finally {
      watch.stop();
    }
  });

  it('needs a resourceVersion for an update', async () => {
    assert.equal((await send('POST', collection, widget('updated', { size: 1 }))).status, 201);
    const refusal = await send('PUT', `${collection}/updated`, widget('updated', { size: 2 }));
    assert.equal(refusal.status, 422, refusal.text);
    assert.match(refusal.text, /must be specified for an update/);
  });
});

describe('the requests that a custom kind does not have', () => {
  const own = 'refusals.example.com';
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    const names = { plural: 'wholes', kind: 'Whole' };
    const wholes = { ...widgetsIn(own, { scope: 'Cluster', names }), metadata: { name: `wholes.${own}` } };
    await define(server, widgetsIn(own));
    await define(server, wholes);
  });
  after(() => server.stop());

  const root = `/apis/${own}/v1`;
  const missing: readonly (readonly [title: string, method: string, path: string, status: number, text: RegExp])[] = [
    [
      'a namespace before a cluster-wide kind',
      'GET',
      `${root}/namespaces/default/wholes`,
      404,
      /^404 page not found\n$/,
    ],
    ['an object without its namespace', 'GET', `${root}/widgets/a`, 404, /^404 page not found\n$/],
    ['a new object without a namespace', 'POST', `${root}/widgets`, 404, /^404 page not found\n$/],
    ['a sub-resource', 'GET', `${root}/wholes/w/status`, 404, /"wholes\.refusals\.example\.com \\"w\\" not found"/],
    [
      'a verb',
      'PATCH',
      `${root}/wholes`,
      405,
      /patch is not supported on resources of kind \\"wholes\.refusals\.example\.com\\"/,
    ],
    ['a version of a new object', 'POST', `${root}/wholes`, 500, /resourceVersion should not be set on objects to be/],
  ];
  for (const [title, method, path, status, text] of missing) {
    it(`are refused as by kube-apiserver: ${title}`, async () => {
      const whole = { apiVersion: `${own}/v1`, kind: 'Whole', spec: { size: 1 } };
      const body = { ...whole, metadata: { name: 'w', resourceVersion: '1' } };
      const answer = await request(server, method, path, method === 'GET' ? undefined : body, mergePatch);
      const sent = method === 'POST' ? await request(server, method, path, body) : answer;
      assert.equal(sent.status, status, sent.text);
      assert.match(sent.text, text);
    });
  }
});

describe('a whole object inside an object of a custom kind', () => {
  const own = 'embedded.example.com';
  const embedded: JsonObject = {
    type: 'object',
    'x-cluster-embedded-resource': true,
    'x-cluster-preserve-unknown-fields': true,
  };
  const versionWith = (fields: JsonObject): JsonObject => {
    const list: JsonObject = { type: 'array', items: embedded };
    const properties: JsonObject = { one: { ...embedded, ...fields }, list };
    return versionOf('v1', { schema: { openAPIV3Schema: { type: 'object', properties } } });
  };
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
    await define(server, widgetsIn(own, { versions: [versionWith({})] }));
  });
  after(() => server.stop());

  const label = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.'";
  const invalid: readonly (readonly [title: string, object: JsonObject, error: string])[] = [
    [
      'labels',
      { apiVersion: 'v1', kind: 'A', metadata: { labels: { a: 'b c' } } },
      `metadata.labels: Invalid value: "b c": ${label}`,
    ],
    [
      'a name',
      { apiVersion: 'v1', kind: 'A', metadata: { name: 'a/b' } },
      `metadata.name: Invalid value: "a/b": may not contain '/'`,
    ],
    [
      'an apiVersion',
      { apiVersion: 'a/b/c', kind: 'A' },
      'apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
    ],
    [
      'a kind',
      { apiVersion: 'v1', kind: 'a b' },
      'kind: Invalid value: "a b": may have mixed case, but should otherwise match: ',
    ],
    [
      'a generation',
      { apiVersion: 'v1', kind: 'A', metadata: { generation: -1 } },
      'metadata.generation: Invalid value: -1: must be greater than or equal to 0',
    ],
  ];
  for (const [title, object, error] of invalid) {
    it(`must have ${title} that is valid`, async () => {
      const widget = { apiVersion: `${own}/v1`, kind: 'Widget', metadata: { name: 'a' } };
      for (const [path, fields] of [
        ['one', { one: object }],
        ['list[0]', { list: [object] }],
      ] as const) {
        const answer = await request(server, 'POST', widgetsAt(own), { ...widget, ...fields });
        assert.equal(answer.status, 422, answer.text);
        const { message } = answer.body as { message: string };
        assert.ok(message.includes(`is invalid: ${path}.${error}`), message);
      }
    });

    it(`must have ${title} that is valid in a default`, async () => {
      const definition = widgetsIn('defaults.example.com', { versions: [versionWith({ default: object })] });
      const answer = await request(
        server,
        'POST',
        '/apis/apiextensions.cl.io/v1/customresourcedefinitions',
        definition,
      );
      assert.equal(answer.status, 422, answer.text);
      const { message } = answer.body as { message: string };
      assert.ok(message.includes(`spec.validation.openAPIV3Schema.properties[one].default.${error}`), message);
    });
  }

  it('must have metadata in a default', async () => {
    const object = { apiVersion: 'v1', kind: 'A', metadata: { labels: 1 } };
    const definition = widgetsIn('defaults.example.com', { versions: [versionWith({ default: object })] });
    const answer = await request(server, 'POST', '/apis/apiextensions.cl.io/v1/customresourcedefinitions', definition);
    assert.equal(answer.status, 422, answer.text);
    assert.match(answer.text, /default\.metadata: Invalid value: /);
  });
});
