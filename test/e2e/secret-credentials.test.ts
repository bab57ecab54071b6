import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
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
import { type OtlpCollector, startOtlpCollector } from '../http/tracing/otlp-collector.ts';
import { auditFlags, checkAuditLogs } from './audit-check.ts';

/** Requests that take longer than half a second are logged with their steps. */
const slowMs = 520;

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

/** A token in a query, where nobody should write one. */
const inQuery = 'canary-token-in-a-query';

/** Paths that succeed, fail, and do not exist. */
const paths = [core, `${core}/none`, `${core}?limit=zork`, '/zork', '/apis/zork', '/metrics', `${dumps}/dump_queues`];

/** Paths that need no more than one request. */
const otherPaths = [
  `${core}?access_token=${inQuery}&token=${inQuery}`,
  `${core}/default/secrets/none?fieldManager=${inQuery}`,
  `/debug?token=${inQuery}`,
];

/** A value of a Secret, as it is sent and as it is stored. */
const secretValue = 'canary-value-of-a-secret-7';
const secretValues = [secretValue, Buffer.from(secretValue).toString('base64')];

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
  let collector: OtlpCollector;
  beforeEach(async () => {
    [issuer, webhook, proxies] = await Promise.all([startIssuer(), startTlsServer(), createAuthority('proxies')]);
    collector = await startOtlpCollector();
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    collector.close();
    await Promise.all([issuer[Symbol.asyncDispose](), webhook.stop()]);
    await rm(directory, { recursive: true, force: true });
  });

  it('of all kinds of tokens and values of Secrets are in no log, audit log, error, metric or span', async () => {
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
    await writeSecrets(server, log);
    for (const canary of canaries) {
      assert.equal(await statusOf(server, canary.token), 200, 'it is valid');
      for (const headers of uses.map((use) => use(canary))) {
        for (const target of paths) answers += (await request(server, 'GET', target, undefined, headers)).text;
      }
      answers += await reviewsOf(server, canary.token);
    }
    for (const target of [
      ...otherPaths,
      '/metrics',
      '/metrics/slis',
      `${dumps}/dump_requests?includeRequestDetails=1`,
    ]) {
      answers += (await request(server, 'GET', target)).text;
    }
    const authenticating = webhook.seen.filter(({ url }) => !url.startsWith('/slow'));
    assert.ok(authenticating.every(({ headers }) => headers.authorization === `Bearer ${webhookCredential}`));
    const secrets = [...canaries.map((canary) => canary.secret), webhookCredential, behindProxy, inQuery];
    for (const value of secretValues) assert.ok(!log().includes(value), 'the log contains a value of a Secret');
    for (const secret of secrets) {
      assert.ok(secret.length > 12);
      assert.ok(!answers.includes(secret), 'an answer contains a credential');
      assert.ok(!log().includes(secret), 'the log contains a credential');
    }
    const running = child ?? assert.fail();
    running.kill('SIGTERM');
    await once(running, 'exit');
    assert.ok(collector.spans.some(({ name }) => name === 'Call validating webhook'));
    const spans = Buffer.concat(collector.received).toString('latin1');
    for (const secret of [...secrets, ...secretValues]) assert.ok(!spans.includes(secret), 'a span has a secret');
    // Audit records have the whole URI, as those of kube-apiserver.
    await checkAuditLogs(
      directory,
      secrets.filter((secret) => secret !== inQuery),
    );
  });

  /** Writes a Secret past a webhook that takes long, and others that are refused. */
  async function writeSecrets(server: Target, log: () => string): Promise<void> {
    const { server: url, ca = '' } = webhook.settings;
    const hook = {
      name: 'slow.example.com',
      rules: [{ operations: ['*'], apiGroups: [''], apiVersions: ['v1'], resources: ['secrets'] }],
      clientConfig: { url: `${url}/slow`, caBundle: Buffer.from(ca).toString('base64') },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
    };
    const configuration = { metadata: { name: 'slow' }, webhooks: [hook] };
    const at = '/apis/admissionregistration.cl.io/v1/validatingwebhookconfigurations';
    assert.equal((await request(server, 'POST', at, configuration)).status, 201);
    await create(server, 'default/secrets', { metadata: { name: 'value' }, stringData: { a: secretValue } });
    for (const body of [
      { metadata: { name: 'UPPER' }, stringData: { a: secretValue } },
      { metadata: { name: 'b' }, data: { a: secretValue } },
      `{"metadata":{"name":"c"},"stringData":{"a":"${secretValue}"`,
    ]) {
      assert.notEqual((await request(server, 'POST', `${core}/default/secrets`, body)).status, 201);
    }
    assert.equal((await request(server, 'DELETE', `${at}/slow`)).status, 200);
    const traces = log().match(/"logger":"requests".*"msg":"Trace\[\d+\]: .*/g) ?? [];
    const slow = traces.find((line) => line.includes('Call of webhook')) ?? '';
    assert.match(
      slow,
      /"Create\\" .*resource:secrets,.*user:ann .*---\\"Call of webhook slow\.example\.com done\\" \d+ms/,
    );
    assert.match(log(), /"verb":"CREATE","URI":"\/api\/v1\/namespaces\/default\/secrets".*"msg":"HTTP"/);
  }

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
    webhook.handle = async ({ url, body }, response) => {
      const { apiVersion, kind, spec, request: reviewed } = JSON.parse(body);
      if (url.startsWith('/slow')) {
        await sleep(slowMs);
        return answer(response, 200, { apiVersion, kind, response: { uid: reviewed.uid, allowed: true } });
      }
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
    const tracing = { apiVersion: 'apiserver.config.cl.io/v1alpha1', kind: 'TracingConfiguration' };
    const { endpoint } = collector;
    await writeFile(file('tracing'), JSON.stringify({ ...tracing, endpoint, samplingRatePerMillion: 1_000_000 }));
    child = spawn(process.execPath, [
      program,
      '--store=memory',
      '--bind-address=127.0.0.1',
      '--secure-port=0',
      '--v=10',
      '--feature-gates=APIServerTracing=true',
      `--tracing-config-file=${file('tracing')}`,
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
