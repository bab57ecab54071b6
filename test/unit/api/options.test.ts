import assert from 'node:assert/strict';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import { defaultListFeatures } from '../../../src/api/request/list-features.ts';
import { type Fixture, itemNames, startFixture } from './fixture.ts';

const collection = '/api/v1/namespaces/ns/configmaps';

describe('query options', () => {
  let server: Fixture;
  let resourceVersion: string;

  before(async () => {
    server = await startFixture();
    await server.configMap('a', { labels: { app: 'web' } });
    await server.configMap('b', { labels: { app: 'db' } });
    resourceVersion = await server.configMap('c', { labels: { app: 'web' } });
  });
  after(() => server[Symbol.asyncDispose]());

  const names = async (query: string) => itemNames(await server.send({ path: `${collection}?${query}` }));

  const lists: readonly [query: string, status: number, message?: string | RegExp][] = [
    ['resourceVersionMatch=Exact', 422, /resourceVersionMatch is forbidden unless resourceVersion is provided/],
    ['resourceVersionMatch=Exact&resourceVersion=0', 422, /"exact\\?" is forbidden for resourceVersion/],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=0', 200],
    ['resourceVersionMatch=Zork&resourceVersion=1', 422, /Unsupported value: "Zork"/],
    ['resourceVersionMatch=NotOlderThan&resourceVersion=0&continue=x', 422, /forbidden when continue is provided/],
    ['continue=x&resourceVersion=7', 400, 'specifying resource version is not allowed when using continue'],
    ['continue=%21%21', 400],
    ['sendInitialEvents=true', 422, /sendInitialEvents is forbidden for list/],
    [
      'resourceVersion=abc',
      400,
      'resourceVersion: Invalid value: "abc": strconv.ParseUint: parsing "abc": invalid syntax',
    ],
    ['limit=abc', 400, 'strconv.ParseInt: parsing "abc": invalid syntax'],
    ['limit=1.5', 400],
    ['limit=-1', 200],
    ['limit=9223372036854775807', 200],
    ['limit=9223372036854775808', 400, 'strconv.ParseInt: parsing "9223372036854775808": value out of range'],
    ['limit=-99999999999999999999', 400, 'strconv.ParseInt: parsing "-99999999999999999999": value out of range'],
    ['limit=', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=&fieldSelector=zork', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['limit=+1', 400, 'strconv.ParseInt: parsing " 1": invalid syntax'],
    ['limit=%2B1', 200],
    ['timeoutSeconds=', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['timeoutSeconds=99999999999999999999', 400, /value out of range$/],
    ['watch=true&limit=', 400, 'strconv.ParseInt: parsing "": invalid syntax'],
    ['labelSelector=app%20in%20()', 200],
    ['timeoutSeconds=abc', 400],
    [
      'watch=1&resourceVersionMatch=zork',
      422,
      /: \[resourceVersionMatch: Forbidden: .* for watch, .* unless resourceVersion is provided, .*: Unsupported/,
    ],
    ['watch=&resourceVersionMatch=Exact&resourceVersion=1', 422, /resourceVersionMatch is forbidden for watch$/],
    ['watch=&timeoutSeconds=-1', 200],
    ['timeoutSeconds=-1', 200],
    ['labelSelector=app%20in%20web', 400, "unable to parse requirement: found 'web' expected: '('"],
    ['labelSelector=%00', 400],
    [
      'fieldSelector=data.k%3D1',
      400,
      '"data.k" is not a known field selector: only "metadata.name", "metadata.namespace"',
    ],
    ['fieldSelector=metadata.name', 400, "invalid selector: 'metadata.name'; can't understand 'metadata.name'"],
    ['fieldSelector=metadata.name%3D..%2Fx', 200],
    ['timeout=', 200],
    ['timeout=5s', 200],
    ['timeout=0s', 200],
    ['timeout=3m', 200],
    ['timeout=invalid', 400, /^invalid timeout specified in the request URL/],
    ['__proto__=1&constructor=2', 200],
  ];
  for (const [query, status, message] of lists) {
    it(`answers ${status} to a list with ${query}`, async () => {
      const response = await server.send({ path: `${collection}?${query}` });
      assert.equal(response.status, status, response.text);
      if (message instanceof RegExp) assert.match(String(response.at('message')), message);
      else if (message) assert.equal(response.at('message'), message);
      if (status === 422) assert.match(String(response.at('message')), /^ListOptions\.meta\.k8s\.io "" is invalid: /);
    });
  }

  it('takes initial events with any release that has no gate for them', async () => {
    const query = 'watch=1&timeoutSeconds=-1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';
    assert.equal((await server.send({ path: `${collection}?${query}` })).status, 200);
  });

  it('answers a future version with 504, the cause and a time to wait', async () => {
    const response = await server.send({ path: `${collection}/a?resourceVersion=99999999999999999999` });
    assert.equal(response.status, 400);
    const future = await server.send({ path: `${collection}/a?resourceVersion=9999999999999999999` });
    assert.equal(future.status, 504);
    assert.equal(future.headers['retry-after'], '1');
    assert.equal(future.at('details.causes.0.reason'), 'ResourceVersionTooLarge');
  });

  it('selects by label and by name', async () => {
    assert.deepEqual(await names('labelSelector=app%3Dweb'), ['a', 'c']);
    assert.deepEqual(await names('fieldSelector=metadata.name%3Db'), ['b']);
    assert.deepEqual(await names('labelSelector=app%3Dweb&fieldSelector=metadata.name%3Db'), []);
    assert.deepEqual(await names('fieldSelector=metadata.name!%3Db,metadata.name!%3Dc'), ['a']);
    assert.deepEqual(await names('fieldSelector=metadata.name%3Da,metadata.name%3Db'), []);
  });

  it('pages through a list at one version', async () => {
    const first = await server.send({ path: `${collection}?limit=2` });
    assert.deepEqual(itemNames(first), ['a', 'b']);
    assert.equal(first.at('metadata.remainingItemCount'), 1);
    const token = encodeURIComponent(String(first.at('metadata.continue')));
    const second = await server.send({ path: `${collection}?limit=2&continue=${token}` });
    assert.deepEqual(itemNames(second), ['c']);
    assert.equal(second.at('metadata.resourceVersion'), first.at('metadata.resourceVersion'));
    assert.equal(second.at('metadata.continue'), undefined);
  });

  it('writes a list head as kube-apiserver does, and items without kind', async () => {
    const { text } = await server.send({ path: `${collection}?fieldSelector=metadata.name%3Dc` });
    assert.ok(
      text.startsWith(
        `{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"${resourceVersion}"},"items":[{"metadata":{"name":"c"`,
      ),
      text,
    );
    assert.ok(text.endsWith('}]}\n'));
  });

  const writes: readonly [query: string, kind: string, rest: string | RegExp][] = [
    ['dryRun=foo', 'CreateOptions', 'dryRun: Unsupported value: ["foo"]: supported values: "All"'],
    ['dryRun=All&dryRun=foo', 'CreateOptions', 'dryRun: Unsupported value: ["All","foo"]: supported values: "All"'],
    ['fieldValidation=Zork', 'CreateOptions', /^fieldValidation: Unsupported value: "Zork"/],
    [`fieldManager=${'x'.repeat(129)}`, 'CreateOptions', 'fieldManager: Too long: must have at most 128 bytes'],
    ['fieldManager=a%01', 'CreateOptions', /: invalid character U\+0001 \(at position 1\)$/],
  ];
  for (const [query, kind, rest] of writes) {
    it(`refuses a create with ${query.slice(0, 30)}`, async () => {
      const response = await server.send({ method: 'POST', path: `${collection}?${query}`, body: {} });
      assert.equal(response.status, 422);
      const prefix = `${kind}.meta.k8s.io "" is invalid: `;
      const message = String(response.at('message'));
      assert.ok(message.startsWith(prefix), message);
      if (typeof rest === 'string') assert.equal(message.slice(prefix.length), rest);
      else assert.match(message.slice(prefix.length), rest);
      assert.equal(response.at('details.kind'), kind);
      assert.equal(response.at('details.group'), 'meta.k8s.io');
    });
  }

  it('takes dryRun without a value as no dry run', async () => {
    const body = { metadata: { name: 'wet' } };
    assert.equal((await server.send({ method: 'POST', path: `${collection}?dryRun=`, body })).status, 201);
    assert.equal((await server.send({ path: `${collection}/wet` })).status, 200);
  });

  it('names the field manager after the program', async () => {
    const body = { metadata: { name: 'managed' }, data: { a: '1' } };
    const headers = { 'user-agent': 'tool/1.0 (linux)' };
    const response = await server.send({ method: 'POST', path: collection, body, headers });
    assert.equal(response.at('metadata.managedFields.0.manager'), 'tool');
  });

  const deletes: readonly [query: string, body: object | undefined, status: number, message: RegExp][] = [
    ['propagationPolicy=Zork', undefined, 422, /supported values: "Foreground", "Background", "Orphan", "nil"$/],
    ['propagationPolicy=Background&orphanDependents=false', undefined, 422, /cannot be both set$/],
    ['propagationPolicy=', undefined, 422, /Unsupported value: "": supported values: "Foreground", /],
    ['gracePeriodSeconds=abc', undefined, 400, /ParseInt/],
    ['gracePeriodSeconds=', undefined, 400, /^strconv\.ParseInt: parsing "": invalid syntax$/],
    ['gracePeriodSeconds=99999999999999999999', undefined, 400, /value out of range$/],
    ['', { kind: 'DeleteOptions', gracePeriodSeconds: 'x' }, 400, /gracePeriodSeconds must be an integer/],
    ['', { gracePeriodSeconds: 2 ** 64 }, 400, /gracePeriodSeconds must be an integer/],
    ['', { kind: 'ConfigMap' }, 400, /must be of kind DeleteOptions/],
    ['', { apiVersion: 'a/b/c' }, 400, /unexpected GroupVersion string: "a\/b\/c"$/],
    ['', { apiVersion: 5 }, 400, /field apiVersion must be a string$/],
    ['', { preconditions: { uid: 'other' } }, 409, /precondition/],
    ['uid=other', undefined, 409, /the UID in the precondition \(other\) does not match the UID in record/],
    ['resourceVersion=0', undefined, 409, /the ResourceVersion in the precondition \(0\) does not match/],
  ];
  for (const [query, body, status, message] of deletes) {
    it(`answers ${status} to a delete with ${query || JSON.stringify(body)}`, async () => {
      const response = await server.send({
        method: 'DELETE',
        path: `${collection}/a?${query}`,
        ...(body ? { body } : {}),
      });
      assert.equal(response.status, status, response.text);
      assert.match(String(response.at('message')), message);
    });
  }

  it('deletes of a collection what the precondition in the query allows, and selects the list by a version', async () => {
    await server.configMap('guarded', { labels: { app: 'guarded' } });
    const path = `${collection}?labelSelector=app%3Dguarded`;
    assert.equal((await server.send({ method: 'DELETE', path: `${path}&uid=other` })).status, 409);
    assert.deepEqual(await names('labelSelector=app%3Dguarded'), ['guarded']);
    const response = await server.send({ method: 'DELETE', path: `${path}&resourceVersion=1&uid=` });
    assert.equal(response.status, 200, response.text);
    assert.deepEqual(await names('labelSelector=app%3Dguarded'), []);
  });

  it('refuses the delete of a namespace of another uid in the words of an update', async () => {
    await server.send({ method: 'POST', path: '/api/v1/namespaces', body: { metadata: { name: 'other' } } });
    const path = '/api/v1/namespaces/other';
    const refused = await server.send({ method: 'DELETE', path, body: { preconditions: { uid: 'x' } } });
    assert.match(String(refused.at('message')), /on namespaces "other": Precondition failed: UID in precondition: x, /);
    assert.equal(refused.at('details.kind'), 'namespaces');
  });

  it('takes options of one delete in any version, and null for none', async () => {
    for (const body of ['{"apiVersion":"v9","kind":"DeleteOptions"}', '{"apiVersion":"","kind":""}', 'null']) {
      const response = await server.send({ method: 'DELETE', path: `${collection}/a?dryRun=`, body });
      assert.equal(response.status, 200, body);
      await server.configMap('a', { labels: { app: 'web' } });
    }
  });

  const versions: readonly [apiVersion: string, status: number][] = [
    ['v9', 400],
    ['zork/v1', 400],
    ['apps/v9', 400],
    ['a/b/c', 400],
    ['v1', 200],
    ['apps/v1', 200],
  ];
  for (const [apiVersion, status] of versions) {
    it(`answers ${status} to a delete of a collection with options of ${apiVersion}, and deletes ${status === 200 ? 'it' : 'nothing'}`, async () => {
      await server.configMap('held', { labels: { app: 'held' } });
      const path = `${collection}?labelSelector=app%3Dheld`;
      const body = { kind: 'DeleteOptions', apiVersion };
      const response = await server.send({ method: 'DELETE', path, body });
      assert.equal(response.status, status, response.text);
      assert.deepEqual(await names('labelSelector=app%3Dheld'), status === 200 ? [] : ['held']);
    });
  }

  it('answers a delete with a Status that has the uid', async () => {
    await server.configMap('gone');
    const uid = (await server.send({ path: `${collection}/gone` })).at('metadata.uid');
    const response = await server.send({ method: 'DELETE', path: `${collection}/gone` });
    assert.deepEqual(response.json(), {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: { name: 'gone', kind: 'configmaps', uid },
    });
  });

  it('refuses a query that contradicts a body of DeleteOptions, and deletes nothing', async () => {
    await server.configMap('kept');
    const body = { apiVersion: 'v1', kind: 'DeleteOptions', propagationPolicy: 'Background' };
    const path = `${collection}/kept?propagationPolicy=Zork`;
    const refused = await server.send({ method: 'DELETE', path, body });
    assert.equal(refused.status, 400);
    assert.match(String(refused.at('message')), /different values of propagationPolicy$/);
    assert.equal((await server.send({ path: `${collection}/kept` })).status, 200);
  });
});

/** The messages of release 1.36 for options of watches with the gate on, without their prefix. */
const watchRefusals: readonly (readonly [query: string, messages: readonly string[]])[] = [
  [
    'watch=1&sendInitialEvents=true',
    ['resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'],
  ],
  [
    'watch=1&sendInitialEvents=false&resourceVersionMatch=Exact&resourceVersion=1&continue=x',
    [
      'resourceVersionMatch: Forbidden: sendInitialEvents requires setting resourceVersionMatch to NotOlderThan',
      'resourceVersionMatch: Unsupported value: "Exact": supported values: "NotOlderThan"',
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden when continue is provided',
    ],
  ],
  [
    'watch=1&resourceVersionMatch=NotOlderThan',
    [
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
    ],
  ],
  ['sendInitialEvents=true', ['sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list']],
  [
    'sendInitialEvents=true&resourceVersionMatch=Exact',
    [
      'resourceVersionMatch: Forbidden: resourceVersionMatch is forbidden unless resourceVersion is provided',
      'sendInitialEvents: Forbidden: sendInitialEvents is forbidden for list',
    ],
  ],
];

const initialEvents = 'watch=1&timeoutSeconds=-1&sendInitialEvents=true&resourceVersionMatch=NotOlderThan';

describe('the options of watches from release 1.27 on', () => {
  let server: Fixture;
  before(async () => {
    server = await startFixture({ listFeatures: { ...defaultListFeatures, watchLists: 'enabled' } });
    await server.configMap('a');
  });
  after(() => server[Symbol.asyncDispose]());

  /** The types of the events until a watch is idle, a bookmark with its annotation as `END`. */
  async function eventTypes(query: string, path = collection): Promise<readonly string[]> {
    const { text } = await server.send({ path: `${path}?timeoutSeconds=1&${query}` });
    const lines = text.split('\n').slice(0, -1);
    return lines.map((line) =>
      line.includes('k8s.io/initial-events-end') ? 'END' : (/"type":"(\w+)"/.exec(line)?.[1] ?? ''),
    );
  }

  for (const [query, messages] of watchRefusals) {
    it(`refuses ${query} in the words of kube-apiserver`, async () => {
      const refused = await server.send({ path: `${collection}?${query}` });
      assert.equal(refused.status, 422);
      const text = messages.length > 1 ? `[${messages.join(', ')}]` : messages[0];
      assert.equal(refused.at('message'), `ListOptions.meta.k8s.io "" is invalid: ${text}`);
    });
  }

  it('marks the end of the state also where a watch begins with it anyway', async () => {
    const cases: readonly (readonly [query: string, types: readonly string[]])[] = [
      ['watch=1&allowWatchBookmarks=1', ['ADDED', 'END']],
      ['watch=1&allowWatchBookmarks=1&resourceVersion=0', ['ADDED', 'END']],
      ['watch=1', ['ADDED']],
      ['watch=1&allowWatchBookmarks=1&sendInitialEvents=false&resourceVersionMatch=NotOlderThan', []],
    ];
    const found = await Promise.all(cases.map(([query]) => eventTypes(query)));
    assert.deepEqual(
      found,
      cases.map(([, types]) => types),
    );
    const deprecated = collection.replace('/v1/', '/v1/watch/');
    assert.deepEqual(await eventTypes('allowWatchBookmarks=1', deprecated), ['ADDED']);
    const refused = await server.send({
      path: `${deprecated}?sendInitialEvents=true&resourceVersionMatch=NotOlderThan`,
    });
    assert.match(String(refused.at('message')), /sendInitialEvents is forbidden for list/);
  });

  it('counts how long the state takes', async () => {
    const metrics = new MetricsRegistry();
    await using counted = await startFixture({
      metrics,
      listFeatures: { ...defaultListFeatures, watchLists: 'enabled' },
    });
    await counted.send({ path: `${collection}?watch=1&timeoutSeconds=1&allowWatchBookmarks=1` });
    const { text } = await counted.send({ path: '/metrics' });
    const line = /^apiserver_watch_list_duration_seconds_count\{(.*)\} 1$/m.exec(text)?.[1] ?? '';
    assert.deepEqual(line.split(',').toSorted(), [
      'group=""',
      'resource="configmaps"',
      'scope="namespace"',
      'version="v1"',
    ]);
  });

  it('reports an unreachable version in the stream', async () => {
    const { status, text } = await server.send({ path: `${collection}?${initialEvents}&resourceVersion=1000000` });
    const event = JSON.parse(text) as { readonly type: string; readonly object: { readonly code: number } };
    assert.deepEqual([status, event.type, event.object.code], [200, 'ERROR', 504]);
  });

  it('refuses initial events while the gate is off', async () => {
    await using off = await startFixture({ listFeatures: { ...defaultListFeatures, watchLists: 'disabled' } });
    const refused = await off.send({ path: `${collection}?${initialEvents}` });
    assert.equal(
      refused.at('message'),
      'ListOptions.meta.k8s.io "" is invalid: sendInitialEvents: Forbidden: ' +
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
    );
    assert.equal((await server.send({ path: `${collection}?${initialEvents}` })).status, 200);
  });
});

describe('the Tables of sub-resources', () => {
  const accept = { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1,application/json' };
  const path = '/apis/apps/v1/namespaces/ns/deployments';
  const spec = {
    replicas: 3,
    selector: { matchLabels: { a: 'b' } },
    template: { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } },
  };

  it('are those of the status and the scale from release 1.24 on', async () => {
    await using server = await startFixture({ listFeatures: { ...defaultListFeatures, subresourceTables: true } });
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec };
    assert.equal((await server.send({ method: 'POST', path, body })).status, 201);
    const scale = await server.send({ path: `${path}/a/scale`, headers: accept });
    assert.deepEqual([scale.at('kind'), scale.at('columnDefinitions.1.name')], ['Table', 'Desired']);
    assert.deepEqual((scale.at('rows.0.cells') as readonly unknown[]).slice(0, 3), ['a', 3, 0]);
    const status = await server.send({ path: `${path}/a/status`, headers: accept });
    assert.deepEqual([status.at('kind'), status.at('rows.0.cells.1')], ['Table', '0/3']);
  });

  it('do not exist before', async () => {
    await using server = await startFixture();
    const body = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec };
    assert.equal((await server.send({ method: 'POST', path, body })).status, 201);
    assert.equal((await server.send({ path: `${path}/a/scale`, headers: accept })).at('kind'), 'Scale');
  });
});
