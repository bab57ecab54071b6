import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { sendRaw } from './raw-socket.ts';

const limitBytes = 3 * 1024 * 1024;
const maps = '/api/v1/namespaces/default/configmaps';

/** A row of the table: what is sent, and which statuses and reasons are right. */
interface RefusalRow {
  readonly title: string;
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
  readonly status: number | readonly number[];
  readonly reason?: string | readonly string[];
  readonly message?: RegExp;
}

const configMap = (name: string, rest: object = {}): object => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name },
  ...rest,
});
const post = (
  title: string,
  body: unknown,
  status: RefusalRow['status'],
  rest: Partial<RefusalRow> = {},
): RefusalRow => ({
  title,
  method: 'POST',
  path: maps,
  body,
  status,
  ...rest,
});
const get = (
  title: string,
  query: string,
  status: RefusalRow['status'],
  rest: Partial<RefusalRow> = {},
): RefusalRow => ({
  title,
  method: 'GET',
  path: `${maps}${query}`,
  status,
  ...rest,
});
const patch = (
  title: string,
  type: string,
  body: unknown,
  status: RefusalRow['status'],
  rest: Partial<RefusalRow> = {},
): RefusalRow => ({
  title,
  method: 'PATCH',
  path: `${maps}/target`,
  body,
  headers: { 'content-type': type },
  status,
  ...rest,
});

const json = 'application/json-patch+json';
const merge = 'application/merge-patch+json';
const bad = { reason: 'BadRequest' } as const;
const nested = (depth: number): string =>
  `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"deep"},"x":${'['.repeat(depth)}${']'.repeat(depth)}}`;

