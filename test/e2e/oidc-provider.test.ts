import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Provider } from 'oidc-provider';
import { encodeKey, generateKey } from '../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../src/pki/issue-certificate.ts';
import { idleConnections } from '../idle-connections.ts';
import { until } from '../http/until.ts';
import { whoami } from '../http/identity/whoami.ts';
import { programFile } from '../program-file.ts';

const program = programFile('cl-apiserver');
const redirect = 'https://client.example/callback';

/** A new signing key of a provider. */
function signingKey(): Record<string, unknown> {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), alg: 'RS256', use: 'sig' };
}

/** The provider of a test, over TLS; `renew` makes one of the same address with another key. */
class TestProvider implements AsyncDisposable {
  readonly ca: string;
  readonly url: string;
  readonly #server: https.Server;
  #handle: ReturnType<Provider['callback']> | undefined;

  private constructor(ca: string, server: https.Server) {
    this.ca = ca;
    this.#server = server;
    // A listening TCP server has such an address.
    this.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => void this.#handle?.(request, response));
  }

  static async start(): Promise<TestProvider> {
    const [caKey, key] = await Promise.all([generateKey(), generateKey()]);
    const ca = await issueAuthorityCertificate(caKey, 'provider', new Date(Date.now() + 3_600_000));
    const cert = await issueServingCertificate({ certificatePem: ca, key: caKey }, key, ['127.0.0.1']);
    const server = https.createServer({ cert, key: encodeKey(key), ...idleConnections });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const started = new TestProvider(ca, server);
    started.renew();
    return started;
  }

  renew(): void {
    const provider = new Provider(this.url, {
      clients: [
        {
          client_id: 'cluster',
          redirect_uris: [redirect],
          response_types: ['id_token'],
          grant_types: ['implicit'],
          token_endpoint_auth_method: 'none',
        },
      ],
      responseTypes: ['id_token'],
      jwks: { keys: [signingKey()] },
      cookies: { keys: [randomUUID()] },
      conformIdTokenClaims: false,
      claims: { openid: ['sub'], email: ['email', 'email_verified'], groups: ['groups'] },
      scopes: ['openid', 'email', 'groups'],
      findAccount: (_, id) => ({
        accountId: id,
        claims: () => ({ sub: id, email: `${id}@example.com`, email_verified: true, groups: ['dev', 'ops'] }),
      }),
    });
    this.#handle = provider.callback();
  }

  /** Signs a user in as a browser does, and returns the ID token. */
  async signIn(user: string): Promise<string> {
    const browser = new Browser(this.ca);
    const query = new URLSearchParams({
      client_id: 'cluster',
      redirect_uri: redirect,
      response_type: 'id_token',
      scope: 'openid email groups',
      nonce: randomUUID(),
    });
    let location = await browser.follow('GET', `${this.url}/auth?${query.toString()}`);
    location = await browser.follow('POST', location, { prompt: 'login', login: user, password: 'any' });
    location = await browser.follow('POST', location, { prompt: 'consent' });
    const token = new URLSearchParams(new URL(location).hash.slice(1)).get('id_token');
    assert.ok(token, location);
    return token;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

/** Keeps cookies and follows redirects up to a page with a form, or to the client. */
class Browser {
  readonly #ca: string;
  readonly #cookies = new Map<string, string>();

  constructor(ca: string) {
    this.#ca = ca;
  }

  /** Returns the URL of the page. */
  async follow(method: string, url: string, form?: Record<string, string>): Promise<string> {
    const response = await this.#send(method, url, form && new URLSearchParams(form).toString());
    const { location } = response.headers;
    const body = await text(response);
    if (location === undefined) {
      assert.equal(response.statusCode, 200, body);
      return url;
    }
    const next = new URL(location, url).href;
    return next.startsWith(redirect) ? next : await this.follow('GET', next);
  }

  async #send(method: string, url: string, body: string | undefined): Promise<IncomingMessage> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const request = https.request(url, {
      method,
      agent: false,
      ca: this.#ca,
      headers: {
        cookie,
        ...(body === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }),
      },
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    for (const line of response.headers['set-cookie'] ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    return response;
  }
}

describe('the ID tokens of an OpenID provider', function () {
  let directory: string;
  let provider: TestProvider;
  let child: ChildProcess | undefined;

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'oidc-provider-'));
    provider = await TestProvider.start();
    await writeFile(path.join(directory, 'ca.pem'), provider.ca);
  });
  after(async () => {
    child?.kill('SIGKILL');
    await provider[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  it('authenticate users, also after the provider has changed its keys', async () => {
    child = spawn(process.execPath, [
      program,
      '--store=memory',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      `--cert-dir=${path.join(directory, 'pki')}`,
      '--log-level=error',
      `--oidc-issuer-url=${provider.url}`,
      '--oidc-client-id=cluster',
      '--oidc-username-claim=email',
      '--oidc-groups-claim=groups',
      '--oidc-groups-prefix=oidc:',
      '--oidc-required-claim=sub=ann',
      `--oidc-ca-file=${path.join(directory, 'ca.pem')}`,
    ]);
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    await until('the program to serve', () => /https:\S+/.test(said));
    const ca = await readFile(path.join(directory, 'pki', 'ca.crt'), 'utf8');
    const server = { url: /https:\S+/.exec(said)?.[0] ?? '', ca, identifiers: 'cluster' as const };
    const by = (token: string) => whoami(server, { authorization: `Bearer ${token}` });

    const token = await provider.signIn('ann');
    await until('the provider is known', async () => (await by(token)).status === 201);
    const groups = ['oidc:dev', 'oidc:ops', 'system:authenticated'];
    assert.deepEqual((await by(token)).user, { username: 'ann@example.com', groups });
    assert.equal((await by(await provider.signIn('bob'))).status, 401, 'the required claim differs');

    provider.renew();
    const renewed = await provider.signIn('ann');
    await until('the new key is known', async () => (await by(renewed)).status === 201);
    assert.equal((await by(token)).status, 401, 'the old key is gone');
  });
});
