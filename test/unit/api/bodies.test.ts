import assert from 'node:assert/strict';
import { type Fixture, startFixture } from './fixture.ts';

const collection = '/api/v1/namespaces/ns/configmaps';
const limit = 3145728;

/** Nine lists of nine aliases each: a few hundred bytes that would become a billion values. */
const aliasBomb = Array.from({ length: 10 }, (_, level) => {
  const item = level === 0 ? 'x' : `*a${level - 1}`;
  return `k${level}: &a${level} [${Array(9).fill(item).join(',')}]`;
}).join('\n');

const unrecognized = (why: string, shown: string) =>
  `the object provided is unrecognized (must be of type ConfigMap): couldn't get version/kind; json parse error: ${why} (${shown})`;

describe('request bodies', () => {
  let server: Fixture;

  before(async () => {
    server = await startFixture();
    await server.configMap('a');
  });
  after(() => server[Symbol.asyncDispose]());

  const refused: readonly [name: string, body: string, type: string, status: number, message: string | RegExp][] = [
    ['an empty body', '', 'application/json', 400, unrecognized('unexpected end of JSON input', '<empty>')],
    ['a cut body', '{"kind":', 'application/json', 400, unrecognized('unexpected end of JSON input', '{"kind":')],
    ['a list', '[1]', 'application/json', 400, /cannot unmarshal array into an object/],
    [
      'a kind that is no text',
      '{"kind":5}',
      'application/json',
      400,
      /json: cannot unmarshal number into Go struct field \.kind of type string/,
    ],
    ['two documents', '{}{}', 'application/json', 400, /json parse error/],
    [
      'another kind',
      '{"kind":"Secret","apiVersion":"v1"}',
      'application/json',
      400,
      'Secret in version "v1" cannot be handled as a ConfigMap: converting (v1.Secret) to (core.ConfigMap): unknown conversion',
    ],
    ['an unknown kind', '{"kind":"Zork","apiVersion":"v1"}', 'application/json', 400, /no kind "Zork" is registered/],
    [
      'an unknown version',
      '{"kind":"ConfigMap","apiVersion":"v7"}',
      'application/json',
      400,
      /is registered for version "v7"/,
    ],
    [
      'a version with too many parts',
      '{"kind":"ConfigMap","apiVersion":"a/b/c"}',
      'application/json',
      400,
      'the object provided is unrecognized (must be of type ConfigMap): unexpected GroupVersion string: a/b/c ({"kind":"ConfigMap","apiVersio ...)',
    ],
    ['plain text', 'hello', 'text/plain', 415, /accepted media types include: application\/json, application\/yaml/],
    ['another charset', '{}', 'application/json; charset=utf-16', 415, /unknown format/],
    ['XML', '<a/>', 'application/xml', 415, /unknown format/],
    ['an alias bomb', aliasBomb, 'application/yaml', 400, /excessive aliasing/],
  ];
  it('of another version of the kind are refused', async () => {
    const path = '/apis/batch/v1/namespaces/ns/cronjobs';
    const body = { kind: 'CronJob', apiVersion: 'batch/v1beta1', metadata: { name: 'a' } };
    const response = await server.send({ method: 'POST', path, body });
    assert.equal(response.status, 400);
    const why = 'the API version in the data (batch/v1beta1) does not match the expected API version (batch/v1)';
    assert.equal(response.at('message'), why);
  });

  for (const [name, body, type, status, message] of refused) {
    it(`refuses ${name} with ${status}`, async () => {
      const response = await server.send({ method: 'POST', path: collection, body, type });
      assert.equal(response.status, status, response.text);
      const got = String(response.at('message'));
      if (typeof message === 'string') assert.equal(got, message);
      else assert.match(got, message);
    });
  }

  it('takes kind and apiVersion from the URL where the body has none', async () => {
    const response = await server.send({ method: 'POST', path: collection, body: { metadata: { name: 'bare' } } });
    assert.equal(response.status, 201);
    assert.match(response.text, /^\{"kind":"ConfigMap","apiVersion":"v1","metadata":\{"name":"bare"/);
    assert.ok(response.text.endsWith('}\n'));
  });

  it('takes a body without a content type as JSON', async () => {
    const body = { metadata: { name: 'untyped' } };
    const headers = { 'content-length': Buffer.byteLength(JSON.stringify(body)) };
    const response = await server.send({
      method: 'POST',
      path: collection,
      body: JSON.stringify(body),
      headers,
      type: '',
    });
    assert.equal(response.status, 201);
  });

  it('takes YAML', async () => {
    const body = 'metadata:\n  name: from-yaml\ndata:\n  a: "1"\n';
    const response = await server.send({ method: 'POST', path: collection, body, type: 'application/yaml' });
    assert.equal(response.status, 201);
    assert.deepEqual(response.at('data'), { a: '1' });
  });

  it('warns of unknown and duplicate fields, refuses them under Strict, and is silent under Ignore', async () => {
    const body = '{"metadata":{"name":"dup"},"zork":1,"data":{"a":"1","a":"2"}}';
    const post = (fieldValidation: string) =>
      server.send({ method: 'POST', path: `${collection}?dryRun=All&fieldValidation=${fieldValidation}`, body });
    const warned = await post('Warn');
    assert.equal(warned.status, 201);
    assert.match(String(warned.headers['warning']), /299 - "unknown field \\"zork\\""/);
    assert.match(String(warned.headers['warning']), /duplicate field \\"data\.a\\"/);
    const strict = await post('Strict');
    assert.equal(strict.status, 400);
    assert.match(String(strict.at('message')), /unknown field "zork".*duplicate field "data\.a"|duplicate.*unknown/);
    const ignored = await post('Ignore');
    assert.equal(ignored.status, 201);
    assert.equal(ignored.headers['warning'], undefined);
  });

  it('refuses a patch that makes no object without naming a kind', async () => {
    const type = 'application/merge-patch+json';
    const response = await server.send({ method: 'PATCH', path: `${collection}/a`, body: { data: 5 }, type });
    assert.equal(response.status, 422);
    assert.deepEqual(Object.keys(response.at('details') ?? {}), ['causes']);
    assert.equal(response.at('details.causes.0.field'), 'patch');
  });

  it('names what is odd about a JSON patch apart from its object', async () => {
    await server.send({ method: 'POST', path: collection, body: { metadata: { name: 'patched' } } });
    const body =
      '[{"op":"add","path":"/data","value":{"a":"1"},"op":"replace","zork":1},{"op":"add","path":"/x","value":2}]';
    const patch = (fieldValidation: string) =>
      server.send({
        method: 'PATCH',
        path: `${collection}/patched?dryRun=All&fieldValidation=${fieldValidation}`,
        body,
        type: 'application/json-patch+json',
      });
    const warned = await patch('Warn');
    assert.equal(warned.status, 200);
    assert.match(String(warned.headers['warning']), /299 - "json patch duplicate field \\"\[0\]\.op\\""/);
    const strict = await patch('Strict');
    assert.equal(strict.status, 422);
    assert.match(String(strict.at('message')), /json patch unknown field "\[0\]\.zork", unknown field "x"/);
    assert.equal((await patch('Ignore')).headers['warning'], undefined);
  });

  it('refuses a body over the limit from its length, at once', async () => {
    const response = await server.send({ method: 'POST', path: collection, body: Buffer.alloc(limit + 1, 'x') });
    assert.equal(response.status, 413);
    assert.equal(response.at('message'), `Request entity too large: limit is ${limit}`);
    assert.equal(response.at('reason'), 'RequestEntityTooLarge');
  });

  it('refuses a chunked body once it is over the limit', async () => {
    const headers = { 'transfer-encoding': 'chunked' };
    const body = Buffer.alloc(limit + 1000, ' ');
    const response = await server.send({ method: 'PUT', path: `${collection}/a`, body, headers });
    assert.equal(response.status, 413);
  });

  it('takes a body padded up to the limit', async () => {
    const body = '{"metadata":{"name":"padded"}}'.padEnd(limit, ' ');
    const response = await server.send({ method: 'POST', path: collection, body });
    assert.equal(response.status, 201);
  });

  it('refuses encoded bodies', async () => {
    for (const encoding of ['gzip', 'br', 'gzip, gzip']) {
      const headers = { 'content-encoding': encoding };
      const response = await server.send({ method: 'POST', path: collection, body: '{}', headers });
      assert.equal(response.status, 415, encoding);
    }
  });

  it('keeps hostile keys as data', async () => {
    const body = '{"metadata":{"name":"keys"},"data":{"constructor":"a","__proto__":"b","toString":"c"}}';
    const response = await server.send({ method: 'POST', path: collection, body });
    assert.equal(response.status, 201, response.text);
    assert.match(response.text, /"__proto__":"b"/);
    assert.equal(({} as Record<string, unknown>)['constructor'], Object);
  });

  describe('of a patch', () => {
    const object = `${collection}/a`;
    const patch = (body: string | object, type: string, query = '') =>
      server.send({ method: 'PATCH', path: object + query, body, type });

    it('merges', async () => {
      const response = await patch({ data: { x: 'y' } }, 'application/merge-patch+json');
      assert.equal(response.status, 200, response.text);
      assert.equal(response.at('data.x'), 'y');
    });

    it('applies JSON patches', async () => {
      const response = await patch([{ op: 'add', path: '/data/z', value: 'w' }], 'application/json-patch+json');
      assert.equal(response.status, 200, response.text);
      assert.equal(response.at('data.z'), 'w');
    });

    it('merges by the schema', async () => {
      const response = await patch({ data: { $patch: 'replace', s: 't' } }, 'application/strategic-merge-patch+json');
      assert.equal(response.status, 200, response.text);
      assert.deepEqual(response.at('data'), { s: 't' });
    });

    const identity = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } };
    const apply = (body: string | object, query: string) => patch(body, 'application/apply-patch+yaml', query);

    it('applies JSON and YAML', async () => {
      const json = await apply({ ...identity, data: { j: '1' } }, '?fieldManager=json');
      assert.equal(json.status, 200, json.text);
      const yaml = await apply(
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {k: "1"}',
        '?fieldManager=yaml',
      );
      assert.equal(yaml.status, 200, yaml.text);
      assert.equal(yaml.at('data.j'), '1');
      assert.equal(yaml.at('data.k'), '1');
    });

    it('creates what is applied and does not exist', async () => {
      const metadata = { name: 'applied' };
      const options = {
        method: 'PATCH',
        path: `${collection}/applied?fieldManager=me`,
        type: 'application/apply-patch+yaml',
      };
      assert.equal((await server.send({ ...options, body: { ...identity, metadata } })).status, 201);
      assert.equal((await server.send({ ...options, body: { ...identity, metadata } })).status, 200);
    });

    it('takes no configuration for one that does not say of what', async () => {
      for (const body of ['', '# nothing\n', 'null']) {
        const response = await apply(body, '?fieldManager=me');
        assert.equal(response.status, 400);
        assert.match(String(response.at('message')), /^Incorrect version specified in apply patch\. .* expected: v1$/);
      }
      const list = await apply('[]', '?fieldManager=me');
      assert.match(
        String(list.at('message')),
        /: json: cannot unmarshal array into Go value of type map\[string\]interface {}$/,
      );
    });

    it('demands a manager of who applies', async () => {
      const response = await apply(identity, '');
      assert.equal(response.status, 422);
      assert.match(String(response.at('message')), /fieldManager: Required value: is required for apply patch$/);
    });

    it('lets nobody force but who applies', async () => {
      const response = await patch({}, 'application/merge-patch+json', '?force=true');
      assert.equal(response.status, 422);
      assert.match(String(response.at('message')), /force: Forbidden: may not be specified for non-apply patch$/);
    });

    it('says of a patch that is no JSON what the reader of its kind says', async () => {
      const end = 'unexpected end of JSON input';
      for (const [type, body, message] of [
        ['json-patch', '[', end],
        ['strategic-merge-patch', '{', end],
        ['merge-patch', '{', 'Invalid JSON Patch'],
        ['merge-patch', 'null', 'Invalid JSON Patch'],
      ] as const) {
        const response = await patch(body, `application/${type}+json`);
        assert.equal(response.status, 400, type);
        assert.equal(response.at('message'), message, type);
      }
    });

    const notApplied: readonly (readonly [string, string | object, string])[] = [
      ['YAML that is none', 'a: [', 'error decoding YAML: '],
      ['a list', '[]', 'error decoding YAML: '],
      [
        'another version',
        { ...identity, apiVersion: 'v2' },
        'Incorrect version specified in apply patch. Specified patch version: v2, expected: v1',
      ],
      [
        'no version',
        { kind: 'ConfigMap' },
        'Incorrect version specified in apply patch. Specified patch version: , expected: v1',
      ],
      [
        'another kind',
        { ...identity, kind: 'Secret' },
        'failed to create typed patch object: no corresponding type for v1, Kind=Secret',
      ],
      ['no kind', { apiVersion: 'v1' }, 'failed to create typed patch object: no corresponding type for v1, Kind='],
      ['managers', { ...identity, metadata: { name: 'a', managedFields: [] } }, 'metadata.managedFields must be nil'],
      [
        'another name',
        { ...identity, metadata: { name: 'b' } },
        'the name of the object (b) does not match the name on the URL (a)',
      ],
    ];
    for (const [name, body, message] of notApplied) {
      it(`does not apply ${name}`, async () => {
        const response = await apply(body, '?fieldManager=me');
        assert.equal(response.status, 400, response.text);
        assert.ok(String(response.at('message')).startsWith(message), response.text);
      });
    }

    for (const type of ['application/json', '']) {
      it(`answers 415 to ${type || 'no type'} and lists what is served`, async () => {
        const response = await patch('{}', type);
        assert.equal(response.status, 415);
        assert.equal(
          response.at('message'),
          'the body of the request was in an unknown format - accepted media types include: ' +
            'application/json-patch+json, application/merge-patch+json, ' +
            'application/strategic-merge-patch+json, application/apply-patch+yaml',
        );
      });
    }

    it('refuses what is no JSON with 400', async () => {
      assert.equal((await patch('', 'application/merge-patch+json')).status, 400);
      assert.equal((await patch('{', 'application/json-patch+json')).status, 400);
    });

    it('refuses force on a patch that is no apply', async () => {
      const response = await patch('{}', 'application/merge-patch+json', '?force=true');
      assert.equal(response.status, 422);
      assert.match(
        String(response.at('message')),
        /^PatchOptions\.meta\.k8s\.io "" is invalid: force: Forbidden: may not be/,
      );
    });
  });
});
