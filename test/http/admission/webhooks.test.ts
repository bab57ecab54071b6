import assert from 'node:assert/strict';
import { request } from '../http-client.ts';
import { readMetrics } from '../read-metrics.ts';
import {
  patchWith,
  respond,
  type ReviewedObject,
  rule,
  startWebhookWorld,
  type WebhookWorld,
} from './webhook-world.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const deployments = '/apis/apps/v1/namespaces/default/deployments';
const merge = { 'content-type': 'application/merge-patch+json' };

/** A JSON patch that changes nothing, in base64. */
const patchOfTest = Buffer.from('[{"op":"test","path":"/kind","value":"ConfigMap"}]').toString('base64');

describe('a webhook', () => {
  let world: WebhookWorld;
  beforeEach(async () => {
    world = await startWebhookWorld();
  });
  afterEach(() => world[Symbol.asyncDispose]());

  const send = (method: string, path: string, body?: unknown, headers?: Record<string, string>) =>
    request(world.server, method, path, body, headers);
  const create = (name: string, rest: object = {}) => send('POST', configMaps, { metadata: { name }, ...rest });
  const calls = () =>
    world.seen.splice(0).map(({ path, request: { operation, name } }) => `${path} ${operation} ${name}`);
  const message = (text: string) => (JSON.parse(text) as { message: string }).message;

  it('is called for each write, and never for reads', async () => {
    await world.configure('mutating', 'a', { name: 'm' });
    await world.configure('validating', 'a', { name: 'v' });
    await create('c');
    assert.deepEqual(calls(), ['/m CREATE c', '/v CREATE c']);
    await send('PUT', `${configMaps}/c`, { metadata: { name: 'c' }, data: { a: '1' } });
    assert.deepEqual(calls(), ['/m UPDATE c', '/v UPDATE c']);
    await send('PATCH', `${configMaps}/c`, { data: { a: '2' } }, merge);
    assert.deepEqual(calls(), ['/m UPDATE c', '/v UPDATE c']);
    const apply = (name: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { b: '1' } });
    const headers = { 'content-type': 'application/apply-patch+yaml' };
    await send('PATCH', `${configMaps}/c?fieldManager=m`, apply('c'), headers);
    assert.deepEqual(calls(), ['/m UPDATE c', '/v UPDATE c']);
    await send('PATCH', `${configMaps}/d?fieldManager=m`, apply('d'), headers);
    assert.deepEqual(calls(), ['/m CREATE d', '/v CREATE d']);
    await send('GET', `${configMaps}/c`);
    await send('GET', configMaps);
    assert.deepEqual(calls(), []);
    await send('DELETE', `${configMaps}/c`);
    assert.deepEqual(calls(), ['/m DELETE c', '/v DELETE c']);
    await create('e');
    world.seen.length = 0;
    await send('DELETE', configMaps);
    // Deletes of a collection have no name.
    const deleted = new Set(world.seen.map(({ request: { oldObject } }) => oldObject?.metadata?.name));
    assert.deepEqual(deleted, new Set(['d', 'e']));
    assert.deepEqual(calls().toSorted(), [
      ...Array(2).fill('/m DELETE undefined'),
      ...Array(2).fill('/v DELETE undefined'),
    ]);
  });

  it('gets a review like that of kube-apiserver', async () => {
    await world.configure('mutating', 'a', { name: 'm', timeoutSeconds: 29 });
    await world.configure('validating', 'a', { name: 'v' });
    await create('c', { data: { a: '1' } });
    const [mutating, validating] = world.seen;
    assert.ok(mutating && validating);
    const { object, uid, ...rest } = mutating.request;
    assert.match(uid, /^[0-9a-f-]{36}$/);
    assert.notEqual(validating.request.uid, uid);
    assert.equal(mutating.apiVersion, 'admission.cl.io/v1');
    const kind = { group: '', version: 'v1', kind: 'ConfigMap' };
    const resource = { group: '', version: 'v1', resource: 'configmaps' };
    assert.deepEqual(rest, {
      kind,
      resource,
      requestKind: kind,
      requestResource: resource,
      name: 'c',
      namespace: 'default',
      operation: 'CREATE',
      userInfo: { username: 'admin', groups: ['system:masters', 'system:authenticated'] },
      oldObject: null,
      dryRun: false,
      options: { kind: 'CreateOptions', apiVersion: 'meta.cl.io/v1' },
    });
    assert.equal(object?.metadata.uid, undefined, 'the server has not set its own fields yet');
    assert.ok(validating.request.object?.metadata.uid);
    const [asked] = world.hooks.seen;
    assert.equal(asked?.url, '/m?timeout=29s');
    assert.equal(asked?.headers['user-agent'], 'cl-apiserver-admission');
    assert.equal(asked?.headers['content-type'], 'application/json');
  });

  it('sees the old object of an update and a delete, and the final object last', async () => {
    await create('c', { data: { a: '1' } });
    await world.configure('mutating', 'a', { name: 'm' });
    await world.configure('validating', 'a', { name: 'v' });
    world.at('/m', patchWith({ op: 'add', path: '/data/hook', value: 'yes' }));
    const updated = await send('PATCH', `${configMaps}/c`, { data: { a: '2' } }, merge);
    const { object, oldObject } = world.seen.at(-1)?.request ?? {};
    assert.deepEqual(oldObject?.data, { a: '1' });
    assert.deepEqual(object?.data, { a: '2', hook: 'yes' });
    assert.deepEqual((updated.body as ReviewedObject).data, { a: '2', hook: 'yes' });
    world.at('/m', respond({}));
    await send('DELETE', `${configMaps}/c`);
    const deleted = world.seen.at(-1)?.request;
    assert.equal(deleted?.object, null);
    assert.deepEqual(deleted?.oldObject?.data, { a: '2', hook: 'yes' });
    assert.equal(deleted?.options?.['kind'], 'DeleteOptions');
  });

  it('changes an object before the server sets what belongs to it', async () => {
    await world.configure('mutating', 'a', { name: 'm', rules: [rule('apps', 'deployments')] });
    const replicas = (value: number) => patchWith({ op: 'replace', path: '/spec/replicas', value });
    world.at('/m', replicas(5));
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const spec = { replicas: 1, selector: { matchLabels: { a: 'b' } }, template };
    const created = await send('POST', deployments, { metadata: { name: 'd' }, spec });
    assert.equal((created.body as ReviewedObject).spec?.['replicas'], 5, created.text);
    world.at('/m', replicas(6));
    const updated = (await send('PATCH', `${deployments}/d`, { metadata: { labels: { x: 'y' } } }, merge)).body;
    const { metadata, spec: changed } = updated as ReviewedObject;
    assert.deepEqual([metadata.generation, changed?.['replicas']], [2, 6]);
    world.at('/m', patchWith({ op: 'add', path: '/metadata/uid', value: 'mine' }));
    const other = (await send('POST', deployments, { metadata: { name: 'e' }, spec })).body as ReviewedObject;
    assert.notEqual(other.metadata.uid, 'mine');
  });

  it('cannot change the spec by the status', async () => {
    const template = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    await send('POST', deployments, {
      metadata: { name: 'd' },
      spec: { replicas: 1, selector: { matchLabels: { a: 'b' } }, template },
    });
    await world.configure('mutating', 'a', { name: 'm', rules: [rule('apps', 'deployments/status')] });
    world.at('/m', patchWith({ op: 'replace', path: '/spec/replicas', value: 9 }));
    const written = await send('PATCH', `${deployments}/d/status`, { status: { replicas: 1 } }, merge);
    assert.equal((written.body as ReviewedObject).spec?.['replicas'], 1, written.text);
    assert.deepEqual(calls(), ['/m UPDATE d']);
  });

  it('runs in the order of the configurations by name, then in that of its list', async () => {
    await world.configure('mutating', 'z', { name: 'third' }, { name: 'fourth' });
    await world.configure('mutating', 'b', { name: 'second' });
    await world.configure('mutating', 'a', { name: 'first' });
    for (const name of ['first', 'second', 'third', 'fourth']) {
      world.at(`/${name}`, patchWith({ op: 'add', path: `/metadata/annotations`, value: { last: name } }));
    }
    const created = await create('c');
    assert.match(created.text, /"last":"fourth"/);
    assert.deepEqual(calls(), ['/first CREATE c', '/second CREATE c', '/third CREATE c', '/fourth CREATE c']);
  });

  it('is called in parallel with the others if it validates', async () => {
    await world.configure('validating', 'a', { name: 'v1' }, { name: 'v2' }, { name: 'v3' });
    let release = (): void => {};
    const all = new Promise<void>((resolve) => (release = resolve));
    for (const path of ['/v1', '/v2', '/v3']) {
      world.at(path, async (review, response) => {
        if (world.seen.length === 3) release();
        await all;
        await respond({})(review, response);
      });
    }
    assert.equal((await create('c')).status, 201);
  });

  it('refuses with its own code, reason and message', async () => {
    await world.configure('validating', 'a', { name: 'v' });
    const refusals = [
      [{}, 400, undefined, 'denied the request without explanation'],
      [{ message: 'no way', code: 418, reason: 'Teapot' }, 418, 'Teapot', 'denied the request: no way'],
      [{ message: 'x', code: 200 }, 400, undefined, 'denied the request: x'],
      [{ reason: 'Because' }, 400, 'Because', 'denied the request: Because'],
      [{ message: 'x', code: 600 }, 600, undefined, 'denied the request: x'],
      [{ message: 'x', code: 999 }, 999, undefined, 'denied the request: x'],
      [{ message: 'x', code: 1000 }, 500, undefined, 'denied the request: x'],
      [{ message: 'x', code: 9999 }, 500, undefined, 'denied the request: x'],
    ] as const;
    for (const [status, code, reason, text] of refusals) {
      world.at('/v', respond({ allowed: false, status }));
      const refused = await create('c');
      const body = refused.body as { code: number; reason?: string; message: string };
      assert.deepEqual([refused.status, body.code, body.reason], [code, code, reason]);
      assert.equal(body.message, `admission webhook "v.example.com" ${text}`);
    }
    const metrics = await readMetrics(world.server);
    const counted = (code: number): number | undefined => {
      const labels = `error_type="no_error",name="v.example.com",operation="CREATE",rejection_code="${code}",type="validating"`;
      return metrics.get(`apiserver_admission_webhook_rejection_count{${labels}}`);
    };
    assert.equal(counted(418), 1);
    assert.equal(counted(600), 4, 'codes above 600 count as 600');
    assert.equal(counted(500), undefined);
    const rejected = '{name="v.example.com",operation="CREATE",rejected="true",type="validating"}';
    assert.equal(metrics.get(`apiserver_admission_webhook_admission_duration_seconds_count${rejected}`), 8);
  });

  it('refuses with the metadata and details of its Status', async () => {
    await world.configure('validating', 'a', { name: 'v' });
    const metadata = { selfLink: '/x', resourceVersion: '5', continue: 'a', remainingItemCount: 3 };
    const details = { name: 'n', retryAfterSeconds: -5 };
    world.at('/v', respond({ allowed: false, status: { code: 403, metadata: { ...metadata, zork: 1 }, details } }));
    const refused = await create('c');
    const body = refused.body as { metadata: object; details: object };
    assert.deepEqual([body.metadata, body.details], [metadata, details]);
    assert.equal(refused.headers['retry-after'], undefined);
    world.at('/v', respond({ allowed: false, status: { details: {} } }));
    assert.deepEqual(((await create('c')).body as { details: object }).details, {});
  });

  const failures: readonly (readonly [what: string, answer: Parameters<WebhookWorld['at']>[1], why: RegExp])[] = [
    ['another uid', respond({ uid: 'other' }), /expected response.uid="[0-9a-f-]+", got "other"/],
    [
      'no response',
      ({ apiVersion }, to) => void to.end(JSON.stringify({ kind: 'AdmissionReview', apiVersion })),
      /webhook response was absent/,
    ],
    [
      'another kind',
      (_, to) => void to.end('{"kind":"Pod","apiVersion":"v1"}'),
      /expected webhook response of admission.cl.io\/v1, Kind=AdmissionReview, got \/v1, Kind=Pod/,
    ],
    ['HTML', (_, to) => void to.end('<html>'), /answered with a body that is not JSON/],
    ['a list', (_, to) => void to.end('[]'), /answered with something other than an object/],
    [
      'YAML',
      ({ apiVersion, request: { uid } }, to) =>
        void to
          .writeHead(200, { 'content-type': 'application/yaml' })
          .end(`kind: AdmissionReview\napiVersion: ${apiVersion}\nresponse: { uid: ${uid}, allowed: true }`),
      /answered with a body that is not JSON/,
    ],
    [
      'an error',
      (_, to) => void to.writeHead(500).end('secret'),
      /an error on the server \("unknown"\) has prevented the request from succeeding/,
    ],
    ['a missing page', (_, to) => void to.writeHead(404).end(), /the server could not find the requested resource/],
    [
      'a redirect',
      (_, to) => void to.writeHead(307, { location: '/elsewhere' }).end(),
      /status 307; redirects are not followed/,
    ],
    [
      'half an answer',
      (_, to) => void to.writeHead(200, { 'content-length': '100' }).write('{"a', () => to.destroy()),
      /EOF/,
    ],
    ['nothing', (_, to) => void to.destroy(), /: EOF/],
    ['silence', () => {}, /Post "https:\/\/127.0.0.1:\d+\/m\?timeout=2s": context deadline exceeded/],
    [
      'a word for a truth',
      respond({ allowed: 'true' }),
      /json: cannot unmarshal string into field allowed of type bool/,
    ],
    ['a patch of no type', respond({ patch: 'W10=' }), /webhook returned response.patch but not response.patchType/],
    [
      'a type of no patch',
      respond({ patchType: 'JSONPatch' }),
      /webhook returned response.patchType but not response.patch/,
    ],
    [
      'an empty type of a patch',
      respond({ patchType: '', patch: 'W10=' }),
      /webhook returned invalid response.patchType of ""/,
    ],
    [
      'an empty body',
      (_, to) => void to.writeHead(200, { 'content-type': 'application/json' }).end(),
      /0-length response with status code: 200 and content type: application\/json/,
    ],
    ['another type of patch', respond({ patchType: 'Merge', patch: patchOfTest }), /unsupported patch type "Merge"/],
    ['an empty object', (_, to) => void to.end('{}'), /webhook response was absent/],
    ['a conflict', (_, to) => void to.writeHead(409).end(), /the server reported a conflict/],
    [
      'too many requests',
      (_, to) => void to.writeHead(429).end(),
      /the server has received too many requests and has asked us to try again later/,
    ],
    [
      'a time after its own',
      (_, to) => void to.writeHead(429, { 'retry-after': '30' }).end(),
      /context deadline exceeded/,
    ],
    [
      'too much',
      (_, to) => void to.end(`{"a":"${'x'.repeat(5 * 1024 * 1024)}"}`),
      /answered with a body that is too large/,
    ],
    [
      'a compressed body',
      (_, to) => void to.writeHead(200, { 'content-encoding': 'gzip' }).end('x'),
      /answered with a compressed body/,
    ],
  ];
  for (const [what, given, why] of failures) {
    it(`fails its own request by answering ${what}, unless its failure is ignored`, async () => {
      // The others end by themselves, also on a slow machine.
      const timeoutSeconds = why.source.includes('deadline') ? 2 : 29;
      await world.configure('mutating', 'a', { name: 'm', timeoutSeconds });
      world.at('/m', given);
      const [failed, other] = await Promise.all([
        create('c'),
        send('POST', '/api/v1/namespaces', { metadata: { name: 'n' } }),
      ]);
      assert.equal(failed.status, 500, failed.text);
      assert.equal(other.status, 201);
      const text = message(failed.text);
      assert.match(text, why);
      assert.match(
        text,
        /^Internal error occurred: failed calling webhook "m.example.com": .* \(after \d+\.\d{3}s of at most (?:2|29)s, failurePolicy Fail\)$/,
      );
      assert.doesNotMatch(failed.text, /secret/);
      await send('DELETE', '/apis/admissionregistration.cl.io/v1/mutatingwebhookconfigurations/a');
      await world.configure('mutating', 'b', { name: 'm', timeoutSeconds, failurePolicy: 'Ignore' });
      assert.equal((await create('c')).status, 201);
      const metrics = await readMetrics(world.server);
      assert.equal(metrics.get('apiserver_admission_webhook_fail_open_count{name="m.example.com",type="admit"}'), 1);
      const labels =
        'error_type="calling_webhook_error",name="m.example.com",operation="CREATE",rejection_code="0",type="admit"';
      assert.equal(metrics.get(`apiserver_admission_webhook_rejection_count{${labels}}`), 1);
    });
  }

  const patches: readonly (readonly [what: string, operations: readonly object[], code: number, why: RegExp])[] = [
    [
      'fails its test',
      [{ op: 'test', path: '/data/a', value: 'z' }],
      500,
      /^Internal error occurred: testing value "?\/data\/a"? failed: test failed$/,
    ],
    [
      'removes nothing',
      [{ op: 'remove', path: '/metadata/nope' }],
      500,
      /^Internal error occurred: error in remove for path: '\/metadata\/nope': Unable to remove nonexistent key: nope: missing value$/,
    ],
    ['has an unknown operation', [{ op: 'foo', path: '/a' }], 500, /^Internal error occurred: Unexpected kind: foo$/],
    [
      'leads nowhere',
      [{ op: 'replace', path: '/no/where', value: 1 }],
      500,
      /replace operation does not apply: doc is missing path/,
    ],
    ['has a wrong type', [{ op: 'add', path: '/data', value: 'text' }], 500, /cannot unmarshal string into field data/],
    ['changes the kind', [{ op: 'replace', path: '/kind', value: 'Secret' }], 500, /changed the kind of the object/],
    [
      'changes the namespace',
      [{ op: 'add', path: '/metadata/namespace', value: 'kube-system' }],
      400,
      /the namespace of the provided object does not match/,
    ],
    [
      'makes it invalid',
      [{ op: 'add', path: '/data', value: { 'bad key!': 'x' } }],
      422,
      /ConfigMap "c" is invalid: data\[bad key!\]/,
    ],
    ['has an unknown field', [{ op: 'add', path: '/foo', value: 'x' }], 201, /^$/],
    ['is empty', [], 201, /^$/],
    ['removes the kind', [{ op: 'remove', path: '/kind' }], 201, /^$/],
    ['empties the apiVersion', [{ op: 'replace', path: '/apiVersion', value: '' }], 201, /^$/],
  ];
  for (const [what, operations, code, why] of patches) {
    it(`answers a patch that ${what} with ${code} from then on`, async () => {
      await world.configure('mutating', 'a', { name: 'm', failurePolicy: 'Ignore' });
      world.at('/m', patchWith(...operations));
      const answered = await create('c', { data: { a: '1' } });
      assert.equal(answered.status, code, answered.text);
      if (code !== 201) assert.match(message(answered.text), why);
    });
  }

  it('is called again when it asks for that, ten times at most', async () => {
    await world.configure('mutating', 'a', { name: 'm', timeoutSeconds: 30 });
    const later = (code: number, seconds: string, refusals: number): Parameters<WebhookWorld['at']>[1] => {
      let left = refusals;
      return (review, response) =>
        left-- > 0 ? void response.writeHead(code, { 'retry-after': seconds }).end() : respond({})(review, response);
    };
    const rows = [
      [later(429, '0', 2), 201, 3],
      [later(503, ' 1 ', 1), 201, 2],
      [later(500, '-1', 10), 201, 11],
      [later(429, '0', 11), 500, 11],
      [later(404, '0', 1), 500, 1],
      [later(503, 'soon', 1), 500, 1],
      [later(503, '0.5', 1), 500, 1],
    ] as const;
    for (const [index, [answer, status, times]] of rows.entries()) {
      world.seen.length = 0;
      world.at('/m', answer);
      assert.deepEqual([(await create(`c${index}`)).status, world.seen.length], [status, times], `row ${index}`);
    }
  });

  it('may name any type for a patch that is not applied', async () => {
    await world.configure('mutating', 'a', { name: 'm' });
    world.at('/m', respond({ patchType: 'Merge', patch: 'W10=' }));
    assert.equal((await create('c')).status, 201);
    world.at('/m', respond({ allowed: false, status: { code: 403 }, patchType: 'Merge', patch: patchOfTest }));
    assert.equal((await create('d')).status, 403);
  });

  it('may answer a review of v1beta1 with another uid, and with a type of no patch', async () => {
    await world.configure('mutating', 'a', { name: 'm', admissionReviewVersions: ['v1beta1'] });
    for (const [index, fields] of [{ uid: 'other' }, { patchType: 'JSONPatch' }, { patchType: 'Merge' }].entries()) {
      world.at('/m', respond(fields));
      assert.equal((await create(`c${index}`)).status, 201);
    }
    world.at('/m', respond({ patchType: 'Merge', patch: patchOfTest }));
    assert.match(message((await create('c')).text), /unsupported patch type "Merge"/);
  });

  it('warns: without empty texts, and from 4096 characters on in texts of 256, the last of them whole', async () => {
    await world.configure('validating', 'a', { name: 'v' });
    const warnings = [
      '',
      ...Array.from({ length: 40 }, (_, index) => `${String(index).padStart(2, '0')}${'x'.repeat(298)}`),
    ];
    world.at('/v', respond({ warnings }));
    const { headers } = await create('c');
    const sent = [headers['warning'] ?? []].flat();
    assert.equal(sent.length, 16);
    for (const [index, text] of sent.entries()) {
      assert.equal(text, `299 - "${(warnings[index + 1] ?? '').slice(0, 256)}"`);
    }
    world.at(
      '/v',
      respond({
        warnings: warnings
          .slice(0, 14)
          .map((text) => text.slice(0, 250))
          .concat('y'.repeat(1000), 'z'),
      }),
    );
    const cut = [(await create('d')).headers['warning'] ?? []].flat();
    assert.deepEqual(cut.slice(-2), [`299 - "${'y'.repeat(256)}"`, '299 - "z"']);
  });

  it('fills in defaults and decodes what it adds', async () => {
    await world.configure('mutating', 'a', { name: 'm', rules: [rule('', 'pods')] });
    world.at('/m', patchWith({ op: 'add', path: '/spec/containers/-', value: { name: 'side', image: 'j' } }));
    const pod = { metadata: { name: 'p' }, spec: { containers: [{ name: 'c', image: 'i' }] } };
    const created = await send('POST', '/api/v1/namespaces/default/pods', pod);
    const { containers } = (created.body as ReviewedObject).spec as { containers: readonly object[] };
    assert.equal((containers[1] as { imagePullPolicy?: string }).imagePullPolicy, 'Always', created.text);
  });

  it('cannot make the managers unreadable', async () => {
    await world.configure('mutating', 'a', { name: 'm' });
    world.at(
      '/m',
      patchWith({ op: 'add', path: '/metadata/managedFields', value: [{ manager: 'x', operation: 'Zap' }] }),
    );
    const { text } = await create('c', { data: { a: '1' } });
    assert.match(text, /"f:a"/);
    assert.doesNotMatch(text, /Zap/);
  });

  it('has refusals name the prefix of a name that is not generated yet', async () => {
    const namespace = '/api/v1/namespaces/terminating';
    await send('POST', '/api/v1/namespaces', { metadata: { name: 'terminating' } });
    await send('DELETE', namespace);
    const refused = await send('POST', `${namespace}/configmaps`, { metadata: { generateName: 'g-' } });
    assert.match(refused.text, /configmaps \\"g-\\" is forbidden: unable to create new content/);
  });

  it('adds warnings', async () => {
    await world.configure('validating', 'a', { name: 'v' });
    world.at('/v', respond({ warnings: ['careful', 'line\r\nX-Evil: yes'] }));
    const { headers } = await create('c');
    assert.deepEqual(headers['warning'], ['299 - "careful"', '299 - "line  X-Evil: yes"']);
    assert.equal(headers['x-evil'], undefined);
  });

  it('does not decide on configurations of webhooks', async () => {
    await world.configure('validating', 'a', { name: 'v', rules: [rule('*', '*')] });
    world.at('/v', respond({ allowed: false }));
    assert.equal((await create('c')).status, 400);
    const path = '/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations/a';
    assert.equal((await send('DELETE', path)).status, 200);
    assert.equal((await create('c')).status, 201);
  });

  it('is called by dry runs only if it has no side effects', async () => {
    await world.configure('validating', 'a', { name: 'v', sideEffects: 'NoneOnDryRun' });
    assert.equal((await send('POST', `${configMaps}?dryRun=All`, { metadata: { name: 'c' } })).status, 201);
    assert.equal(world.seen[0]?.request.dryRun, true);
    assert.deepEqual(world.seen[0]?.request.options?.['dryRun'], ['All']);
  });
});
