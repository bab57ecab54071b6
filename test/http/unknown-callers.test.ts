import assert from 'node:assert/strict';
import { Agent } from 'undici';
import { type ServerOptions } from '../../src/server/index.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { request } from './http-client.ts';
import { until } from './until.ts';

/** Readable without a credential (spec 4.9), and nothing else is. */
const publicPaths = ['/healthz', '/livez', '/readyz', '/readyz?verbose', '/version'];

const otherPaths: readonly (readonly [method: string, path: string])[] = [
  ...[
    '/',
    '/api',
    '/api/',
    '/api/v1',
    '/apis',
    '/apis/apps',
    '/apis/apps/v1',
    '/openapi/v2',
    '/metrics',
    '/readyz/etcd',
    '/livez/ping',
    '/healthz/ping',
    '/version/x',
    '/Version',
    '/%76ersion/..',
    '/healthz%2F',
    '//healthz',
    '/zork',
    '/api/v1/namespaces',
    '/api/v1/namespaces?watch=1',
    '/api/v1/watch/namespaces',
    '/api/v1/namespaces/default',
    '/api/v1/namespaces/default/secrets/s',
    '/api/v1/namespaces/version',
    '/apis/apps/v1/deployments/healthz',
    '/apis/zork.example/v1/things',
  ].map((path) => ['GET', path] as const),
  ['POST', '/healthz'],
  ['DELETE', '/version'],
  ['OPTIONS', '/livez'],
  ['POST', '/api/v1/namespaces'],
  ['PUT', '/api/v1/namespaces/default'],
  ['PATCH', '/api/v1/namespaces/default'],
  ['DELETE', '/api/v1/namespaces/default'],
  ['DELETE', '/api/v1/namespaces/default/configmaps'],
  ['POST', '/apis/authentication.cl.io/v1/tokenreviews'],
  ['POST', '/apis/authorization.cl.io/v1/selfsubjectaccessreviews'],
];

/** Modes in which anonymous requests are off, and whether public paths can be read nevertheless. */
const closed: readonly (readonly [name: string, options: Partial<ServerOptions>, publicStatus: 200 | 401])[] = [
  ['by default', {}, 200],
  ['where anonymous requests are off', { anonymousAuth: false }, 401],
  ['where roles decide and anonymous requests are off', { anonymousAuth: false, authorizationMode: 'RBAC' }, 401],
  [
    'where all is denied and anonymous requests are off',
    { anonymousAuth: false, authorizationMode: 'AlwaysDeny' },
    401,
  ],
];

describe('A caller without a credential', () => {
  for (const [name, options, publicStatus] of closed) {
    describe(name, () => {
      let server: TestServer;
      let stranger: Agent;
      before(async () => {
        server = await startServer(options);
        stranger = new Agent({ connect: { ca: server.ca } });
      });
      after(async () => {
        await stranger.close();
        await server.stop();
      });

      const ask = async (method: string, path: string, authorization?: string): Promise<number> => {
        const response = await stranger.request({
          origin: server.url,
          path,
          method,
          headers: authorization === undefined ? {} : { authorization },
        });
        // A watch that is let in would never end.
        response.body.on('error', () => {}).destroy();
        return response.statusCode;
      };

      it(`gets ${publicStatus} from health and version`, async () => {
        for (const path of publicPaths) assert.equal(await ask('GET', path), publicStatus, path);
        assert.equal(await ask('HEAD', '/readyz'), publicStatus);
      });

      it('is answered 401 everywhere else', async () => {
        const statuses = await Promise.all(otherPaths.map(([method, path]) => ask(method, path)));
        for (const [index, [method, path]] of otherPaths.entries()) {
          assert.equal(statuses[index], 401, `${method} ${path}`);
        }
      });

      it('is the same with an empty Authorization header', async () => {
        assert.equal(await ask('GET', '/version', ''), publicStatus);
        assert.equal(await ask('GET', '/version', '  '), publicStatus);
        assert.equal(await ask('GET', '/api/v1/namespaces', ''), 401);
      });

      it('is answered 401 with a bad credential, on public paths too', async () => {
        for (const path of [...publicPaths, '/api/v1/namespaces']) {
          for (const bad of ['Bearer wrong', 'Basic YTpi', 'Bearer']) {
            assert.equal(await ask('GET', path, bad), 401, `${bad} ${path}`);
          }
        }
      });
    });
  }

  it('is anonymous where that is asked for', async () => {
    await using server = await startServer({ anonymousAuth: true });
    const stranger = new Agent({ connect: { ca: server.ca } });
    for (const headers of [{}, { authorization: '' }]) {
      const response = await stranger.request({
        origin: server.url,
        path: '/api/v1/namespaces',
        method: 'GET',
        headers,
      });
      await response.body.dump();
      assert.equal(response.statusCode, 200);
    }
    await stranger.close();
  });

  it('reads the version as long as a role says so', async () => {
    await using server = await startServer({ authorizationMode: 'RBAC' });
    const stranger = new Agent({ connect: { ca: server.ca } });
    const read = async (path: string): Promise<number> => {
      const response = await stranger.request({ origin: server.url, path, method: 'GET' });
      await response.body.dump();
      return response.statusCode;
    };
    assert.equal(await read('/version'), 200);
    const binding = '/apis/rbac.authorization.cl.io/v1/clusterrolebindings/system:public-info-viewer';
    assert.equal((await request(server, 'DELETE', binding)).status, 200);
    await until('the role to be gone', async () => (await read('/version')) === 403);
    assert.equal(await read('/readyz'), 200);
    await stranger.close();
  });

  it('reads no more paths than the administrator lets everyone read', async () => {
    await using server = await startServer({ alwaysAllowPaths: ['/livez', '/openapi/*'] });
    const stranger = new Agent({ connect: { ca: server.ca } });
    const statuses: Record<string, number> = {};
    for (const path of ['/livez', '/openapi/v2', '/readyz', '/version']) {
      const response = await stranger.request({ origin: server.url, path, method: 'GET' });
      await response.body.dump();
      statuses[path] = response.statusCode;
    }
    assert.deepEqual(statuses, { '/livez': 200, '/openapi/v2': 200, '/readyz': 401, '/version': 401 });
    await stranger.close();
  });
});

describe('A token of the program that embeds a server', () => {
  it('may be without groups', async () => {
    await using server = await startServer({
      authorizationMode: 'RBAC',
      tokens: [{ token: 'lone', username: 'lone' }],
      anonymousAuth: false,
    });
    const lone = { url: server.url, ca: server.ca, token: 'lone' };
    assert.equal((await request(lone, 'GET', '/version')).status, 200);
    assert.equal((await request(lone, 'GET', '/api/v1/namespaces')).status, 403);
    const review = { spec: { resourceAttributes: { verb: 'get', resource: 'pods' } } };
    const reviews = '/apis/authorization.cl.io/v1/selfsubjectaccessreviews';
    assert.equal((await request(lone, 'POST', reviews, review)).status, 201);
  });
});

describe('A user whom the authorizer allows nothing', () => {
  it('reads health all the same, and no version', async () => {
    const tokens = [{ token: 'someone', username: 'someone', groups: [] }];
    await using server = await startServer({ authorizationMode: 'AlwaysDeny', tokens });
    const someone = { ...server, token: 'someone' };
    for (const path of publicPaths) {
      const { status } = await request(someone, 'GET', path);
      assert.equal(status, path === '/version' ? 403 : 200, path);
    }
    assert.equal((await request(someone, 'POST', '/healthz')).status, 403);
    assert.equal((await request(someone, 'GET', '/metrics')).status, 403);
  });
});
