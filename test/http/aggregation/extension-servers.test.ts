import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { clientConfigText } from '../../../src/testing/client-config-text.ts';
import { define, widgetsAt, widgetsIn } from '../custom-resources/widgets.ts';
import { readEvents, request } from '../http-client.ts';
import { createAuthority } from '../identity/certificate-authority.ts';
import { until } from '../until.ts';
import { apiServices, proxyHeaders } from './aggregated-world.ts';
import { startExtension } from './start-extension.ts';

const rbac = 'rbac.authorization.cl.io';
const tokens = [
  { token: 'ann-token', username: 'ann', groups: ['dev'] },
  { token: 'bob-token', username: 'bob' },
  { token: 'extension-token', username: 'extension' },
];

describe('an extension server', () => {
  let directory: string;
  let server: TestServer;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'extension-'));
    const proxies = await createAuthority('proxies');
    const users = await createAuthority('users');
    const proxy = await proxies.issue('front-proxy');
    const file = async (name: string, text: string): Promise<string> => {
      await writeFile(path.join(directory, name), text);
      return path.join(directory, name);
    };
    server = await startServer({
      authorizationMode: 'RBAC',
      tokens,
      serviceResolver: 'cluster-ip',
      clientCaFile: await file('users.pem', users.pem),
      frontProxy: {
        caFile: await file('proxies.pem', proxies.pem),
        allowedNames: ['front-proxy'],
        headers: proxyHeaders,
      },
      proxyClient: { certFile: await file('proxy.pem', proxy.certPem), keyFile: await file('proxy.key', proxy.keyPem) },
    });
    await post(`/apis/${rbac}/v1/clusterrolebindings`, bindingOf('delegator', 'ClusterRole', 'system:auth-delegator'));
    const reader = bindingOf('reader', 'Role', 'extension-apiserver-authentication-reader');
    await post(`/apis/${rbac}/v1/namespaces/cl-system/rolebindings`, reader);
    const rules = [{ apiGroups: ['*'], resources: ['things', 'widgets'], verbs: ['*'] }];
    await post(`/apis/${rbac}/v1/clusterroles`, { metadata: { name: 'things' }, rules });
    const toDevelopers = bindingOf('things', 'ClusterRole', 'things', { kind: 'Group', name: 'dev' });
    await post(`/apis/${rbac}/v1/clusterrolebindings`, toDevelopers);
    const service = { type: 'ExternalName', externalName: 'localhost' };
    await post('/api/v1/namespaces/default/services', { metadata: { name: 'extension' }, spec: service });
  });
  after(async () => {
    await server.stop();
    await rm(directory, { recursive: true });
  });

  function bindingOf(name: string, kind: string, role: string, subject = { kind: 'User', name: 'extension' }) {
    const roleRef = { apiGroup: rbac, kind, name: role };
    return { metadata: { name }, roleRef, subjects: [{ apiGroup: rbac, ...subject }] };
  }

  const post = async (where: string, body: object): Promise<void> => {
    const { status, text } = await request(server, 'POST', where, body);
    assert.equal(status, 201, text);
  };

  const as = (name: string, method: string, where: string, body?: object) =>
    request({ url: server.url, ca: server.ca, token: `${name}-token` }, method, where, body);

  const register = async (group: string, port: number, trust: object): Promise<void> => {
    const spec = { group, version: 'v1', groupPriorityMinimum: 100, versionPriority: 1, ...trust };
    const service = { namespace: 'default', name: 'extension', port };
    await post(apiServices, { metadata: { name: `v1.${group}` }, spec: { ...spec, service } });
    await until(`${group} to be available`, async () => {
      const { body } = await request(server, 'GET', `${apiServices}/v1.${group}`);
      return objectsAt(objectAt(body as JsonObject, 'status'), 'conditions')[0]?.['status'] === 'True';
    });
  };

  it('written for kube-apiserver works behind this server, and asks it about users and rights', async () => {
    const group = 'extension.example.com';
    const things = `/apis/${group}/v1/things`;
    await using extension = await startExtension(server, 'extension-token', group);
    await register(group, extension.port, { caBundle: Buffer.from(extension.ca).toString('base64') });
    const ann = { username: 'ann', groups: ['dev', 'system:authenticated'] };
    const passed = await as('ann', 'GET', things);
    assert.deepEqual([passed.status, passed.body], [200, { user: ann }]);
    assert.equal((await as('bob', 'GET', things)).status, 403);

    const direct = { url: extension.url, ca: extension.ca, token: 'ann-token' };
    const asked = await request(direct, 'GET', things);
    assert.equal(asked.status, 200, asked.text);
    assert.equal(stringAt(objectAt(asked.body as JsonObject, 'user'), 'username'), 'ann');
    assert.equal((await request({ ...direct, token: 'bob-token' }, 'GET', things)).status, 403);
    const forged = { 'x-remote-user': 'ann', 'x-remote-group': 'dev' };
    assert.equal((await request({ ...direct, token: 'nobody' }, 'GET', things, undefined, forged)).status, 401);
  });

  it('can be another server of this kind, with its own custom resources', async () => {
    const group = 'behind.example.com';
    const { body } = await request(
      server,
      'GET',
      '/api/v1/namespaces/cl-system/configmaps/extension-apiserver-authentication',
    );
    const data = objectAt(body as JsonObject, 'data');
    const caFile = path.join(directory, 'published-ca.pem');
    await writeFile(caFile, stringAt(data, 'requestheader-client-ca-file'));
    const list = (key: string): string[] => JSON.parse(stringAt(data, key)) as string[];
    const reviewer = async (name: string, where: string): Promise<string> => {
      const file = path.join(directory, name);
      const at = { server: `${server.url}${where}`, ca: server.ca, token: 'extension-token' };
      await writeFile(file, clientConfigText(at));
      return file;
    };
    await using behind = await startServer({
      frontProxy: {
        caFile,
        allowedNames: list('requestheader-allowed-names'),
        headers: {
          username: list('requestheader-username-headers'),
          uid: [],
          groups: list('requestheader-group-headers'),
          extraPrefixes: list('requestheader-extra-headers-prefix'),
        },
      },
      authorizationMode: {
        type: 'Webhook',
        name: 'front',
        clientConfigFile: await reviewer('access', '/apis/authorization.cl.io/v1/subjectaccessreviews'),
        version: 'v1',
        authorizedTtlMs: 0,
        unauthorizedTtlMs: 0,
        timeoutMs: 60_000,
        onFailure: 'deny',
      },
      tokenWebhook: {
        clientConfigFile: await reviewer('tokens', '/apis/authentication.cl.io/v1/tokenreviews'),
        cacheTtlMs: 0,
        version: 'v1',
      },
    });
    await define(behind, widgetsIn(group));
    await register(group, behind.port, { insecureSkipTLSVerify: true });
    const widgets = widgetsAt(group);
    const watch = readEvents({ url: server.url, ca: server.ca, token: 'ann-token' }, `${widgets}?watch=1`);
    try {
      const created = await as('ann', 'POST', widgets, { kind: 'Widget', metadata: { name: 'a' }, spec: { size: 1 } });
      assert.equal(created.status, 201, created.text);
      await until('the event', () => watch.events.some(({ type }) => type === 'ADDED'));
      assert.equal((await as('bob', 'GET', widgets)).status, 403);
      const invalid = await as('ann', 'POST', widgets, { kind: 'Widget', metadata: { name: 'b' }, spec: { size: 99 } });
      assert.equal(invalid.status, 422, invalid.text);
      const direct = { url: behind.url, ca: behind.ca, token: 'ann-token' };
      assert.equal((await request(direct, 'GET', `${widgets}/a`)).status, 200);
      assert.equal((await request({ ...direct, token: 'bob-token' }, 'GET', `${widgets}/a`)).status, 403);
      const patch = { spec: { size: 2 } };
      const type = { 'content-type': 'application/merge-patch+json' };
      const front = { url: server.url, ca: server.ca, token: 'ann-token' };
      const patched = await request(front, 'PATCH', `${widgets}/a`, patch, type);
      assert.equal(patched.status, 200, patched.text);
      assert.equal((await as('ann', 'DELETE', `${widgets}/a`)).status, 200);

      // A server that is slow to describe itself delays no reader for long: its part comes later.
      let second: JsonObject = {};
      await until('the description of its kind', async () => {
        second = (await request(server, 'GET', '/openapi/v2')).body as JsonObject;
        return Object.hasOwn(objectAt(second, 'definitions'), 'com.example.behind.v1.Widget');
      });
      const kind = objectAt(second, 'definitions', 'com.example.behind.v1.Widget', 'properties', 'spec', 'properties');
      assert.deepEqual(objectAt(kind, 'size'), { type: 'integer', minimum: 1, maximum: 9 });
      assert.ok(objectAt(second, 'paths', `/apis/${group}/v1/namespaces/{namespace}/widgets`)['post']);
      const names = Object.keys(objectAt(second, 'definitions'));
      assert.deepEqual(
        names.filter((name) => name.endsWith('_v2')),
        [],
        'equal definitions are shared',
      );
      const accept = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
      const binary = await request(server, 'GET', '/openapi/v2', undefined, { accept });
      assert.ok(binary.text.includes('com.example.behind.v1.Widget'));
      const index = objectAt((await request(server, 'GET', '/openapi/v3')).body as JsonObject, 'paths');
      const address = stringAt(objectAt(index, `apis/${group}/v1`), 'serverRelativeURL');
      const third = await as('ann', 'GET', address);
      assert.equal(third.status, 200, third.text);
      const schemas = objectAt(third.body as JsonObject, 'components', 'schemas');
      assert.ok(objectAt(schemas, 'com.example.behind.v1.Widget')['properties']);
      const tag = { 'if-none-match': String(third.headers['etag']) };
      assert.equal((await request(server, 'GET', address, undefined, tag)).status, 304);
    } finally {
      watch.stop();
    }
  });
});
