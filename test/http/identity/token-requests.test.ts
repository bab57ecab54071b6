import assert from 'node:assert/strict';
import { startServer } from '../../../src/testing/index.ts';
import { type HttpResponse, request } from '../http-client.ts';
import { claimsOf, serviceAccountWorld, type ServiceAccountWorld } from './service-account-world.ts';

const hour = 3600;
const year = 365 * 24 * hour;
const pod = {
  metadata: { name: 'p' },
  spec: { serviceAccountName: 'robot', containers: [{ name: 'c', image: 'i' }] },
};

/** The status of a TokenRequest. */
function statusOf({ body }: HttpResponse): { readonly token: string; readonly expirationTimestamp: string } {
  return (body as { status: { token: string; expirationTimestamp: string } }).status;
}

describe('requests for tokens of service accounts', () => {
  let world: ServiceAccountWorld;
  let podUid: string;
  before(async () => {
    world = await serviceAccountWorld({ serviceAccountMaxTokenExpirationMs: 2 * hour * 1000 });
    podUid = await world.create('pods', pod);
    await world.create('secrets', { metadata: { name: 's' } });
    await world.create('serviceaccounts', { metadata: { name: 'other' } });
    await world.create('pods', {
      ...pod,
      metadata: { name: 'foreign' },
      spec: { ...pod.spec, serviceAccountName: 'other' },
    });
  });
  after(() => world.stop());

  it('get a token for this server and an hour', async () => {
    const response = await world.requestToken();
    assert.equal(response.status, 201, response.text);
    const { spec, metadata } = response.body as { spec: unknown; metadata: { name: string; namespace: string } };
    const issuer = 'https://cluster.default.svc';
    assert.deepEqual(spec, { audiences: [issuer], expirationSeconds: hour, boundObjectRef: null });
    assert.deepEqual([metadata.name, metadata.namespace], ['robot', 'default']);
    const { token, expirationTimestamp } = statusOf(response);
    const { exp, iat, nbf, 'cluster.io': own, ...claims } = claimsOf(token);
    assert.equal(exp, iat + hour);
    assert.equal(nbf, iat);
    assert.equal(Date.parse(expirationTimestamp), exp * 1000);
    assert.deepEqual(claims, { aud: [issuer], iss: issuer, sub: 'system:serviceaccount:default:robot' });
    const { serviceaccount, namespace } = own as { serviceaccount: { name: string; uid: string }; namespace: string };
    assert.deepEqual([serviceaccount.name, namespace], ['robot', 'default']);
    assert.match(serviceaccount.uid, /^[0-9a-f-]{36}$/);
  });

  it('get one for other audiences, another time and an object', async () => {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p', uid: podUid };
    const token = await world.token({ audiences: ['a', 'b'], expirationSeconds: 600, boundObjectRef });
    const { exp, iat, aud, 'cluster.io': own } = claimsOf(token);
    assert.deepEqual([exp - iat, aud], [600, ['a', 'b']]);
    assert.deepEqual((own as { pod: unknown }).pod, { name: 'p', uid: podUid });
  });

  it('get a year for the volume of a pod, with a mark after which the use is counted', async () => {
    const boundObjectRef = { apiVersion: 'v1', kind: 'Pod', name: 'p' };
    const response = await world.requestToken({ expirationSeconds: 3607, boundObjectRef });
    const { token, expirationTimestamp } = statusOf(response);
    const { exp, iat, 'cluster.io': own } = claimsOf(token);
    assert.equal(exp, iat + year);
    assert.equal((own as { warnafter: number }).warnafter, iat + 3607);
    assert.equal(Date.parse(expirationTimestamp), (iat + 3607) * 1000, 'clients read it again after the hour');
    for (const spec of [
      { expirationSeconds: 3607 },
      { expirationSeconds: 3607, boundObjectRef, audiences: ['else'] },
    ]) {
      const claims = claimsOf(await world.token(spec));
      assert.equal(claims.exp, claims.iat + 3607, JSON.stringify(spec));
    }
  });

  it('get the longest time of the server instead of a longer one, with a warning', async () => {
    const response = await world.requestToken({ expirationSeconds: 3 * hour });
    assert.match(
      String(response.headers['warning']),
      /requested expiration of 10800 seconds shortened to 7200 seconds/,
    );
    const { exp, iat } = claimsOf(statusOf(response).token);
    assert.equal(exp, iat + 2 * hour);
  });

  const reference = (given: object) => ({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p', ...given } });
  const refused: Readonly<Record<string, readonly [spec: object, code: number, message: RegExp]>> = {
    'less than ten minutes': [
      { expirationSeconds: 599 },
      422,
      /^TokenRequest.authentication.cl.io "" is invalid: spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 10 minutes$/,
    ],
    'more than 2^32 seconds': [
      { expirationSeconds: 2 ** 32 + 1 },
      422,
      /spec.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2\^32 seconds$/,
    ],
    'another UID': [reference({ uid: 'x' }), 409, /^Operation cannot be fulfilled on Pod "p": the UID in the bound/],
    'a missing pod': [reference({ name: 'x' }), 404, /^pods "x" not found$/],
    'a missing secret': [reference({ kind: 'Secret' }), 404, /^secrets "p" not found$/],
    'no name': [reference({ name: '' }), 400, /^Name parameter required.$/],
    'a node': [reference({ kind: 'Node' }), 400, /^cannot bind token to object of type \/v1, Kind=Node$/],
    'another group': [
      reference({ apiVersion: 'apps/v1' }),
      400,
      /^cannot bind token to object of type apps\/v1, Kind=Pod$/,
    ],
    'a pod of another account': [
      reference({ name: 'foreign' }),
      400,
      /^cannot bind token for serviceaccount "robot" to pod running with different serviceaccount name.$/,
    ],
  };
  for (const [what, [spec, code, message]] of Object.entries(refused)) {
    it(`are refused with ${what}`, async () => {
      const response = await world.requestToken(spec);
      assert.equal(response.status, code, response.text);
      assert.match((response.body as { message: string }).message, message);
    });
  }

  it('are refused for another name, another namespace and a missing account', async () => {
    const name = await world.requestToken({}, { metadata: { name: 'x' } });
    assert.equal(name.status, 422);
    assert.match(name.text, /metadata.name: Invalid value: \\"x\\": must match the service account name if specified/);
    assert.equal((await world.requestToken({}, { metadata: { namespace: 'x' } })).status, 400);
    const path = '/api/v1/namespaces/default/serviceaccounts/nobody/token';
    const missing = await request(world.server, 'POST', path, { spec: {} });
    assert.equal(missing.status, 404);
    assert.equal((missing.body as { message: string }).message, 'serviceaccounts "nobody" not found');
  });

  it('are answered in YAML and Protobuf too, and for a dry run', async () => {
    const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
    const yaml = await request(world.server, 'POST', path, 'spec: {expirationSeconds: 601}', {
      'content-type': 'application/yaml',
      accept: 'application/yaml',
    });
    assert.equal(yaml.status, 201, yaml.text);
    assert.match(yaml.text, /^ {2}expirationSeconds: 601$/m);
    const binary = await request(world.server, 'POST', path, {}, { accept: 'application/vnd.cluster.protobuf' });
    assert.equal(binary.status, 201);
    assert.match(binary.text, /ey[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+/);
    assert.equal((await world.requestToken({}, { query: '?dryRun=All' })).status, 201);
  });

  it('are a sub-resource that discovery lists and that has no other verb', async () => {
    const { body } = await request(world.server, 'GET', '/api/v1');
    const { resources } = body as { resources: readonly { name: string }[] };
    assert.deepEqual(
      resources.find(({ name }) => name === 'serviceaccounts/token'),
      {
        name: 'serviceaccounts/token',
        singularName: '',
        namespaced: true,
        group: 'authentication.cl.io',
        version: 'v1',
        kind: 'TokenRequest',
        verbs: ['create'],
      },
    );
    const path = '/api/v1/namespaces/default/serviceaccounts/robot/token';
    assert.equal((await request(world.server, 'GET', path)).status, 405);
  });
});

describe('requests for tokens and admission', () => {
  it('pass the plugins as a create: there is no token in a namespace that is being deleted', async () => {
    await using server = await startServer();
    await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'n' } });
    await request(server, 'POST', '/api/v1/namespaces/n/serviceaccounts', { metadata: { name: 'robot' } });
    const path = '/api/v1/namespaces/n/serviceaccounts/robot/token';
    assert.equal((await request(server, 'POST', path, {})).status, 201);
    await request(server, 'DELETE', '/api/v1/namespaces/n');
    const response = await request(server, 'POST', path, {});
    assert.equal(response.status, 403, response.text);
    assert.match(response.text, /unable to create new content in namespace n because it is being terminated/);
  });
});

