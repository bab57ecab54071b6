import assert from 'node:assert/strict';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import type { OutgoingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import type { ClientCertificate } from './certificate-authority.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { createAuthority, type TestAuthority } from './certificate-authority.ts';
import { whoami } from './whoami.ts';

const remoteAnn: OutgoingHttpHeaders = { 'X-Remote-User': 'ann', 'X-Remote-Group': ['dev', 'ops'] };
const headers = {
  username: ['X-Remote-User', 'X-Other-User'],
  uid: ['X-Remote-Uid'],
  groups: ['X-Remote-Group', 'X-Other-Group'],
  extraPrefixes: ['X-Remote-Extra-'],
};

describe('an authenticating proxy', () => {
  let directory: string;
  let users: TestAuthority;
  let proxies: TestAuthority;
  let proxy: ClientCertificate;
  let stranger: ClientCertificate;
  let bob: ClientCertificate;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'front-proxy-'));
    [users, proxies] = await Promise.all([createAuthority('users'), createAuthority('proxies')]);
    [proxy, stranger, bob] = await Promise.all([
      proxies.issue('proxy', ['system:masters']),
      proxies.issue('stranger'),
      users.issue('bob'),
    ]);
    await writeFile(path.join(directory, 'users.pem'), users.pem);
    await writeFile(path.join(directory, 'proxies.pem'), proxies.pem);
  });
  after(() => rm(directory, { recursive: true }));

  const start = (options: TestServerOptions = {}, allowedNames: readonly string[] = ['proxy']): Promise<TestServer> =>
    startServer({
      clientCaFile: path.join(directory, 'users.pem'),
      frontProxy: { caFile: path.join(directory, 'proxies.pem'), allowedNames, headers },
      ...options,
    });

  it('names the user in headers', async () => {
    await using server = await start();
    assert.deepEqual(await whoami(server, remoteAnn, proxy), {
      status: 201,
      user: { username: 'ann', groups: ['dev', 'ops', 'system:authenticated'] },
    });
    const all = {
      'x-remote-user': '',
      'X-OTHER-USER': ['eve', 'mallory'],
      'x-remote-uid': '7',
      'x-other-group': 'a',
      'x-remote-group': ['b', ''],
      'x-remote-extra-Acme.com%2FProject': ['x', 'y'],
      'x-remote-extra-scopes': Buffer.from('é').toString('latin1'),
    };
    assert.deepEqual(await whoami(server, all, proxy), {
      status: 201,
      user: {
        username: 'eve',
        uid: '7',
        groups: ['b', 'a', 'system:authenticated'],
        extra: { 'acme.com/project': ['x', 'y'], scopes: ['é'] },
      },
    });
  });

  it('is asked before the other mechanisms', async () => {
    await using server = await start();
    const seen = await whoami(server, { ...remoteAnn, authorization: `Bearer ${server.token}` }, proxy);
    assert.equal((seen.user as { username: string }).username, 'ann');
  });

  it('is refused under another name, unless every name is allowed', async () => {
    await using server = await start();
    assert.equal((await whoami(server, remoteAnn, stranger)).status, 401);
    await using open = await start({}, []);
    assert.equal((await whoami(open, remoteAnn, stranger)).status, 201);
  });

  it('is not a user of the other CA, even if every name is allowed', async () => {
    await using open = await start({}, []);
    const { user } = await whoami(open, remoteAnn, bob);
    assert.deepEqual(user, { username: 'bob', groups: ['system:authenticated'] });
  });

  it('identifies nobody by its own certificate', async () => {
    await using server = await start();
    assert.equal((await whoami(server, {}, proxy)).status, 401);
    assert.equal((await whoami(server, { x_remote_user: 'ann' }, proxy)).status, 401);
  });

  it('is nobody without its certificate', async () => {
    await using server = await start({ anonymousAuth: true, authorizationMode: 'AlwaysAllow' });
    const anonymous = { username: 'system:anonymous', groups: ['system:unauthenticated'] };
    assert.deepEqual((await whoami(server, remoteAnn)).user, anonymous);
    const asBob = { username: 'bob', groups: ['system:authenticated'] };
    assert.deepEqual((await whoami(server, remoteAnn, bob)).user, asBob);
    const own = { ...remoteAnn, authorization: `Bearer ${server.token}` };
    assert.equal(((await whoami(server, own)).user as { username: string }).username, 'admin');
  });

  it('is believed without a CA of users too', async () => {
    await using server = await startServer({
      frontProxy: { caFile: path.join(directory, 'proxies.pem'), allowedNames: [], headers },
    });
    assert.equal((await whoami(server, remoteAnn, proxy)).status, 201);
    assert.equal((await whoami(server, remoteAnn, bob)).status, 401);
  });

  it('changes its CA without a restart', async () => {
    const caFile = path.join(directory, 'rotated.pem');
    await writeFile(caFile, users.pem);
    await using server = await start({
      certificateReloadMs: 20,
      frontProxy: { caFile, allowedNames: ['proxy'], headers },
    });
    assert.equal((await whoami(server, remoteAnn, proxy)).status, 401);
    await writeFile(`${caFile}.new`, proxies.pem);
    await rename(`${caFile}.new`, caFile);
    await until('the new CA is in use', async () => (await whoami(server, remoteAnn, proxy)).status === 201);
  });

  it('has a CA of its own, or a name that no user has', async () => {
    const frontProxy = { caFile: path.join(directory, 'users.pem'), allowedNames: [], headers };
    await assert.rejects(start({ frontProxy }), /have a certificate in common/);
    await using server = await start({ frontProxy: { ...frontProxy, allowedNames: ['proxy'] } });
    assert.equal(((await whoami(server, remoteAnn, bob)).user as { username: string }).username, 'bob');
  });

  it('is published with its CA and headers to servers of aggregated APIs', async () => {
    await using server = await start({ identifiers: 'kubernetes' });
    const where = '/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication';
    const read = async () => (await request(server, 'GET', where)).body as { data?: Record<string, string> };
    await until('the ConfigMap exists', async () => (await read()).data !== undefined);
    assert.deepEqual((await read()).data, {
      'client-ca-file': users.pem,
      'requestheader-client-ca-file': proxies.pem,
      'requestheader-allowed-names': '["proxy"]',
      'requestheader-username-headers': '["X-Remote-User","X-Other-User"]',
      'requestheader-uid-headers': '["X-Remote-Uid"]',
      'requestheader-group-headers': '["X-Remote-Group","X-Other-Group"]',
      'requestheader-extra-headers-prefix': '["X-Remote-Extra-"]',
    });
  });

  it('is published together with what other servers have published', async () => {
    const file = path.join(directory, 'published.pem');
    await writeFile(file, users.pem);
    await using server = await startServer({ clientCaFile: file, certificateReloadMs: 20 });
    const where = '/api/v1/namespaces/cl-system/configmaps/extension-apiserver-authentication';
    const read = async () => (await request(server, 'GET', where)).body as { data?: Record<string, string> };
    await until('the ConfigMap exists', async () => (await read()).data !== undefined);
    assert.deepEqual((await read()).data, { 'client-ca-file': users.pem }, 'there is no proxy');
    const others = { 'requestheader-allowed-names': '["theirs"]', 'other-key': 'kept' };
    await request(server, 'PATCH', where, { data: others }, { 'content-type': 'application/merge-patch+json' });
    await writeFile(`${file}.new`, proxies.pem);
    await rename(`${file}.new`, file);
    await until(
      'the new CA is published',
      async () => (await read()).data?.['client-ca-file'] === users.pem + proxies.pem,
    );
    assert.deepEqual((await read()).data, { 'client-ca-file': users.pem + proxies.pem, ...others });
  });
});
