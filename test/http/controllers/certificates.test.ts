import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { type Client, createClient } from '../../../src/client/index.ts';
import { expiresInMs } from '../../../src/controllers/certificates/expires-in-ms.ts';
import { type SigningRequest, signingRequests } from '../../../src/controllers/resources.ts';
import { startControllers } from '../../../src/controllers/manager/start-controllers.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { type AuthorityFiles, ensureAuthority } from '../../../src/pki/ensure-authority.ts';
import { startServer, type TestServer } from '../../../src/testing/index.ts';
import { runCl } from '../cl/cl-runner.ts';
import { connectionTo } from '../client/connection-to.ts';
import { until } from '../until.ts';

const openssl = promisify(execFile);
const identifiers = identifiersOf('cluster');
const reference = signingRequests(identifiers);

/** The parts of a signing request that a story is about. */
interface Wanted {
  readonly subject?: string;
  readonly signer?: string;
  readonly usages?: readonly string[];
  readonly altName?: string;
  /** The arguments of `openssl req -newkey`. */
  readonly key?: readonly string[];
  readonly expirationSeconds?: number;
}

const nodeSubject = '/O=system:nodes/CN=system:node:n1';
const clientUsages = ['digital signature', 'key encipherment', 'client auth'];
const servingUsages = ['digital signature', 'key encipherment', 'server auth'];
const client = 'cluster.io/cl-apiserver-client';
const allowedKeys = 'allowed are RSA 2048 to 8192, EC P-256, P-384 or P-521, and Ed25519';
const p256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];
const principalName = 'otherName:1.3.6.1.4.1.311.20.2.3;UTF8:root@example.com';