describe('requests for tokens of later releases', () => {
  it('can bind a token to a node, and give it an identity', async () => {
    const world = await serviceAccountWorld({ emulationForwardCompatible: true });
    try {
      const { server } = world;
      const { body } = await request(server, 'POST', '/api/v1/nodes', { metadata: { name: 'n' } });
      const { uid } = (body as { metadata: { uid: string } }).metadata;
      const token = await world.token({ boundObjectRef: { apiVersion: 'v1', kind: 'Node', name: 'n' } });
      const { jti, 'cluster.io': own } = claimsOf(token);
      assert.deepEqual((own as { node: unknown }).node, { name: 'n', uid });
      const { user } = (await world.review(token)) as { user: { extra: unknown } };
      assert.deepEqual(user.extra, {
        'authentication.cluster.io/credential-id': [`JTI=${String(jti)}`],
        'authentication.cluster.io/node-name': ['n'],
        'authentication.cluster.io/node-uid': [uid],
      });
      await request(server, 'DELETE', '/api/v1/nodes/n');
      assert.equal(await world.statusOf(token), 401);
    } finally {
      await world.stop();
    }
  });

  it('name the node of a pod', async () => {
    const world = await serviceAccountWorld({ emulationForwardCompatible: true });
    try {
      await request(world.server, 'POST', '/api/v1/nodes', { metadata: { name: 'n' } });
      await world.create('pods', { ...pod, spec: { ...pod.spec, nodeName: 'n' } });
      const token = await world.token({ boundObjectRef: { apiVersion: 'v1', kind: 'Pod', name: 'p' } });
      assert.equal((claimsOf(token)['cluster.io'] as { node: { name: string } }).node.name, 'n');
      await request(world.server, 'DELETE', '/api/v1/nodes/n');
      assert.equal(await world.statusOf(token), 200, 'it ends with the pod');
    } finally {
      await world.stop();
    }
  });
});
