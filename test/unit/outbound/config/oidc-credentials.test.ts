import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCredentials } from '../../../../src/outbound/credentials/open-credentials.ts';
import { loadClientConfig } from '../../../../src/outbound/config/load-client-config.ts';
import { answer, startTlsServer, type TlsServer } from '../start-tls-server.ts';

const idToken = (expiresInS: number, name = 'ann') => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'none' })}.${part({ sub: name, exp: Math.floor(Date.now() / 1000) + expiresInS })}.x`;
};

describe('the OpenID provider of a client config', () => {
  let provider: TlsServer;
  let directory: string;
  let file: string;
  let fresh: string;
  before(async () => {
    provider = await startTlsServer();
    directory = await mkdtemp(join(tmpdir(), 'oidc-'));
    file = join(directory, 'config');
  });
  after(async () => {
    await rm(directory, { recursive: true });
    await provider.stop();
  });
  beforeEach(() => {
    provider.seen.length = 0;
    fresh = idToken(3600, 'fresh');
    const { server } = provider.settings;
    provider.handle = ({ url }, response) =>
      url.startsWith('/.well-known/')
        ? answer(response, 200, { token_endpoint: `${server}/token` })
        : answer(response, 200, { id_token: fresh, refresh_token: 'second' });
  });

  const open = async (config: Record<string, string>) => {
    const { server, ca = '' } = provider.settings;
    const fields = {
      'idp-issuer-url': server,
      'client-id': 'cluster',
      'client-secret': 'hidden',
      'idp-certificate-authority-data': Buffer.from(ca).toString('base64'),
      ...config,
    };
    const lines = Object.entries(fields).map(([name, value]) => `        ${name}: ${JSON.stringify(value)}`);
    const text = `# kept
clusters: [{name: c, cluster: {server: "https://here"}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
current-context: x
users:
- name: other
  user: {token: t}
- name: u
  user:
    auth-provider:
      name: oidc
      config:
${lines.join('\n')}
`;
    await writeFile(file, text, { mode: 0o600 });
    return openCredentials(await loadClientConfig(file));
  };

  it('is not asked while its token is valid', async () => {
    const token = idToken(3600);
    const source = await open({ 'id-token': token });
    assert.deepEqual(await source.get(), { authorization: `Bearer ${token}` });
    assert.equal(provider.seen.length, 0);
  });

  it('refreshes a token that has expired, once for all requests, and writes it back', async () => {
    const source = await open({ 'id-token': idToken(-10), 'refresh-token': 'first' });
    const expected = { authorization: `Bearer ${fresh}` };
    assert.deepEqual(await Promise.all([source.get(), source.get()]), [expected, expected]);
    assert.deepEqual(await source.get(), expected);
    const [, exchange] = provider.seen;
    assert.equal(provider.seen.length, 2);
    assert.equal(exchange?.body, 'grant_type=refresh_token&client_id=cluster&refresh_token=first&client_secret=hidden');
    const text = await readFile(file, 'utf8');
    assert.match(text, /^# kept/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    const { oidc } = await loadClientConfig(file);
    assert.deepEqual([oidc?.idToken, oidc?.refreshToken], [fresh, 'second']);
  });

  it('refreshes a token that the server refuses', async () => {
    const source = await open({ 'id-token': idToken(3600), 'refresh-token': 'first' });
    const refused = await source.get();
    assert.deepEqual(await source.renew(refused), { authorization: `Bearer ${fresh}` });
    assert.deepEqual(await source.renew(refused), { authorization: `Bearer ${fresh}` });
    assert.equal(provider.seen.length, 2);
  });

  it('is an error without a refresh token, or an ID token in its answer', async () => {
    await assert.rejects((await open({ 'id-token': idToken(-10) })).get(), /cannot refresh without refresh-token/);
    const source = await open({ 'id-token': idToken(-10), 'refresh-token': 'first' });
    const { handle } = provider;
    provider.handle = (seen, response) =>
      seen.url === '/token' ? answer(response, 200, { access_token: 'a' }) : handle(seen, response);
    await assert.rejects(source.get(), {
      name: 'CredentialError',
      message: 'token response did not contain an id_token',
    });
    provider.handle = (_, response) => answer(response, 500, { secret: 'x' });
    await assert.rejects(source.get(), /failed to refresh token: https:.* answered 500$/);
  });
});
