import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createAuthority, type TestAuthority } from '../http/identity/certificate-authority.ts';
import { type LocalIssuer, startIssuer } from '../http/identity/local-issuer.ts';
import { whoami } from '../http/identity/whoami.ts';
import { request, type Target } from '../http/http-client.ts';
import { pemOf, rsaKey, signed } from '../http/identity/service-account-world.ts';
import { until } from '../http/until.ts';
import { answer, startTlsServer, type TlsServer } from '../unit/outbound/start-tls-server.ts';
import { programFile } from '../program-file.ts';
import { auditFlags, checkAuditLogs } from './audit-check.ts';

const program = programFile('cl-apiserver');
const core = '/api/v1/namespaces';
const administrator = 'canary-static-administrator';

/** A credential, and the part of it that nobody may see. */
interface Canary {
  readonly token: string;
  readonly secret: string;
}

/** Requests with a credential: as it is, damaged, and where it does not belong. */
const uses: readonly ((canary: Canary) => Readonly<Record<string, string>>)[] = [
  ({ token }) => ({ authorization: `Bearer ${token}` }),
  ({ token }) => ({ authorization: `Bearer ${token}x` }),
  ({ token }) => ({ authorization: `Bearer  ${token}` }),
  ({ token }) => ({ authorization: `Basic ${token}` }),
  ({ token }) => ({ authorization: token }),
  ({ token }) => ({ authorization: `Bearer ${token}`, 'impersonate-extra-x': 'y' }),
  ({ token }) => ({ authorization: `Bearer ${token}`, accept: 'text/zork' }),
];

const dumps = '/debug/api_priority_and_fairness';

/** Paths that succeed, fail, and do not exist. */
const paths = [core, `${core}/none`, `${core}?limit=zork`, '/zork', '/apis/zork', '/metrics', `${dumps}/dump_queues`];

/** The token that the server presents to the webhook. */
const webhookCredential = 'canary-credential-of-the-webhook';
const webhookToken = 'canary-token-that-the-webhook-knows';
/** A token that comes with the headers of a proxy, which nobody looks at. */
const behindProxy = 'canary-token-behind-the-proxy';

describe('credentials', function () {
  this.timeout(240_000);
  let directory: string;
  let child: ChildProcess | undefined;
  let issuer: LocalIssuer;
  let webhook: TlsServer;
  let proxies: TestAuthority;
  beforeEach(async () => {
    [issuer, webhook, proxies] = await Promise.all([startIssuer(), startTlsServer(), createAuthority('proxies')]);
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await Promise.all([issuer[Symbol.asyncDispose](), webhook.stop()]);
    await rm(directory, { recursive: true, force: true });
  });

  it('of all kinds of tokens are in no log, audit log, error or metric', async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-canary-'));
    const key = rsaKey();
    await writeFile(path.join(directory, 'sa.key'), pemOf(key), { mode: 0o600 });
    await writeFile(path.join(directory, 'tokens.csv'), `${administrator},ann,7,system:masters\n`, { mode: 0o600 });
    await writeExternalFiles();
    const { server, log } = await start();
    const identity = await issuer.token();
    const canaries = [
      { token: administrator, secret: administrator },
      ...(await createCanaries(server, key)),
      { token: identity, secret: identity.split('.')[2] ?? '' },
      { token: webhookToken, secret: webhookToken },
    ];
    await until('the provider to answer', async () => (await statusOf(server, identity)) === 200);
    let answers = await answersToProxy(server);
    for (const canary of canaries) {
      assert.equal(await statusOf(server, canary.token), 200, 'it is valid');
      for (const headers of uses.map((use) => use(canary))) {
        for (const target of paths) answers += (await request(server, 'GET', target, undefined, headers)).text;
      }
      answers += await reviewsOf(server, canary.token);
    }
    for (const target of ['/metrics', '/metrics/slis', `${dumps}/dump_requests?includeRequestDetails=1`]) {
      answers += (await request(server, 'GET', target)).text;
    }
    assert.ok(webhook.seen.every(({ headers }) => headers.authorization === `Bearer ${webhookCredential}`));
    const secrets = [...canaries.map((canary) => canary.secret), webhookCredential, behindProxy];
    for (const secret of secrets) {
      assert.ok(secret.length > 12);
      assert.ok(!answers.includes(secret), 'an answer contains a credential');
      assert.ok(!log().includes(secret), 'the log contains a credential');
    }
    const running = child ?? assert.fail();
    running.kill('SIGTERM');
    await once(running, 'exit');
    await checkAuditLogs(directory, secrets);
  });

  /** The CAs of the provider and of the proxy, and the client config of a webhook that knows one token. */
  async function writeExternalFiles(): Promise<void> {
    await writeFile(path.join(directory, 'issuer.crt'), issuer.ca);
    await writeFile(path.join(directory, 'proxies.crt'), proxies.pem);
    const { server, ca = '' } = webhook.settings;
    const cluster = { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') };
    const config = {
      clusters: [{ name: 'c', cluster }],
      users: [{ name: 'u', user: { token: webhookCredential } }],
      contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
      'current-context': 'x',
    };
    await writeFile(path.join(directory, 'webhook'), JSON.stringify(config), { mode: 0o600 });
    webhook.handle = ({ body }, response) => {
      const { apiVersion, kind, spec } = JSON.parse(body);
      if (spec.token === `${webhookToken}x`) return answer(response, 500, { message: `not ${spec.token}` });
      const known = { authenticated: true, user: { username: 'ann' } };
      const status = spec.token === webhookToken ? known : { authenticated: false, error: 'unknown' };
      return answer(response, 200, { apiVersion, kind, status });
    };
  }

  /** What the server answers to a proxy, and to a client that is none. */
  async function answersToProxy(server: Target): Promise<string> {
    const headers = { 'x-remote-user': 'ann', authorization: `Bearer ${behindProxy}` };
    const seen = await whoami({ ...server, identifiers: 'cluster' }, headers, await proxies.issue('proxy'));
    assert.equal(seen.status, 201);
    const refused = await request(server, 'GET', core, undefined, headers);
    assert.equal(refused.status, 401);
    return JSON.stringify(seen) + refused.text;
  }

  async function start(): Promise<{ readonly server: Target; readonly log: () => string }> {
    const file = (name: string): string => path.join(directory, name);
    child = spawn(process.execPath, [
      program,
      '--store=memory',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      '--log-level=debug',
      `--cert-dir=${file('pki')}`,
      `--token-auth-file=${file('tokens.csv')}`,
      '--enable-bootstrap-token-auth',
      `--service-account-signing-key-file=${file('sa.key')}`,
      `--oidc-issuer-url=${issuer.url}`,
      '--oidc-client-id=client',
      `--oidc-ca-file=${file('issuer.crt')}`,
      `--authentication-token-webhook-config-file=${file('webhook')}`,
      `--requestheader-client-ca-file=${file('proxies.crt')}`,
      '--requestheader-username-headers=X-Remote-User',
      ...(await auditFlags(directory)),
    ]);
    let said = '';
    let logged = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (logged += chunk.toString()));
    await until('the program to serve', () => /https:\S+/.test(said) || child?.exitCode !== null);
    const url = /https:\S+/.exec(said)?.[0] ?? assert.fail(logged);
    const ca = await readFile(file('pki/ca.crt'), 'utf8');
    return { server: { url, ca, token: administrator }, log: () => said + logged };
  }
});

