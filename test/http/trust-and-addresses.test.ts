import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { builtInDefinitions } from '../../src/catalogue/definitions.ts';
import { identifiersOf } from '../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject } from '../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../src/meta/read-field.ts';
import { applyMergePatch } from '../../src/patch/merge-patch.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { minimalObject } from './minimal-objects.ts';
import { until } from './until.ts';

const identifiers = identifiersOf('kubernetes');
const definitions = builtInDefinitions(identifiers);
const mergePatch = { 'content-type': 'application/merge-patch+json' };

/** The smallest object of a kind in a version, changed by a merge patch, and its collection. */
function objectOf(resource: string, version: string, name: string, change: JsonObject = {}) {
  const info = definitions.find((one) => one.resource === resource);
  assert.ok(info);
  const object = applyMergePatch(minimalObject(info, identifiers, name, version), change);
  assert.ok(isJsonObject(object));
  const root = `/apis/${info.group}/${version}`;
  return { object, collection: info.namespaced ? `${root}/namespaces/default/${resource}` : `${root}/${resource}` };
}

function causesOf({ body }: HttpResponse): readonly string[] {
  return objectsAt(objectAt(body as JsonObject, 'details'), 'causes').map(
    (cause) => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`,
  );
}

const spec = (change: JsonObject): JsonObject => ({ spec: change });

/** Resource, version, what is odd, the change, and the errors. */
const refusals: readonly (readonly [string, string, string, JsonObject, readonly string[]])[] = [
  [
    'ipaddresses',
    'v1',
    'a name that is not canonical',
    { metadata: { name: '2001:DB8::1' } },
    ['metadata.name: Invalid value: "2001:DB8::1": must be in canonical form ("2001:db8::1")'],
  ],
  [
    'ipaddresses',
    'v1',
    'a name with leading zeros',
    { metadata: { name: '10.01.0.1' } },
    ['metadata.name: Invalid value: "10.01.0.1": must not have leading 0s'],
  ],
  ['ipaddresses', 'v1', 'no holder', spec({ parentRef: null }), ['spec.parentRef: Required value']],
  [
    'ipaddresses',
    'v1',
    'a holder without a name',
    spec({ parentRef: { name: null, resource: 'a/b' } }),
    ['spec.parentRef.name: Required value', `spec.parentRef.resource: Invalid value: "a/b": may not contain '/'`],
  ],
  ['servicecidrs', 'v1', 'no range', spec({ cidrs: [] }), ['spec.cidrs: Required value: at least one CIDR required']],
  [
    'servicecidrs',
    'v1',
    'three ranges',
    spec({ cidrs: ['10.0.0.0/24', '10.0.1.0/24', '10.0.2.0/24'] }),
    ['spec.cidrs: Invalid value: {"cidrs":["10.0.0.0/24","10.0.1.0/24","10.0.2.0/24"]}: may only hold up to 2 values'],
  ],
  [
    'servicecidrs',
    'v1',
    'two ranges of a family',
    spec({ cidrs: ['10.0.0.0/24', '10.0.1.0/24'] }),
    [
      'spec.cidrs: Invalid value: ["10.0.0.0/24","10.0.1.0/24"]: may specify no more than one IP for each IP family, i.e 192.168.0.0/24 and 2001:db8::/64',
    ],
  ],
  [
    'servicecidrs',
    'v1',
    'bits beyond the prefix',
    spec({ cidrs: ['10.0.0.1/24'] }),
    ['spec.cidrs[0]: Invalid value: "10.0.0.1/24": must not have bits set beyond the prefix length'],
  ],
  [
    'clustertrustbundles',
    'v1beta1',
    'a name of a signer, but no signer',
    { metadata: { name: 'example.com:foo:a' } },
    [
      'metadata.name: Invalid value: "example.com:foo:a": ClusterTrustBundle without signer name must not have ":" in its name',
    ],
  ],
  [
    'clustertrustbundles',
    'v1beta1',
    'a signer that its name does not begin with',
    { metadata: { name: 'a' }, spec: { signerName: 'example.com/foo' } },
    [
      'metadata.name: Invalid value: "a": ClusterTrustBundle for signerName example.com/foo must be named with prefix example.com:foo:',
    ],
  ],
  [
    'clustertrustbundles',
    'v1beta1',
    'no root',
    spec({ trustBundle: 'text' }),
    ['spec.trustBundle: Invalid value: "<value omitted>": at least one trust anchor must be provided'],
  ],
  [
    'podcertificaterequests',
    'v1beta1',
    'a signature of another text',
    spec({ podUID: 'other' }),
    ['spec.proofOfPossession: Invalid value: could not verify proof-of-possession signature'],
  ],
  [
    'podcertificaterequests',
    'v1beta1',
    'a long lifetime from a signer of the system',
    spec({ signerName: 'kubernetes.io/kube-apiserver-client-pod', maxExpirationSeconds: 86_401 }),
    ['spec.maxExpirationSeconds: Invalid value: 86401: must be in the range [3600, 86400]'],
  ],
  [
    'leasecandidates',
    'v1beta1',
    'an emulated version above its own',
    spec({ emulationVersion: '1.34.0' }),
    ['spec.binaryVersion: Invalid value: "1.33.0": must be greater than or equal to `emulationVersion`'],
  ],
  [
    'leasecandidates',
    'v1beta1',
    'an unknown strategy',
    spec({ strategy: 'Youngest' }),
    ['spec.strategy.strategy: Unsupported value: "Youngest": supported values: "OldestEmulationVersion"'],
  ],
  [
    'prioritylevelconfigurations',
    'v1',
    'a negative share and a percent above 100',
    spec({ limited: { nominalConcurrencyShares: -1, lendablePercent: 101, borrowingLimitPercent: -1 } }),
    [
      'spec.limited.nominalConcurrencyShares: Invalid value: -1: must be a non-negative integer',
      'spec.limited.lendablePercent: Invalid value: 101: must be between 0 and 100, inclusive',
      'spec.limited.borrowingLimitPercent: Invalid value: -1: if specified, must be a non-negative integer',
    ],
  ],
  [
    'prioritylevelconfigurations',
    'v1',
    'what an exempt level lends',
    spec({ exempt: { lendablePercent: 1 } }),
    ['spec.exempt: Forbidden: must be nil if the type is Limited'],
  ],
  [
    'storageversions',
    'v1alpha1',
    'a name without a group',
    { metadata: { name: 'things' } },
    ['metadata.name: Invalid value: "things": name must be in the form of <group>.<resource>'],
  ],
];

describe('release 1.36 with all of its versions', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({
      store: 'memory',
      identifiers: 'kubernetes',
      emulatedRelease: '1.36',
      runtimeConfig: ['api/all'],
      featureGates: ['AllAlpha=true', 'AllBeta=true'],
    });
  });
  after(() => server.stop());

  for (const [resource, version, what, change, errors] of refusals) {
    it(`refuses ${resource} with ${what}`, async () => {
      const { object, collection } = objectOf(resource, version, 'new', change);
      const response = await request(server, 'POST', collection, object);
      assert.equal(response.status, 422, response.text);
      assert.deepEqual(causesOf(response).toSorted(), errors.toSorted());
    });
  }

  it('adds a range of the other family to a ServiceCIDR, and changes no range', async () => {
    const { object, collection } = objectOf('servicecidrs', 'v1', 'grown');
    assert.equal((await request(server, 'POST', collection, object)).status, 201);
    const patch = (cidrs: readonly string[]) =>
      request(server, 'PATCH', `${collection}/grown`, { spec: { cidrs } }, mergePatch);
    assert.deepEqual(causesOf(await patch(['10.98.0.0/24'])), [
      'spec.cidrs[0]: Invalid value: "10.98.0.0/24": field is immutable',
    ]);
    assert.equal((await patch(['10.99.0.0/24', '2001:db8::/64'])).status, 200);
    assert.deepEqual(causesOf(await patch(['10.99.0.0/24'])), [
      'spec.cidrs: Invalid value: ["10.99.0.0/24"]: field is immutable',
    ]);
  });

  it('keeps a share of 0 apart from none', async () => {
    const { object, collection } = objectOf('prioritylevelconfigurations', 'v1', 'borrower', {
      spec: { limited: { nominalConcurrencyShares: 0 } },
    });
    const created = await request(server, 'POST', collection, object);
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(objectAt(created.body as JsonObject, 'spec', 'limited'), {
      lendablePercent: 0,
      limitResponse: { type: 'Reject' },
      nominalConcurrencyShares: 0,
    });
  });

  it('gives a level that names no share 30, and only what the exempt level lends may be changed', async () => {
    const { object, collection } = objectOf('prioritylevelconfigurations', 'v1', 'plain');
    const created = await request(server, 'POST', collection, object);
    assert.equal(objectAt(created.body as JsonObject, 'spec', 'limited')['nominalConcurrencyShares'], 30);
    const path = `${collection}/exempt`;
    const lent = await request(server, 'PATCH', path, { spec: { exempt: { lendablePercent: 5 } } }, mergePatch);
    assert.equal(lent.status, 200, lent.text);
    const share = { spec: { limited: { limitResponse: { type: 'Reject' }, nominalConcurrencyShares: 5 } } };
    const changed = await request(server, 'PATCH', path, share, mergePatch);
    assert.match(changed.text, /spec of 'exempt' except the 'spec.exempt' field must equal the fixed value/);
  });

  it('keeps the decision on a pod certificate, and the chain is for the requested key', async () => {
    const { object, collection } = objectOf('podcertificaterequests', 'v1beta1', 'decided');
    const created = await request(server, 'POST', collection, object);
    assert.equal(created.status, 201, created.text);
    const decide = (type: string, more: JsonObject = {}) => {
      const lastTransitionTime = '2026-01-01T00:00:00Z';
      const conditions = [{ type, status: 'True', reason: 'Story', message: '', lastTransitionTime }];
      return request(server, 'PATCH', `${collection}/decided/status`, { status: { conditions, ...more } }, mergePatch);
    };
    assert.deepEqual(causesOf(await decide('Issued', { certificateChain: 'none' })), [
      'status.certificateChain: Invalid value: "none": issued certificate chain must contain at least one certificate',
    ]);
    assert.deepEqual(causesOf(await decide('Denied', { certificateChain: 'some' })), [
      'status: Invalid value: non-condition status fields must be empty when denying or failing the PodCertificateRequest',
    ]);
    assert.equal((await decide('Denied')).status, 200);
    assert.deepEqual(causesOf(await decide('Failed')), [
      'status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed',
    ]);
    const selector = `${collection}?fieldSelector=spec.podName%3Dp`;
    const listed = (await request(server, 'GET', selector)).body as JsonObject;
    assert.equal(objectsAt(listed, 'items').length, 1);
  });
});

describe('release 1.31', () => {
  it('keeps all strategies of a candidate, and reads a share of 0 in v1beta3 by its mark', async () => {
    await using server = await startServer({
      store: 'memory',
      identifiers: 'kubernetes',
      emulatedRelease: '1.31',
      runtimeConfig: ['api/all'],
    });
    const strategies = ['OldestEmulationVersion', 'example.com/own'];
    const candidate = objectOf('leasecandidates', 'v1alpha1', 'c', spec({ preferredStrategies: strategies }));
    const created = await request(server, 'POST', candidate.collection, candidate.object);
    assert.equal(created.status, 201, created.text);
    assert.deepEqual(objectAt(created.body as JsonObject, 'spec')['preferredStrategies'], strategies);
    const level = objectOf('prioritylevelconfigurations', 'v1', 'zero', {
      spec: { limited: { nominalConcurrencyShares: 0 } },
    });
    assert.equal((await request(server, 'POST', level.collection, level.object)).status, 201);
    const beta = '/apis/flowcontrol.apiserver.k8s.io/v1beta3/prioritylevelconfigurations/zero';
    const read = (await request(server, 'GET', beta)).body as JsonObject;
    const mark = 'flowcontrol.k8s.io/v1beta3-preserve-zero-concurrency-shares';
    assert.deepEqual(objectAt(read, 'metadata', 'annotations'), { [mark]: '' });
    const written = await request(server, 'PUT', beta, read);
    assert.equal(written.status, 200, written.text);
    const again = (await request(server, 'GET', `${level.collection}/zero`)).body as JsonObject;
    assert.equal(objectAt(again, 'spec', 'limited')['nominalConcurrencyShares'], 0);
    assert.equal(objectAt(again, 'metadata')['annotations'], undefined);
    const { mark: _, ...unmarked } = { ...read, mark: undefined };
    const metadata = { ...objectAt(read, 'metadata'), annotations: {}, resourceVersion: undefined };
    const defaulted = await request(server, 'PUT', beta, { ...unmarked, metadata });
    assert.equal(objectAt(defaulted.body as JsonObject, 'spec', 'limited')['nominalConcurrencyShares'], 30);
  });
});

describe('a server of 1.36', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory', identifiers: 'kubernetes', emulatedRelease: '1.36' });
  });
  after(() => server.stop());

  it('keeps an identity Lease', async () => {
    const path = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases';
    const selector = encodeURIComponent('apiserver.kubernetes.io/identity=kube-apiserver');
    const leases = async (): Promise<readonly JsonObject[]> =>
      objectsAt((await request(server, 'GET', `${path}?labelSelector=${selector}`)).body as JsonObject, 'items');
    await until('the Lease is there', async () => (await leases()).length === 1);
    const [lease = {}] = await leases();
    const name = stringAt(objectAt(lease, 'metadata'), 'name');
    assert.match(name, /^apiserver-[a-z2-7]{26}$/);
    assert.equal(objectAt(lease, 'spec')['leaseDurationSeconds'], 3600);
    assert.ok(stringAt(objectAt(lease, 'spec'), 'holderIdentity').startsWith(`${name}_`));
  });

  it('describes itself as text and as an object', async () => {
    const text = await request(server, 'GET', '/statusz', undefined, { accept: 'text/plain' });
    assert.match(text.text, /^\napiserver statusz\nWarning: .*\n\nStarted: /);
    assert.match(text.text, /\nEmulation version: 1\.36\n/);
    const accept = 'application/json;v=v1beta1;g=config.k8s.io;as=Statusz';
    const status = (await request(server, 'GET', '/statusz', undefined, { accept })).body as JsonObject;
    assert.equal(status['apiVersion'], 'config.k8s.io/v1beta1');
    assert.equal(status['emulationVersion'], '1.36');
    const older = await request(server, 'GET', '/statusz', undefined, {
      accept: accept.replace('v1beta1', 'v1alpha1'),
    });
    assert.match(String(older.headers['warning']), /deprecated/);
    assert.equal((await request(server, 'GET', '/statusz', undefined, { accept: 'application/json' })).status, 406);
    const flags = (await request(server, 'GET', '/flagz', undefined, { accept: accept.replace('Statusz', 'Flagz') }))
      .body as JsonObject;
    assert.equal(objectAt(flags, 'flags')['emulated-release'], '1.36');
  });

  it('shows discovery in v2 alone', async () => {
    const discovery = (version: string) =>
      request(server, 'GET', '/apis', undefined, {
        accept: `application/json;g=apidiscovery.k8s.io;v=${version};as=APIGroupDiscoveryList,application/json`,
      });
    assert.match(String((await discovery('v2')).headers['content-type']), /as=APIGroupDiscoveryList/);
    assert.equal(((await discovery('v2beta1')).body as JsonObject)['kind'], 'APIGroupList');
  });
});

describe('a node of 1.36', () => {
  it('requests certificates for the pods that it runs', async () => {
    const tokens = [
      { token: 'n1', username: 'system:node:n1', groups: ['system:nodes'] },
      { token: 'n2', username: 'system:node:n2', groups: ['system:nodes'] },
    ];
    await using server = await startServer({
      store: 'memory',
      identifiers: 'kubernetes',
      emulatedRelease: '1.36',
      runtimeConfig: ['certificates.k8s.io/v1beta1'],
      featureGates: ['PodCertificateRequest=true'],
      admissionPlugins: { enabled: ['NodeRestriction'], disabled: [] },
      tokens,
    });
    const write = async (path: string, body: JsonObject): Promise<string> =>
      stringAt(objectAt((await request(server, 'POST', path, body)).body as JsonObject, 'metadata'), 'uid');
    const nodeUID = await write('/api/v1/nodes', { metadata: { name: 'n1' } });
    const core = '/api/v1/namespaces/default';
    const serviceAccountUID = await write(`${core}/serviceaccounts`, { metadata: { name: 'sa' } });
    const containers = [{ name: 'c', image: 'i' }];
    const podUID = await write(`${core}/pods`, {
      metadata: { name: 'p' },
      spec: { nodeName: 'n1', serviceAccountName: 'sa', containers },
    });
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const { object, collection } = objectOf('podcertificaterequests', 'v1beta1', 'r', {
      spec: {
        podUID,
        nodeName: 'n1',
        nodeUID,
        serviceAccountName: 'sa',
        serviceAccountUID,
        pkixPublicKey: publicKey.export({ type: 'spki', format: 'der' }).toString('base64'),
        proofOfPossession: sign(null, Buffer.from(podUID), privateKey).toString('base64'),
      },
    });
    const as = (token: string, change: JsonObject = {}) =>
      request({ ...server, token }, 'POST', collection, applyMergePatch(object, change));
    assert.match((await as('n2')).text, /which is not the requesting node \\"n2\\"/);
    assert.equal((await as('n1', { spec: { nodeUID: 'other' } })).status, 500);
    assert.match((await as('n1', { spec: { serviceAccountName: 'default' } })).text, /differs from running pod/);
    const created = await as('n1');
    assert.equal(created.status, 201, created.text);
  });
});
