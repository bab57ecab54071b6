import assert from 'node:assert/strict';
import { type Fixture, startFixture } from './fixture.ts';

describe('request paths', () => {
  let server: Fixture;

  before(async () => {
    server = await startFixture();
    await server.configMap('a');
  });
  after(() => server[Symbol.asyncDispose]());

  const missing = 'the server could not find the requested resource';
  const notAllowed = 'the server does not allow this method on the requested resource';
  const cases: readonly [method: string, path: string, status: number, message?: string][] = [
    ['GET', '/api/v2', 404, missing],
    ['GET', '/apis/apps/v9', 404, missing],
    ['GET', '/apis/apps/v9/namespaces/ns/deployments', 404, missing],
    ['GET', '/api/v1/nopes', 404, missing],
    ['GET', '/api//v1/pods', 404, missing],
    ['GET', '/api/v1//namespaces', 404, missing],
    ['GET', '/api/v1/namespaces//configmaps', 404, missing],
    ['GET', '/api/v1/namespaces/ns//configmaps/a', 404, missing],
    ['GET', '/api/v1/watch', 404, missing],
    ['GET', '/api/v1/namespaces/ns/configmaps/a//', 200],
    ['GET', '/api/v1/namespaces/ns/nopes', 404, missing],
    ['GET', '/apis/apps/v1/namespaces/ns/configmaps', 404, missing],
    ['GET', '/api/v1/namespaces/ns/configmaps/a/status', 404, missing],
    ['GET', '/api/v1/namespaces/ns/configmaps/a/b/c/d', 404, missing],
    ['GET', '/api/v1/namespaces/ns/ConfigMaps', 404, missing],
    ['GET', '/api/v1/configmaps/a', 404, missing],
    ['POST', '/api/v1/configmaps', 405, notAllowed],
    ['DELETE', '/api/v1/configmaps', 405, notAllowed],
    ['GET', '/api/v1/namespaces/ns/nodes', 404, missing],
    ['GET', '/api/v1/namespaces/ns/namespaces/ns', 404, missing],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/namespaces/ns/clusterroles', 404, missing],
    ['GET', '/api/v1/namespaces/ns/configmaps/a/', 200],
    ['GET', '/api/v1/namespaces/ns/configmaps/?labelSelector=x%3D1', 200],
    ['GET', '/apis/apps/', 200],
    ['GET', '/api/v1/namespaces/ns/configmaps/../secrets', 404, missing],
    ['GET', '/api/v1/namespaces/../secrets', 404, missing],
    ['GET', '/api/v1/namespaces/%2e%2e/secrets', 404, missing],
    ['GET', '/api/v1/namespaces/ns/configmaps/%zz', 400, 'invalid URL escape "%zz"'],
    ['GET', '/api/v1/namespaces/ns/configmaps/%', 400, 'invalid URL escape "%"'],
    ['GET', '/api/v1/namespaces/ns/configmaps/%ff', 400, 'invalid URL escape "%ff"'],
    ['GET', '/api/v1/namespaces/ns/configmaps/..', 400, `Name parameter invalid: "..": may not be '..'`],
    ['GET', '/api/v1/namespaces/ns/configmaps/%2e', 400, `Name parameter invalid: ".": may not be '.'`],
    ['GET', '/api/v1/namespaces/ns/configmaps/a%25b', 400, `Name parameter invalid: "a%b": may not contain '%'`],
    ['GET', '/api/v1/namespaces/ns/configmaps/a%2Fb', 404, missing],
    ['GET', '/api/v1/namespaces/ns/configmaps/a%2Fstatus', 404, missing],
    ['GET', '/api/v1/namespaces%2Fns/configmaps', 404, missing],
    ['GET', '/api/v1/namespaces/ns/configmaps/%61', 200],
    ['GET', '/api/v1/namespaces/ns/configmaps/A_B', 404, 'configmaps "A_B" not found'],
    ['GET', '/api/v1/namespaces/ns/configmaps/a%20b', 404, 'configmaps "a b" not found'],
    ['GET', '/api/v1/namespaces/ns/configmaps/%C3%A9', 404, 'configmaps "é" not found'],
    ['GET', '/api/v1/namespaces/ns/configmaps/a%00', 400],
    ['GET', '/api/v1/namespaces/ns/configmaps/a;b', 404, 'configmaps "a;b" not found'],
    ['GET', '/api/v1/namespaces/ns/configmaps/a\\b', 404],
    ['GET', '/api/v1/namespaces/ns/configmaps/a%3Fb', 404, 'configmaps "a?b" not found'],
    ['GET', '/apis/rbac.authorization.k8s.io/v1/namespaces/ns/roles/a:b', 404],
    ['PUT', '/api/v1/namespaces/ns/configmaps', 405, notAllowed],
    ['PATCH', '/api/v1/namespaces/ns/configmaps', 405, notAllowed],
    ['POST', '/api/v1/namespaces/ns/configmaps/a', 405, notAllowed],
    ['PURGE', '/api/v1/namespaces/ns/configmaps/a', 405, notAllowed],
    ['OPTIONS', '/api/v1/namespaces/ns/configmaps/a', 405, notAllowed],
    ['TRACE', '/api/v1/namespaces/ns/configmaps/a', 405, notAllowed],
    ['DELETE', '/version', 405, notAllowed],
    ['POST', '/api', 405, notAllowed],
    ['POST', '/healthz', 200],
    ['DELETE', '/api/v1/namespaces', 405, notAllowed],
    ['GET', '/apis/authorization.k8s.io/v1/subjectaccessreviews', 405, notAllowed],
    ['GET', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews/x', 404, missing],
    ['POST', '/api/v1/watch/namespaces/ns/configmaps', 405, notAllowed],
    ['GET', '/api/v1/watch/configmaps/a', 404, missing],
    ['GET', '/api/v1/proxy/namespaces/ns/configmaps/a', 404, missing],
    ['GET', '/api/v1/namespaces/ns/configmaps/a?foo=bar&limit=1', 200],
    ['GET', 'http://elsewhere.example/api/v1/namespaces/ns/configmaps/a', 200],
  ];
  for (const [method, path, status, message] of cases) {
    it(`answers ${status} to ${method} ${path}`, async () => {
      const response = await server.send({ method, path });
      assert.equal(response.status, status, response.text);
      if (message) assert.equal(response.at('message'), message);
      if (status >= 400) assert.equal(response.at('code'), status);
    });
  }

  for (const path of ['/apis//v1/pods', '/apis/nope.example.com', '/apis/nope.example.com/v1/things']) {
    it(`answers plain text to ${path}, which is in no group`, async () => {
      const response = await server.send({ path });
      assert.equal(response.status, 404);
      assert.equal(response.text, '404 page not found\n');
    });
  }

  for (const path of [
    '/foo',
    '//',
    '//api/v1',
    '//api/v1/pods',
    '/version//',
    '/x/../version',
    '/API',
    '/metrics/',
    '/livez/',
    '/metrics/more',
  ]) {
    it(`answers the index of paths to ${path}, which is none of them`, async () => {
      const response = await server.send({ path });
      assert.equal(response.status, 404);
      assert.equal(response.headers['content-type'], 'application/json');
      const { paths } = response.json() as { readonly paths: readonly string[] };
      assert.ok(paths.includes('/apis/apps/v1') && paths.includes('/metrics'));
    });
  }

  it('answers HEAD like GET, without the body', async () => {
    const path = '/api/v1/namespaces/ns/configmaps/a';
    const [get, head] = [await server.send({ path }), await server.send({ method: 'HEAD', path })];
    assert.equal(head.status, 200);
    assert.equal(head.text, '');
    assert.equal(head.headers['content-length'], get.headers['content-length']);
  });

  for (const [method, type] of [
    ['PATCH', 'application/merge-patch+json'],
    ['PATCH', 'application/apply-patch+yaml'],
    ['PUT', 'application/json'],
    ['DELETE', 'application/json'],
  ] as const) {
    it(`refuses a ${method} (${type}) of a name that no key can have`, async () => {
      const body = { kind: 'ConfigMap', apiVersion: 'v1', metadata: { name: 'a\0' } };
      const path = '/api/v1/namespaces/ns/configmaps/a%00?fieldManager=m';
      const response = await server.send({ method, path, type, ...(method === 'DELETE' ? {} : { body }) });
      assert.equal(response.status, 400, response.text);
    });
  }

  it('answers HEAD of a missing object with 404', async () => {
    const response = await server.send({ method: 'HEAD', path: '/api/v1/namespaces/ns/configmaps/zzz' });
    assert.equal(response.status, 404);
    assert.equal(response.text, '');
  });

  it('puts the standard headers on every answer', async () => {
    for (const path of ['/api/v1/namespaces/ns/configmaps/a', '/foo', '/api/v1/nopes', '/livez']) {
      const { headers } = await server.send({ path });
      assert.match(String(headers['audit-id']), /^[0-9a-f-]{36}$/);
      assert.equal(headers['cache-control'], 'no-cache, private');
      assert.equal(headers['x-content-type-options'], 'nosniff');
    }
  });

  it('writes a Status as kube-apiserver does, with a newline', async () => {
    const { text } = await server.send({ path: '/api/v1/namespaces/ns/configmaps/zzz' });
    assert.equal(
      text,
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"configmaps \\"zzz\\" not found",' +
        '"reason":"NotFound","details":{"name":"zzz","kind":"configmaps"},"code":404}\n',
    );
  });

  it('escapes markup from the path in an error', async () => {
    const { text } = await server.send({ path: '/api/v1/namespaces/ns/configmaps/%3Cscript%3E' });
    assert.match(text, /\\u003cscript\\u003e/);
  });
});
