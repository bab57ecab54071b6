import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

describe('HEAD', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  for (const path of [
    '/',
    '/api/v1/namespaces',
    '/api/v1/namespaces/default',
    '/apis',
    '/apis/apps',
    '/openapi/v2',
    '/metrics',
    '/healthz',
  ]) {
    it(`of ${path} is GET without a body`, async () => {
      const got = await request(server, 'GET', path);
      const head = await request(server, 'HEAD', path);
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.equal(head.headers['content-type'], got.headers['content-type']);
    });
  }

  for (const path of ['/version', '/api', '/apis/apps/v1']) {
    it(`of ${path} is refused, as by kube-apiserver`, async () => {
      assert.equal((await request(server, 'HEAD', path)).status, 405);
    });
  }
});

describe('other methods than GET', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  for (const path of ['/', '/apis', '/apis/apps', '/openapi/v2']) {
    it(`of ${path} are answered like GET, as by kube-apiserver`, async () => {
      const { text } = await request(server, 'GET', path);
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const other = await request(server, method, path);
        assert.deepEqual([other.status, other.text], [200, text], method);
      }
    });
  }

  for (const path of ['/version', '/api', '/api/v1', '/apis/apps/v1']) {
    it(`of ${path} are refused, as by kube-apiserver`, async () => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        assert.equal((await request(server, method, path)).status, 405, method);
      }
    });
  }
});
