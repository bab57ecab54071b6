import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';

/** Documents that are not resources. */
const documents = [
  '/',
  '/version',
  '/api',
  '/api/v1',
  '/apis',
  '/apis/apps',
  '/apis/apps/v1',
  '/openapi/v2',
  '/openapi/v3',
  '/metrics',
  '/healthz',
  '/.well-known/openid-configuration',
  '/openid/v1/jwks',
];

describe('HEAD', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server.stop());

  for (const path of documents) {
    it(`of ${path} is GET without a body`, async () => {
      const got = await request(server, 'GET', path);
      const head = await request(server, 'HEAD', path);
      assert.deepEqual([head.status, head.text], [200, '']);
      assert.equal(head.headers['content-type'], got.headers['content-type']);
    });
  }
});
