import assert from 'node:assert/strict';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { sendRaw } from './raw-socket.ts';

const rbac = '/apis/rbac.authorization.cl.io/v1';

describe('the right to read a path', () => {
  let server: TestServer;
  before(async () => {
    const tokens = [{ token: 'ann', username: 'ann', groups: [] }];
    server = await startServer({ authorizationMode: ['RBAC'], tokens, store: 'memory' });
    const rules = [{ verbs: ['get'], nonResourceURLs: ['/exact', '/pub/*', '/metrics'] }];
    await request(server, 'POST', `${rbac}/clusterroles`, { metadata: { name: 'paths' }, rules });
    await request(server, 'POST', `${rbac}/clusterrolebindings`, {
      metadata: { name: 'paths' },
      roleRef: { apiGroup: 'rbac.authorization.cl.io', kind: 'ClusterRole', name: 'paths' },
      subjects: [{ kind: 'User', name: 'ann' }],
    });
  });
  after(() => server.stop());

  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await request(server, 'GET', path, undefined, headers)).status;

  /** What kube-apiserver answers to anonymous callers, but for escapes and slashes at the end of /version. */
  const anonymous: Readonly<Record<string, number>> = {
    '/healthz': 200,
    '/livez': 200,
    '/readyz': 200,
    '/version': 200,
    '/version/': 200,
    '/v%65rsion': 200,
    '/version%2f': 200,
    '/healthz/': 403,
    '/healthz//': 403,
    '/healthz%2f': 403,
    '/livez/': 403,
    '/readyz/': 403,
    '//healthz': 403,
    '/./healthz': 403,
    '/x/../healthz': 403,
    '/healthz/..': 403,
    '/healthz/%2e%2e': 403,
    '/healthz;x': 403,
    '/healthz%3f': 403,
    '/healthz/ping': 403,
    '/healthz%2fping': 403,
    '/version//': 403,
    '//version': 403,
    '/': 403,
    '//': 403,
  };
  for (const [path, status] of Object.entries(anonymous)) {
    it(`answers ${status} to an anonymous GET ${path}`, async () => {
      const { status: answered, text } = await sendRaw(
        server,
        `GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`,
      );
      assert.equal(answered, status, text);
      assert.ok(!text.includes('"/apis/'), 'the index of paths is not shown');
    });
  }

  it('is of this path, or of all paths below it, and of no other spelling', async () => {
    const ann = { authorization: 'Bearer ann' };
    // These paths are allowed, and there is nothing there.
    for (const path of ['/exact', '/ex%61ct', '/pub/', '/pub/a', '/pub//', '/pub%2fa', '/metrics?x=/y/']) {
      assert.notEqual(await statusOf(path, ann), 403, path);
    }
    for (const path of ['/exact/', '/exact%2f', '//exact', '/exact/.', '/exact;', '/pub', '/pubs/', '/metrics/']) {
      assert.equal(await statusOf(path, ann), 403, path);
    }
  });

  it('is that of the path in a target with a host, which does not count', async () => {
    const get = (target: string) => sendRaw(server, `GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
    const statuses: [string, number][] = [
      ['https://elsewhere.example/healthz', 200],
      ['https://user:password@elsewhere.example/healthz', 200],
      ['HTTP://elsewhere.example:99/healthz/', 403],
      ['ftp://elsewhere.example/healthz', 200],
      ['https://elsewhere.example?/healthz', 403],
      ['https://elsewhere.example', 403],
    ];
    for (const [target, status] of statuses) assert.equal((await get(target)).status, status, target);
  });
});
