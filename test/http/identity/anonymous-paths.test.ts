import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Agent } from 'undici';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { request } from '../http-client.ts';

const clusterInfo = '/api/v1/namespaces/public/configmaps/cluster-info';
const configMaps = '/api/v1/namespaces/public/configmaps';

describe('anonymous requests, of which an AuthenticationConfiguration decides', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-anonymous-'));
  });
  after(() => rm(directory, { recursive: true }));

  /** Writes a configuration with these settings. */
  async function configure(anonymous: object): Promise<string> {
    const file = path.join(directory, 'authentication.json');
    const apiVersion = 'apiserver.config.cl.io/v1';
    await writeFile(file, JSON.stringify({ apiVersion, kind: 'AuthenticationConfiguration', anonymous }));
    return file;
  }

  /** The statuses of requests without a credential. */
  async function statusesOf(server: TestServer, ...paths: readonly string[]): Promise<readonly number[]> {
    const stranger = new Agent({ connect: { ca: server.ca } });
    const status = async (target: string): Promise<number> => {
      const response = await stranger.request({ origin: server.url, path: target, method: 'GET' });
      await response.body.dump();
      return response.statusCode;
    };
    const statuses = await Promise.all(paths.map(status));
    await stranger.close();
    return statuses;
  }

  it('are served for the listed paths alone, whatever a binding allows', async () => {
    const conditions = [{ path: clusterInfo }, { path: '/apis/' }];
    const authenticationConfigFile = await configure({ enabled: true, conditions });
    await using server = await startServer({ authenticationConfigFile, authorizationMode: 'AlwaysAllow' });
    await request(server, 'POST', '/api/v1/namespaces', { metadata: { name: 'public' } });
    await request(server, 'POST', configMaps, { metadata: { name: 'cluster-info' } });
    const same = [clusterInfo, `${clusterInfo}?pretty=1`, '/apis/'];
    assert.deepEqual(
      await statusesOf(server, ...same),
      same.map(() => 200),
    );
    const encoded = clusterInfo.replace('cluster-info', '%63luster-info');
    assert.deepEqual(await statusesOf(server, encoded), [200], 'the decoded path counts');
    const others = [configMaps, `${clusterInfo}/`, '/apis', '/apis/apps', clusterInfo.toUpperCase(), '/api'];
    assert.deepEqual(
      await statusesOf(server, ...others),
      others.map(() => 401),
    );
    assert.deepEqual(await statusesOf(server, '/livez'), [200], 'paths that everyone may read need not be listed');
    assert.equal((await request(server, 'GET', configMaps)).status, 200, 'others are not concerned');
  });

  it('are all served, or none', async () => {
    const paths = ['/version', '/api/v1/namespaces'];
    for (const [enabled, expected] of [
      [true, [200, 403]],
      [false, [401, 401]],
    ] as const) {
      const authenticationConfigFile = await configure({ enabled });
      await using server = await startServer({ authenticationConfigFile, authorizationMode: 'RBAC' });
      assert.deepEqual(await statusesOf(server, ...paths), expected);
    }
  });

  it('cannot be configured by the flag too', async () => {
    const authenticationConfigFile = await configure({ enabled: true });
    await assert.rejects(
      startServer({ authenticationConfigFile, anonymousAuth: true }),
      /anonymous: Forbidden: --anonymous-auth flag cannot be set when anonymous field is configured/,
    );
  });

  it('do not open a server that allows everything, unless their paths are listed', async () => {
    const authenticationConfigFile = await configure({ enabled: true });
    const options = { authenticationConfigFile, authorizationMode: 'AlwaysAllow', bindAddress: '0.0.0.0' } as const;
    await assert.rejects(startServer(options), /would make everyone who can connect to 0\.0\.0\.0 an administrator/);
  });
});