const bodies: readonly RefusalRow[] = [
  ...['', '  \n '].map((body) => post(`B1 an empty body ${JSON.stringify(body)}`, body, 400, bad)),
  { title: 'B1 an empty body of a PUT', method: 'PUT', path: `${maps}/target`, body: '', status: 400, ...bad },
  patch('B1 an empty merge patch', merge, '', 400, bad),
  ...['{"a":', '{"a":1,}', '{"a":NaN}', '{"a":Infinity}', '{/*c*/}', "{'a':1}", '{}{}'].map((body) =>
    post(`B2 malformed JSON ${body}`, body, 400, bad),
  ),
  post('B3 a body over the limit', 'x'.repeat(limitBytes + 1), 413, {
    reason: 'RequestEntityTooLarge',
    message: /limit is 3145728/,
  }),
  {
    title: 'B3 a DELETE body over the limit',
    method: 'DELETE',
    path: `${maps}/target`,
    body: ' '.repeat(limitBytes + 1),
    status: 413,
  },
  post('B5 1.5 million nested arrays', '['.repeat(1_500_000), 400, bad),
  post('B5 the same, balanced', nested(1_500_000), 400, bad),
  patch('B5 the same in a JSON patch', json, '['.repeat(1_500_000), 400, bad),
  patch('B5 the same in a merge patch', merge, nested(1_500_000), 400, bad),
  post('B5 the same in YAML', '['.repeat(1_500_000), 400, { headers: { 'content-type': 'application/yaml' }, ...bad }),
  post('B6 nesting below the limit', nested(900), 201),
  post('B6 nesting over the limit', nested(1001), 400, bad),
  post('B7 padded with spaces up to the limit', JSON.stringify(configMap('padded')).padEnd(limitBytes, ' '), 201),
  post(
    'B8 a million elements',
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"many"},"x":[${'1,'.repeat(999_999)}1]}`,
    413,
    { reason: 'RequestEntityTooLarge' },
  ),
  post('B9 duplicate keys, strict', '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"d","name":"d"}}', 400, {
    path: `${maps}?fieldValidation=Strict`,
    message: /duplicate field "metadata.name"/,
  }),
  post(
    'B9 duplicate keys, ignored: the last wins',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"x","name":"last"}}',
    201,
    {
      path: `${maps}?fieldValidation=Ignore`,
    },
  ),
  post('B10 unknown fields, strict', configMap('u', { spec: { a: 1 } }), 400, {
    path: `${maps}?fieldValidation=Strict`,
    message: /unknown field "spec"/,
  }),
  post(
    'B11 __proto__ as a label',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"p","labels":{"__proto__":"x"}}}',
    422,
    {
      reason: 'Invalid',
    },
  ),
  post(
    'B11 __proto__ and constructor as data',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"proto"},"data":{"__proto__":"x","constructor":"y"}}',
    201,
  ),
  patch(
    'B12 a JSON patch of the prototype',
    json,
    [{ op: 'add', path: '/__proto__/polluted', value: 1 }],
    [200, 400, 422],
  ),
  patch(
    'B12 a JSON patch of the constructor',
    json,
    [{ op: 'add', path: '/constructor/prototype/polluted', value: 1 }],
    [400, 422],
  ),
  patch('B12 a merge patch of the prototype', merge, '{"__proto__":{"polluted":1}}', [200, 400, 422]),
  post(
    'B13 a number beyond double precision',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n","generation":1e400}}',
    400,
    bad,
  ),
  post(
    'B13 an integer out of range',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n","generation":18446744073709551616}}',
    [400, 422],
  ),
  post('B14 a string where a map belongs', configMap('s', { data: 'x' }), 400, bad),
  patch('B14 an array where a string belongs', merge, { metadata: { annotations: { foo: ['bar'] } } }, [400, 422]),
  ...['ff', 'c080', 'eda080', 'f8', 'c3'].map((hex) =>
    post(
      `B15 invalid UTF-8 ${hex}`,
      Buffer.concat([Buffer.from('{"a":"'), Buffer.from(hex, 'hex'), Buffer.from('"}')]),
      400,
      bad,
    ),
  ),
  post(
    'B16 a lone surrogate in a name',
    '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"\\ud800"}}',
    [400, 422],
  ),
  post('B17 NUL in a name', configMap('a\0b'), 422, { reason: 'Invalid' }),
  post('B17 NUL in a data value', configMap('nul', { data: { k: 'a\0b' } }), 201),
  get('B17 NUL in a selector', '?labelSelector=a%00', 400, bad),
  post('B18 a byte order mark', `\ufeff${JSON.stringify(configMap('bom'))}`, 400, bad),
  post('B18 UTF-16', Buffer.from(JSON.stringify(configMap('u16')), 'utf16le'), 400, bad),
  ...['', 'A', 'a b', 'ä', 'a\u202eb', '😀', 'a'.repeat(254), '-a', 'a.', 'а'].map((name) =>
    post(`B19 the name ${JSON.stringify(name.slice(0, 12))} of ${name.length}`, configMap(name), 422, {
      reason: 'Invalid',
    }),
  ),
  ...['text/plain', 'application/xml', `application/${'x'.repeat(8000)}`].map((type) =>
    post(`B20 Content-Type ${type.slice(0, 20)}`, configMap('t'), 415, {
      headers: { 'content-type': type },
      reason: 'UnsupportedMediaType',
    }),
  ),
  ...['application/json', 'application/strange-patch+json'].map((type) =>
    patch(`B21 a patch of type ${type}`, type, {}, 415, {
      reason: 'UnsupportedMediaType',
      message: /accepted media types/,
    }),
  ),
  get('B22 an unsupported Accept', '', 406, { headers: { accept: 'image/png' }, reason: 'NotAcceptable' }),
  post('B23 a gzip bomb', gzipSync(Buffer.alloc(50_000_000, 0x20)), [413, 415], {
    headers: { 'content-encoding': 'gzip' },
  }),
  post('B23 chained encodings', 'x', 415, { headers: { 'content-encoding': 'gzip, gzip' } }),
];

const strategic = 'application/strategic-merge-patch+json';
const applied = 'application/apply-patch+yaml';

/** An apply to the object that is there, by query and body. */
const apply = (
  title: string,
  query: string,
  body: RefusalRow['body'],
  status: RefusalRow['status'],
  more: Partial<RefusalRow> = {},
): RefusalRow => ({
  title,
  method: 'PATCH',
  path: `${maps}/target${query}`,
  body,
  headers: { 'content-type': applied },
  status,
  ...more,
});

const patches: readonly RefusalRow[] = [
  patch('B31 an unknown directive', strategic, { data: { $patch: 'x' } }, 400, bad),
  patch('B31 a directive that is no text', strategic, { data: { $patch: {} } }, 400, bad),
  patch('B31 a replacement of the whole', strategic, { $patch: 'replace' }, [400, 422]),
  patch('B31 a deletion of the whole', strategic, { $patch: 'delete' }, [400, 422]),
  patch('B31 removals that are no list', strategic, { metadata: { '$deleteFromPrimitiveList/finalizers': 1 } }, 422, {
    reason: 'Invalid',
  }),
  patch('B31 an order that is no list', strategic, { metadata: { '$setElementOrder/finalizers': 'x' } }, 400, bad),
  patch('B31 an item without its key', strategic, { metadata: { ownerReferences: [{ name: 'x' }] } }, 422, {
    reason: 'Invalid',
  }),
  patch('B31 a list', strategic, [], 400, bad),
  apply('B32 an apply without fieldManager', '', configMap('target'), 422, { reason: 'Invalid' }),
  apply('B32 a manager of 129 bytes', `?fieldManager=${'m'.repeat(129)}`, configMap('target'), 422, {
    reason: 'Invalid',
  }),
  apply('B32 a manager with a NUL', '?fieldManager=a%00', configMap('target'), 422, { reason: 'Invalid' }),
  apply(
    'B33 managedFields in an apply',
    '?fieldManager=m',
    configMap('target', { metadata: { name: 'target', managedFields: [] } }),
    400,
    {
      ...bad,
      message: /metadata\.managedFields must be nil/,
    },
  ),
  apply(
    'B33 a stale resourceVersion in an apply',
    '?fieldManager=m',
    configMap('target', { metadata: { name: 'target', resourceVersion: '1' } }),
    409,
    {
      reason: 'Conflict',
    },
  ),
  apply(
    'B33 another apiVersion in an apply',
    '?fieldManager=m',
    { ...configMap('target'), apiVersion: 'v2' },
    400,
    bad,
  ),
  apply('B33 no kind in an apply', '?fieldManager=m', { apiVersion: 'v1' }, 400, bad),
  apply('B33 an apply that is no YAML', '?fieldManager=m', '{a: [', 400, bad),
];

const writes: readonly RefusalRow[] = [
  {
    title: 'B35 a PUT under another name',
    method: 'PUT',
    path: `${maps}/target`,
    body: configMap('other'),
    status: 400,
    ...bad,
  },
  {
    title: 'B35 a PUT under another namespace',
    method: 'PUT',
    path: `${maps}/target`,
    body: configMap('target', { metadata: { name: 'target', namespace: 'x' } }),
    status: 400,
    ...bad,
  },
  post('B36 another kind', { ...configMap('k'), kind: 'Secret' }, 400, bad),
  post('B36 another version', { ...configMap('k'), apiVersion: 'v2' }, 400, bad),
  post('B37 resourceVersion on create', configMap('r', { metadata: { name: 'r', resourceVersion: '1' } }), [400, 500]),
  ...['-1', 'abc', '1e3', '9'.repeat(30)].map(
    (resourceVersion): RefusalRow => ({
      title: `B38 a PUT at resourceVersion ${resourceVersion.slice(0, 5)}`,
      method: 'PUT',
      path: `${maps}/target`,
      body: configMap('target', { metadata: { name: 'target', resourceVersion } }),
      status: [400, 409, 422],
    }),
  ),
  {
    title: 'B38 a PUT at resourceVersion 0, which stands for any',
    method: 'PUT',
    path: `${maps}/target`,
    body: configMap('target', { metadata: { name: 'target', resourceVersion: '0' }, data: { k: 'v' } }),
    status: 200,
  },
  {
    title: 'B38 a number as resourceVersion',
    method: 'PUT',
    path: `${maps}/target`,
    body: configMap('target', { metadata: { name: 'target', resourceVersion: 1 } }),
    status: [400, 422],
  },
  {
    title: 'B39 another uid in a PUT',
    method: 'PUT',
    path: `${maps}/target`,
    body: configMap('target', { metadata: { name: 'target', uid: 'x' } }),
    status: 409,
    reason: 'Conflict',
  },
  {
    title: 'B39 another uid in a DELETE',
    method: 'DELETE',
    path: `${maps}/target`,
    body: { preconditions: { uid: 'x' } },
    status: 409,
    reason: 'Conflict',
  },
  ...[
    { propagationPolicy: 'junk' },
    { propagationPolicy: 'Orphan', orphanDependents: true },
    { gracePeriodSeconds: 'x' },
  ].map(
    (body): RefusalRow => ({
      title: `B40 delete options ${JSON.stringify(body)}`,
      method: 'DELETE',
      path: `${maps}/target`,
      body,
      status: [400, 422],
    }),
  ),
  post('B41 dryRun=foo', configMap('dry'), 422, { path: `${maps}?dryRun=foo`, reason: 'Invalid' }),
  post('B41 dryRun=All and foo', configMap('dry'), 422, { path: `${maps}?dryRun=All&dryRun=foo`, reason: 'Invalid' }),
  post(
    'B86 annotations over their limit',
    configMap('annotated', { metadata: { name: 'annotated', annotations: { a: 'x'.repeat(262_145) } } }),
    422,
    {
      reason: 'Invalid',
      message: /must have at most 262144 bytes/,
    },
  ),
  post(
    'B87 an object beyond what the store takes',
    configMap('large', { metadata: { name: 'large', labels: {} }, data: { k: 'x'.repeat(2_000_000) } }),
    [413, 422],
  ),
  post('B89 a long generateName', configMap('', { metadata: { generateName: 'a'.repeat(300) } }), [201, 422]),
  post('B92 control characters in a name', configMap('a\r\n\u001b[31m'), 422, { reason: 'Invalid' }),
];

const reads: readonly RefusalRow[] = [
  get('B42 timeout=invalid', '?timeout=invalid', 400, { message: /invalid timeout/ }),
  get('B42 timeout=0s', '?timeout=0s', 200),
  get('B42 timeout=3m', '?timeout=3m', 200),
  get('B43 timeoutSeconds=abc', '?watch=1&timeoutSeconds=abc', 400, bad),
  get('B44 limit=abc', '?limit=abc', 400, bad),
  get('B44 limit=1.5', '?limit=1.5', 400, bad),
  get('B44 limit=-1', '?limit=-1', [200, 400]),
  ...[
    'junk',
    'e30',
    Buffer.from('{"v":"x"}').toString('base64url'),
    Buffer.from('{"v":"meta.k8s.io/v1","rv":0,"start":""}').toString('base64url'),
    Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"../../x"}').toString('base64url'),
    'x'.repeat(15_000),
  ].map((token) => get(`B45 continue=${token.slice(0, 20)}`, `?limit=1&continue=${token}`, 400, bad)),
  get('B46 continue with resourceVersion', '?limit=1&continue=e30&resourceVersion=5', 400, bad),
  ...[
    'resourceVersionMatch=Exact',
    'resourceVersionMatch=bogus&resourceVersion=1',
    'resourceVersionMatch=Exact&resourceVersion=0',
    'resourceVersionMatch=NotOlderThan&resourceVersion=1&continue=e30',
    'sendInitialEvents=true',
  ].map((query) => get(`B46 ${query}`, `?${query}`, [400, 422])),
  get('B47 a list in the future', '?resourceVersion=999999999', 504, {
    reason: 'Timeout',
    message: /Too large resource version/,
  }),
  get('B47 a get in the future', '/target?resourceVersion=999999999', 504, { reason: 'Timeout' }),
  ...['a in ()(', 'a in (', 'a==b=c', '!', `${'k'.repeat(64)}=v`, 'a=b c', ','.repeat(10), 'a,'.repeat(40_000)].map(
    (selector) =>
      get(
        `B49 labelSelector ${selector.slice(0, 12)}`,
        `?labelSelector=${encodeURIComponent(selector)}`,
        [400, 414, 431],
      ),
  ),
  get('B50 an unsupported field', '?fieldSelector=foo%3Dbar', 400, {
    message: /not a known field selector|field label not supported/,
  }),
  get('B51 a path as a name', '?fieldSelector=metadata.name%3D..%2Fx', [200, 400]),
  ...[
    '/api/v1/namespaces/../secrets',
    '/api/v1/%2e%2e/x',
    '/api/v1//namespaces',
    '/api/v1/./namespaces',
    '/api/v1/namespaces%00',
    '/api/v1/namespaces/a\\b',
  ].map((path): RefusalRow => ({ title: `B52 the path ${path}`, method: 'GET', path, status: [400, 404] })),
  ...['%', '%zz'].map(
    (name): RefusalRow => ({ title: `B52 the escape ${name}`, method: 'GET', path: `${maps}/${name}`, status: 400 }),
  ),
  ...['.', '..', 'a%2Fb', 'a%25b'].map(
    (name): RefusalRow => ({
      title: `B53 the name ${name}`,
      method: 'GET',
      path: `${maps}/${name}`,
      status: [400, 404],
    }),
  ),
  {
    title: 'B54 a resource that is a prefix of another',
    method: 'GET',
    path: '/api/v1/namespaces/default/pod',
    status: 404,
    reason: 'NotFound',
  },
  {
    title: 'B55 a cluster-scoped resource in a namespace',
    method: 'GET',
    path: '/api/v1/namespaces/default/nodes',
    status: 404,
    reason: 'NotFound',
  },
  { title: 'B56 TRACE', method: 'TRACE', path: `${maps}/target`, status: [405, 404] },
  {
    title: 'B56 POST to an object',
    method: 'POST',
    path: `${maps}/target`,
    body: configMap('target'),
    status: 405,
    reason: 'MethodNotAllowed',
  },
  {
    title: 'B56 a DELETE of all namespaces',
    method: 'DELETE',
    path: '/api/v1/namespaces',
    status: 405,
    reason: 'MethodNotAllowed',
  },
  { title: 'B57 the old proxy verb', method: 'GET', path: '/api/v1/proxy/namespaces/default/pods/x', status: 404 },
  get('B59 a watch in an unsupported encoding', '?watch=1', 406, {
    headers: { accept: 'application/cbor' },
    reason: 'NotAcceptable',
  }),
  { title: 'B93 HTML in a name', method: 'GET', path: `${maps}/%3Cscript%3E`, status: 404, reason: 'NotFound' },
];

function check(row: RefusalRow, response: HttpResponse): void {
  const statuses = [row.status].flat();
  assert.ok(
    statuses.includes(response.status),
    `expected ${statuses.join(' or ')}, got ${response.status}: ${response.text.slice(0, 300)}`,
  );
  // 431 is the parser's own answer, before there is a request.
  if (response.status < 400 || response.status === 431) return;
  assert.equal(response.headers['x-content-type-options'], 'nosniff');
  const status = response.body as { kind?: string; reason?: string; message?: string; code?: number };
  if (status.kind !== 'Status')
    return assert.equal(row.reason, undefined, `a Status is expected, not ${response.text.slice(0, 100)}`);
  assert.equal(status.code, response.status);
  if (row.reason)
    assert.ok([row.reason].flat().includes(status.reason ?? ''), `reason ${status.reason}: ${status.message}`);
  if (row.message) assert.match(status.message ?? '', row.message);
}

describe('bad input', () => {
  let server: TestServer;

  before(async () => {
    server = await startServer({ store: 'memory' });
    assert.equal((await request(server, 'POST', maps, configMap('target', { data: { k: 'v' } }))).status, 201);
  });

  after(async () => {
    await server.stop();
  });

  afterEach(async () => {
    assert.equal(({} as Record<string, unknown>)['polluted'], undefined, 'Object.prototype is clean');
    const target = await request(server, 'GET', `${maps}/target`);
    assert.equal(target.status, 200, 'the server lives and the object is there');
    assert.deepEqual((target.body as { data: unknown }).data, { k: 'v' });
  });

  for (const row of [...bodies, ...patches, ...writes, ...reads]) {
    it(`${row.title}: ${[row.status].flat().join(' or ')}`, async () => {
      check(row, await request(server, row.method, row.path, row.body, row.headers));
    });
  }

  it('B11: hostile data keys are stored and returned as they were', async () => {
    const { text } = await request(server, 'GET', `${maps}/proto`);
    assert.match(text, /"data":\{"__proto__":"x","constructor":"y"\}/);
  });

  it('B13: the largest int64 makes the round trip', async () => {
    const body =
      '{"apiVersion":"v1","kind":"Pod","metadata":{"name":"big"},"spec":{"activeDeadlineSeconds":2147483647,"terminationGracePeriodSeconds":9223372036854775807,"containers":[{"name":"c","image":"i"}]}}';
    const { status, text } = await request(server, 'POST', '/api/v1/namespaces/default/pods', body);
    assert.equal(status, 201, text);
    assert.match(text, /"terminationGracePeriodSeconds":9223372036854775807/);
  });

  it('B9, B10: unknown and duplicate fields warn by default', async () => {
    const { status, headers } = await request(
      server,
      'POST',
      maps,
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"warned"},"spec":1,"data":{"a":"1","a":"2"}}',
    );
    assert.equal(status, 201);
    const warnings = [headers['warning']].flat().join();
    assert.match(warnings, /299 - "unknown field \\"spec\\""/);
    assert.match(warnings, /299 - "duplicate field \\"data.a\\""/);
  });

  it('B88: fields of the server are not taken from the client', async () => {
    const forged = {
      name: 'forged',
      creationTimestamp: '2001-01-01T00:00:00Z',
      uid: 'mine',
      generation: 7,
      deletionTimestamp: '2001-01-01T00:00:00Z',
      selfLink: '/x',
    };
    const { status, body } = await request(server, 'POST', maps, configMap('forged', { metadata: forged }));
    assert.equal(status, 201);
    const { metadata } = body as { metadata: Record<string, unknown> };
    assert.notEqual(metadata['uid'], 'mine');
    assert.notEqual(metadata['creationTimestamp'], forged.creationTimestamp);
    assert.equal(metadata['deletionTimestamp'], undefined);
    assert.equal(metadata['selfLink'], undefined);
  });

  describe('on the wire', () => {
    const host = 'Host: localhost';
    const auth = (): string => `Authorization: Bearer ${server.token}`;
    const cases: readonly (readonly [string, () => string, readonly number[]])[] = [
      [
        'B4 a Content-Length of 10 GB',
        () =>
          `POST ${maps} HTTP/1.1\r\n${host}\r\n${auth()}\r\nContent-Type: application/json\r\nContent-Length: 10000000000\r\n\r\n{`,
        [413],
      ],
      [
        'B60 Content-Length and Transfer-Encoding',
        () =>
          `POST ${maps} HTTP/1.1\r\n${host}\r\n${auth()}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
        [400],
      ],
      [
        'B60 two Content-Lengths',
        () => `POST ${maps} HTTP/1.1\r\n${host}\r\n${auth()}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
        [400],
      ],
      ['B60 Content-Length +5', () => `POST ${maps} HTTP/1.1\r\n${host}\r\nContent-Length: +5\r\n\r\n{}`, [400]],
      ['B60 a space before the colon', () => `GET ${maps} HTTP/1.1\r\n${host}\r\nX : y\r\n\r\n`, [400]],
      ['B61 headers of 100 KB', () => `GET ${maps} HTTP/1.1\r\n${host}\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`, [431]],
      ['B62 two hosts', () => `GET ${maps} HTTP/1.1\r\n${host}\r\nHost: other\r\n${auth()}\r\n\r\n`, [400]],
      ['B62 no host', () => `GET ${maps} HTTP/1.1\r\n${auth()}\r\n\r\n`, [400]],
      ['B52 raw bytes in the path', () => `GET /api/v1/\xff\xfe HTTP/1.1\r\n${host}\r\n${auth()}\r\n\r\n`, [400, 404]],
      [
        'B52 a path of 70 KB',
        () => `GET /api/${'x'.repeat(70_000)} HTTP/1.1\r\n${host}\r\n${auth()}\r\n\r\n`,
        [404, 414, 431],
      ],
      [
        'B58 an upgrade of an ordinary resource',
        () =>
          `GET ${maps}/target HTTP/1.1\r\n${host}\r\n${auth()}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        [200],
      ],
    ];
    for (const [title, bytes, statuses] of cases) {
      it(`${title}: ${statuses.join(' or ')}`, async () => {
        const response = await sendRaw(server, Buffer.from(bytes(), 'latin1'));
        assert.ok(statuses.includes(response.status), response.text.slice(0, 300));
      });
    }

    it('B61: a header named __proto__ is harmless', async () => {
      const response = await sendRaw(
        server,
        `GET ${maps}/target HTTP/1.1\r\n${host}\r\n${auth()}\r\n__proto__: x\r\n\r\n`,
      );
      assert.equal(response.status, 200, response.text.slice(0, 300));
    });

    it('B90: a server with an unfinished request still answers others', async () => {
      const slow = sendRaw(server, `POST ${maps} HTTP/1.1\r\n${host}\r\n`, 2000);
      assert.equal((await request(server, 'GET', `${maps}/target`)).status, 200);
      await slow;
    });
  });
});