describe('certificate signing requests', () => {
  let directory: string;
  let authority: AuthorityFiles;
  let server: TestServer;
  let admin: Client;
  let node: Client;
  let running: Promise<void>;
  const stop = new AbortController();
  const file = (name: string): string => path.join(directory, name);

  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-signing-'));
    authority = await ensureAuthority(directory, 'ca', 'clients');
    server = await startServer({
      clientCaFile: authority.certFile,
      authorizationMode: ['Node', 'RBAC'],
      tokens: [{ token: 'node-token', username: 'system:node:n1', groups: ['system:nodes'] }],
    });
    await writeFile(file('config'), server.clientConfig, { mode: 0o600 });
    const settings = connectionTo(server);
    admin = createClient(settings);
    node = createClient({ ...settings, token: 'node-token' });
    const options = { 'cluster-signing-cert-file': authority.certFile, 'cluster-signing-key-file': authority.keyFile };
    running = startControllers({ settings, identifiers, options }, stop.signal).ended;
    const group = 'rbac.authorization.cl.io';
    const prefix = 'system:certificates.cl.io:certificatesigningrequests';
    await admin.resource({ group, version: 'v1', resource: 'clusterrolebindings', namespaced: false }).create({
      metadata: { name: 'nodes' },
      roleRef: { apiGroup: group, kind: 'ClusterRole', name: `${prefix}:selfnodeclient` },
      subjects: [{ apiGroup: group, kind: 'Group', name: 'system:nodes' }],
    });
  });
  after(async () => {
    stop.abort();
    await running;
    await Promise.all([admin.close(), node.close()]);
    await server.stop();
    await rm(directory, { recursive: true });
  });

  async function ask(name: string, wanted: Wanted, as = admin): Promise<void> {
    const { subject = '/CN=ann', signer = client, usages = clientUsages, altName, expirationSeconds } = wanted;
    const names = altName ? ['-addext', `subjectAltName=${altName}`] : [];
    const made = ['-newkey', ...(wanted.key ?? p256), '-nodes', '-keyout', file(`${name}.key`)];
    await openssl('openssl', [
      'req',
      '-new',
      '-text',
      ...made,
      '-subj',
      subject,
      ...names,
      '-out',
      file(`${name}.csr`),
    ]);
    const request = (await readFile(file(`${name}.csr`))).toString('base64');
    await as.resource(reference).create({
      apiVersion: 'certificates.cl.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name },
      spec: { request, signerName: signer, usages: [...usages], expirationSeconds },
    } as SigningRequest);
  }
  const read = (name: string): Promise<SigningRequest> => admin.resource(reference).get(name);
  const conditionsOf = async (name: string) =>
    ((await read(name)).status?.conditions ?? []).map(({ type, reason, message }) => [type, reason, message]);
  async function cl(...args: readonly string[]): Promise<string> {
    const { code, out, err } = await runCl(args, { directory });
    return `${code} ${out}${err}`;
  }
  async function issued(name: string): Promise<X509Certificate> {
    await until(`the certificate of ${name}`, async () => Boolean((await read(name)).status?.certificate));
    const pem = Buffer.from((await read(name)).status?.certificate ?? '', 'base64').toString();
    const certificate = new X509Certificate(pem);
    assert.ok(certificate.verify(new X509Certificate(authority.certificatePem).publicKey));
    assert.equal(certificate.ca, false);
    await writeFile(file(`${name}.crt`), pem);
    const verified = await openssl('openssl', [
      'verify',
      '-x509_strict',
      '-CAfile',
      authority.certFile,
      file(`${name}.crt`),
    ]);
    assert.match(verified.stdout, /OK/);
    return certificate;
  }

  it('go from openssl through `cl certificate approve` to a working client certificate', async () => {
    await ask('ann', { subject: '/O=team/CN=ann', altName: 'DNS:ann.example.com' });
    assert.equal(
      await cl('certificate', 'approve', 'ann'),
      '0 certificatesigningrequest.certificates.cl.io/ann approved\n',
    );
    const certificate = await issued('ann');
    assert.deepEqual([certificate.subject, certificate.subjectAltName], ['O=team\nCN=ann', 'DNS:ann.example.com']);
    const { token: _, ...settings } = connectionTo(server);
    const [cert, key] = [await readFile(file('ann.crt'), 'utf8'), await readFile(file('ann.key'), 'utf8')];
    const ann = createClient({ ...settings, cert, key });
    const secrets = ann.resource({ group: '', version: 'v1', resource: 'secrets' });
    await assert.rejects(secrets.list({ namespace: 'default' }), /User "ann" cannot list resource "secrets"/);
    await ann.close();
  });

  it('are not signed when they are denied', async () => {
    await ask('bob', {});
    assert.equal(await cl('certificate', 'deny', 'bob'), '0 certificatesigningrequest.certificates.cl.io/bob denied\n');
    assert.deepEqual((await conditionsOf('bob'))[0]?.slice(0, 1), ['Denied']);
    assert.match(
      await cl('certificate', 'approve', 'bob'),
      /^1 error: certificate signing request "bob" is already Denied\n$/,
    );
    assert.equal((await read('bob')).status?.certificate, undefined);
  });

  it('count the five minutes before their issue into a long lifetime', async () => {
    await ask('long', {});
    await cl('certificate', 'approve', 'long');
    const { validFrom, validTo } = await issued('long');
    assert.equal(Date.parse(validTo) - Date.parse(validFrom), 365 * 86_400_000);
    assert.ok(Date.parse(validFrom) <= Date.now() - 300_000);
  });

  it('have the lifetime that they ask for', async () => {
    await ask('short', { expirationSeconds: 3600 });
    await cl('certificate', 'approve', 'short');
    const minutes = (Date.parse((await issued('short')).validTo) - Date.now()) / 60_000;
    assert.ok(minutes > 58 && minutes <= 60, String(minutes));
  });

  it('of a node for itself are approved and signed without a person', async () => {
    const signer = `${client}-nodeagent`;
    await ask('node', { subject: nodeSubject, signer }, node);
    assert.equal((await issued('node')).subject, 'O=system:nodes\nCN=system:node:n1');
    assert.deepEqual(await conditionsOf('node'), [
      ['Approved', 'AutoApproved', 'Auto approving self nodeagent client certificate after SubjectAccessReview.'],
    ]);
  });

  const strange: readonly (readonly [what: string, wanted: Wanted, message: string])[] = [
    ['a Microsoft principal name', { altName: principalName }, 'otherName subjectAltNames are not allowed'],
    ['a registered ID', { altName: 'RID:1.2.3.4' }, 'registeredID subjectAltNames are not allowed'],
    [
      'two common names',
      { subject: '/O=system:nodes/CN=root/CN=system:node:n1' },
      'subject has more than one common name',
    ],
  ];
  for (const [index, [what, wanted, message]] of strange.entries()) {
    it(`of a node with ${what} are neither approved nor signed`, async () => {
      const name = `strange-${index}`;
      await ask(name, { subject: nodeSubject, signer: `${client}-nodeagent`, ...wanted }, node);
      // The requests are handled one after the other, so a later one shows that this was looked at.
      await ask(`${name}-later`, { subject: nodeSubject, signer: `${client}-nodeagent` }, node);
      await issued(`${name}-later`);
      assert.deepEqual(await conditionsOf(name), []);
      await cl('certificate', 'approve', name);
      await until('the failure', async () => (await conditionsOf(name)).length === 2);
      assert.deepEqual((await conditionsOf(name))[1], ['Failed', 'SignerValidationFailure', message]);
    });
  }

  for (const [name, key] of [
    ['ed25519', ['ed25519']],
    ['p-521', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521']],
  ] as const) {
    it(`with a key of ${name} become certificates that authenticate`, async () => {
      await ask(name, { key, subject: `/CN=${name}` });
      await cl('certificate', 'approve', name);
      await issued(name);
      const { token: _, ...settings } = connectionTo(server);
      const [cert, keyText] = [
        await readFile(file(`${name}.crt`), 'utf8'),
        await readFile(file(`${name}.key`), 'utf8'),
      ];
      const holder = createClient({ ...settings, cert, key: keyText });
      const secrets = holder.resource({ group: '', version: 'v1', resource: 'secrets' });
      await assert.rejects(secrets.list({ namespace: 'default' }), new RegExp(`User "${name}" cannot list`));
      await holder.close();
    });
  }

  const serving = 'cluster.io/nodeagent-serving';
  const broken: readonly (readonly [name: string, wanted: Wanted, message: string])[] = [
    ['weak', { key: ['rsa:1024'] }, `RSA key has 1024 bits; ${allowedKeys}`],
    ['principal', { altName: principalName }, 'otherName subjectAltNames are not allowed'],
    [
      'serving-principal',
      { signer: serving, usages: servingUsages, subject: nodeSubject, altName: `DNS:n1,${principalName}` },
      'otherName subjectAltNames are not allowed',
    ],
    ['usage', { usages: ['client auth', 'server auth'] }, 'invalid usage for client certificate: server auth'],
    ['no-client', { usages: ['digital signature'] }, 'missing required usage for client certificate: client auth'],
    ['group', { signer: serving, usages: servingUsages, altName: 'DNS:a' }, 'subject organization is not system:nodes'],
    [
      'no-names',
      { signer: serving, usages: servingUsages, subject: nodeSubject },
      'DNS or IP subjectAltName is required',
    ],
    [
      'uri',
      { signer: serving, usages: servingUsages, subject: nodeSubject, altName: 'DNS:a,URI:https://a' },
      'URI subjectAltNames are not allowed',
    ],
    [
      'named-client',
      { signer: `${client}-nodeagent`, subject: nodeSubject, altName: 'IP:127.0.0.1' },
      'IP subjectAltNames are not allowed',
    ],
  ];
  for (const [name, wanted, message] of broken) {
    it(`fail where a rule of the signer is broken: ${message}`, async () => {
      await ask(name, wanted);
      await cl('certificate', 'approve', name);
      await until('the failure', async () => (await conditionsOf(name)).length === 2);
      assert.deepEqual((await conditionsOf(name))[1], ['Failed', 'SignerValidationFailure', message]);
    });
  }

  it('for a serving certificate of a node keep its names', async () => {
    await ask('server', {
      signer: serving,
      usages: servingUsages,
      subject: nodeSubject,
      altName: 'DNS:n1,IP:10.0.0.1',
    });
    await cl('certificate', 'approve', 'server');
    assert.equal((await issued('server')).subjectAltName, 'DNS:n1, IP Address:10.0.0.1');
  });

  it('are deleted a day after they were made, or an hour after a decision', () => {
    const hour = 3_600_000;
    const creationTimestamp = '2026-01-01T00:00:00Z';
    const nowMs = Date.parse(creationTimestamp);
    const metadata = { name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp };
    const spec = { request: '', signerName: 's' };
    const lastUpdateTime = '2026-01-01T01:00:00Z';
    const conditions = [{ type: 'Denied', status: 'True', lastUpdateTime }];
    assert.equal(expiresInMs({ metadata, spec }, nowMs), 24 * hour);
    assert.equal(expiresInMs({ metadata, spec, status: { conditions } }, nowMs), 2 * hour);
  });
});