/** A bound token, a token of a Secret and a bootstrap token. */
async function createCanaries(server: Target, key: ReturnType<typeof rsaKey>): Promise<readonly Canary[]> {
  const account = await create(server, 'default/serviceaccounts', { metadata: { name: 'robot' } });
  const bound = await create(server, 'default/serviceaccounts/robot/token', {});
  const legacy = await signed(
    {
      iss: 'cluster/serviceaccount',
      sub: 'system:serviceaccount:default:robot',
      'cluster.io/serviceaccount/namespace': 'default',
      'cluster.io/serviceaccount/secret.name': 'legacy',
      'cluster.io/serviceaccount/service-account.name': 'robot',
      'cluster.io/serviceaccount/service-account.uid': account.metadata.uid,
    },
    key,
  );
  await create(server, 'default/secrets', { metadata: { name: 'legacy' }, stringData: { token: legacy } });
  await create(server, 'cl-system/secrets', {
    metadata: { name: 'bootstrap-token-canary' },
    type: 'bootstrap.cluster.io/token',
    stringData: {
      'token-id': 'canary',
      'token-secret': 'canarybootstraps',
      'usage-bootstrap-authentication': 'true',
    },
  });
  return [
    ...[bound.status.token, legacy].map((token) => ({ token, secret: token.split('.')[2] ?? '' })),
    { token: 'canary.canarybootstraps', secret: 'canarybootstraps' },
  ];
}

interface Created {
  readonly metadata: { readonly uid: string };
  readonly status: { readonly token: string };
}

async function create(server: Target, target: string, object: object): Promise<Created> {
  const { status, body, text } = await request(server, 'POST', `${core}/${target}`, object);
  assert.equal(status, 201, text);
  // Every answer is the created object.
  return body as Created;
}

async function statusOf(server: Target, token: string): Promise<number> {
  return (await request(server, 'GET', core, undefined, { authorization: `Bearer ${token}` })).status;
}

/** The results of reviews, which also say why a token is refused; their `spec` repeats the token. */
async function reviewsOf(server: Target, token: string): Promise<string> {
  const target = '/apis/authentication.cl.io/v1/tokenreviews';
  const specs = [{ token }, { token: `${token}x` }, { token, audiences: ['else'] }];
  const answers = await Promise.all(specs.map((spec) => request(server, 'POST', target, { spec })));
  return answers.map(({ body }) => JSON.stringify((body as { status: unknown }).status)).join('\n');
}
