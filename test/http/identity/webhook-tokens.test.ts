import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ConnectionSettings } from '../../../src/outbound/config/connection-settings.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { answer, startTlsServer, type TlsServer } from '../../unit/outbound/start-tls-server.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { whoami } from './whoami.ts';

const base64 = (text = ''): string => Buffer.from(text).toString('base64');

const configOf = ({ server, ca, cert, key }: ConnectionSettings): string => `
apiVersion: v1
kind: Config
clusters: [{name: w, cluster: {server: '${server}/tokens', certificate-authority-data: ${base64(ca)}}}]
users: [{name: u, user: {client-certificate-data: ${base64(cert)}, client-key-data: ${base64(key)}}}]
contexts: [{name: c, context: {cluster: w, user: u}}]
current-context: c
`;

interface Review {
  readonly apiVersion: string;
  readonly kind: string;
  readonly spec: { readonly token: string; readonly audiences?: readonly string[] };
}

/** The status of a TokenReview. */
interface Reviewed {
  readonly authenticated?: boolean;
  readonly audiences?: readonly string[];
}

const ann = { username: 'ann', uid: '7', groups: ['dev'], extra: { scopes: ['a', 'b'] } };

describe('a webhook that authenticates tokens', () => {
  let directory: string;
  let webhook: TlsServer;
  /** The answer to a token. */
  let statusOf: (review: Review) => object | undefined;

  const reviews = (): Review[] => webhook.seen.map(({ body }) => JSON.parse(body));

  beforeEach(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'token-webhook-'));
    webhook = await startTlsServer();
    await writeFile(path.join(directory, 'config'), configOf(webhook.settings));
    statusOf = ({ spec }) => (spec.token === 'good' ? { authenticated: true, user: ann } : { authenticated: false });
    webhook.handle = ({ body }, response) => {
      const review: Review = JSON.parse(body);
      const status = statusOf(review);
      answer(response, status ? 200 : 500, { apiVersion: review.apiVersion, kind: review.kind, status });
    };
  });
  afterEach(async () => {
    await webhook.stop();
    await rm(directory, { recursive: true });
  });

  const start = (
    settings: Partial<NonNullable<TestServerOptions['tokenWebhook']>> = {},
    options: TestServerOptions = {},
  ): Promise<TestServer> =>
    startServer({
      tokenWebhook: {
        clientConfigFile: path.join(directory, 'config'),
        cacheTtlMs: 60_000,
        version: 'v1beta1',
        ...settings,
      },
      ...options,
    });
  const by = (server: TestServer, token: string) => whoami(server, { authorization: `Bearer ${token}` });

  it('names the user of a token, and is asked once for it', async () => {
    await using server = await start();
    const user = { ...ann, groups: ['dev', 'system:authenticated'] };
    assert.deepEqual(await by(server, 'good'), { status: 201, user });
    assert.deepEqual(await by(server, 'good'), { status: 201, user });
    assert.equal(webhook.seen.length, 1);
    const [seen] = webhook.seen;
    assert.deepEqual([seen?.method, seen?.url, seen?.clientAuthorized], ['POST', '/tokens', true]);
    const [review] = reviews();
    assert.deepEqual([review?.apiVersion, review?.kind], ['authentication.cl.io/v1beta1', 'TokenReview']);
    assert.equal(review?.spec.token, 'good');
  });

  it('is sent TokenReviews of v1 on demand', async () => {
    await using server = await start({ version: 'v1' }, { identifiers: 'kubernetes' });
    assert.equal((await by(server, 'good')).status, 201);
    assert.equal(reviews()[0]?.apiVersion, 'authentication.k8s.io/v1');
  });

  it('refuses a token, and gives the client its reason if it has one', async () => {
    await using server = await start();
    assert.equal((await by(server, 'bad')).status, 401);
    assert.equal((await by(server, 'bad')).status, 401);
    assert.equal(webhook.seen.length, 1, 'a refusal is remembered');
    const messageFor = async (token: string): Promise<unknown> => {
      const refused = await request(server, 'GET', '/api', undefined, { authorization: `Bearer ${token}` });
      assert.equal(refused.status, 401);
      return (refused.body as { message: unknown }).message;
    };
    assert.equal(await messageFor('bad'), 'Unauthorized');
    statusOf = () => ({ authenticated: false, error: 'the account is locked' });
    assert.equal(await messageFor('other'), 'the account is locked');
    assert.equal(await messageFor('e30.e30.e30'), 'the account is locked', 'whatever others say about it');
    statusOf = () => undefined;
    assert.equal(await messageFor('another'), 'Unauthorized', 'failures of the call are for the log');
  });

  it('is not asked for tokens that others know, or for none', async () => {
    await using server = await start();
    assert.equal((await by(server, server.token)).status, 201);
    assert.equal((await whoami(server)).status, 401);
    assert.equal(webhook.seen.length, 0);
  });

  it('is asked once for many requests with one new token', async () => {
    await using server = await start({ cacheTtlMs: 0 });
    // Over connections that are open the requests arrive together, also on a slow machine.
    await Promise.all(Array.from({ length: 20 }, () => by(server, server.token)));
    const given = webhook.handle;
    webhook.handle = (seen, response) => void setTimeout(() => void given(seen, response), 300);
    const responses = await Promise.all(Array.from({ length: 20 }, () => by(server, 'good')));
    assert.ok(responses.every(({ status }) => status === 201));
    assert.ok(webhook.seen.length <= 2, `${webhook.seen.length} calls`);
    await by(server, 'good');
    assert.ok(webhook.seen.length >= 2, 'nothing is remembered without a time');
  });

  it('that fails refuses a token until it has recovered, and serves remembered ones', async () => {
    await using server = await start();
    assert.equal((await by(server, 'good')).status, 201);
    let tries = 0;
    statusOf = () => void tries++;
    assert.equal((await by(server, 'new')).status, 401);
    assert.equal(tries, 5);
    assert.equal((await by(server, 'good')).status, 201);
    statusOf = () => ({ authenticated: true, user: { username: 'new' } });
    assert.equal((await by(server, 'new')).status, 201, 'a failed call is not remembered');
  });

  const broken: Readonly<Record<string, object>> = {
    'another version': {
      apiVersion: 'authentication.cl.io/v1',
      kind: 'TokenReview',
      status: { authenticated: true, user: ann },
    },
    'another kind': {
      apiVersion: 'authentication.cl.io/v1beta1',
      kind: 'Review',
      status: { authenticated: true, user: ann },
    },
    'a user without a name': {
      apiVersion: 'authentication.cl.io/v1beta1',
      kind: 'TokenReview',
      status: { authenticated: true },
    },
    'a text for true': {
      apiVersion: 'authentication.cl.io/v1beta1',
      kind: 'TokenReview',
      status: { authenticated: 'true', user: ann },
    },
  };
  const wrongFields: Readonly<Record<string, object>> = {
    'a text for groups': { user: { ...ann, groups: 'dev' } },
    'groups that are no texts': { user: { ...ann, groups: ['dev', 1] } },
    'a text for the values of extra': { user: { ...ann, extra: { scopes: 'a' } } },
    'a list for extra': { user: { ...ann, extra: [] } },
    'a number for the UID': { user: { ...ann, uid: 7 } },
    'a text for audiences': { user: ann, audiences: 'https://kubernetes.default.svc' },
    'a text for the user': { user: 'ann' },
  };
  for (const [what, fields] of Object.entries(wrongFields)) {
    it(`that answers with ${what} authenticates nobody`, async () => {
      statusOf = () => ({ authenticated: true, ...fields });
      await using server = await start();
      assert.equal((await by(server, 'good')).status, 401);
    });
  }

  for (const [what, body] of Object.entries(broken)) {
    it(`that answers with ${what} authenticates nobody`, async () => {
      webhook.handle = (_, response) => answer(response, 200, body);
      await using server = await start();
      assert.equal((await by(server, 'good')).status, 401);
    });
  }

  it('does not make the name of a key a prototype', async () => {
    const extra = JSON.parse('{"__proto__": ["x"], "b": ["text"]}');
    statusOf = () => ({ authenticated: true, user: { username: 'ann', extra } });
    await using server = await start();
    const { user } = await by(server, 'good');
    assert.deepEqual(Object.keys((user as { extra: object }).extra), ['__proto__', 'b']);
  });

  it('is asked for the audiences of this server', async () => {
    await using server = await start({ cacheTtlMs: 0 }, { apiAudiences: ['api', 'other'] });
    assert.equal((await by(server, 'good')).status, 201, 'no audiences in the answer mean those of the server');
    assert.deepEqual(reviews()[0]?.spec.audiences, ['api', 'other']);
    statusOf = () => ({ authenticated: true, user: ann, audiences: ['other', 'more'] });
    assert.equal((await by(server, 'good')).status, 201);
    statusOf = () => ({ authenticated: true, user: ann, audiences: ['elsewhere'] });
    assert.equal((await by(server, 'good')).status, 401);
  });

  it('is asked for the issuers of this server if it has no audiences of its own', async () => {
    await using server = await start({ cacheTtlMs: 0 }, { serviceAccountIssuers: ['https://issuer.example.com'] });
    assert.equal((await by(server, 'good')).status, 201);
    assert.deepEqual(reviews()[0]?.spec.audiences, ['https://issuer.example.com']);
    const review = async (audiences?: readonly string[]): Promise<unknown> => {
      const body = { spec: { token: 'good', audiences } };
      const response = await request(server, 'POST', '/apis/authentication.cl.io/v1/tokenreviews', body);
      const { authenticated = false, audiences: shared } = (response.body as { status: Reviewed }).status;
      return [authenticated, shared];
    };
    assert.deepEqual(await review(), [true, ['https://issuer.example.com']]);
    assert.deepEqual(await review(['other']), [false, undefined]);
    statusOf = () => ({ authenticated: true, user: ann, audiences: ['other'] });
    assert.equal((await by(server, 'good')).status, 401);
    assert.deepEqual(await review(['other']), [true, ['other']]);
  });

  it('moves to another address without a restart', async () => {
    await using server = await start({ cacheTtlMs: 0 }, { certificateReloadMs: 20 });
    const moved = await startTlsServer();
    moved.handle = webhook.handle;
    await writeFile(path.join(directory, 'config'), configOf(moved.settings));
    await until('the new webhook is asked', async () => {
      assert.equal((await by(server, 'good')).status, 201);
      return moved.seen.length > 0;
    });
    await moved.stop();
  });

  it('needs a client config file that can be read', async () => {
    await assert.rejects(start({ clientConfigFile: path.join(directory, 'none') }), /cannot read .*none/);
  });
});
