import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { type HttpResponse, request } from './http-client.ts';
import { certificateRequest } from './minimal-objects.ts';

const requests = '/apis/certificates.cl.io/v1/certificatesigningrequests';

describe('certificate signing requests that hold none', () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ store: 'memory' });
  });
  after(() => server.stop());

  const send = (more: object): Promise<HttpResponse> =>
    request(server, 'POST', requests, {
      metadata: { name: 'a' },
      spec: { signerName: 'example.com/signer', usages: ['client auth'], ...more },
    });

  const shown: readonly (readonly [what: string, spec: object, value: string])[] = [
    ['text that is no PEM', { request: Buffer.from('hi').toString('base64') }, '"aGk="'],
    ['an empty text', { request: '' }, '""'],
    ['no request', {}, '""'],
  ];
  for (const [what, spec, value] of shown) {
    it(`are refused for ${what}`, async () => {
      const response = await send(spec);
      assert.equal(response.status, 422);
      const text = `spec.request: Invalid value: ${value}: PEM block type must be CERTIFICATE REQUEST`;
      assert.ok((response.body as { message: string }).message.endsWith(text), response.text);
    });
  }

  it('are refused for another block before that of the request', async () => {
    const pem = '-----BEGIN CERTIFICATE-----\naGk=\n-----END CERTIFICATE-----\n';
    const response = await send({ request: Buffer.from(pem).toString('base64') });
    assert.match(response.text, /PEM block type must be CERTIFICATE REQUEST/);
  });

  it('are refused for a lifetime of less than ten minutes', async () => {
    const sent = (expirationSeconds: number) => send({ request: certificateRequest(), expirationSeconds });
    const reason = 'may not specify a duration less than 600 seconds (10 minutes)';
    const refused = (await sent(599)).body as { message: string };
    assert.ok(refused.message.endsWith(`spec.expirationSeconds: Invalid value: 599: ${reason}`), refused.message);
    assert.equal((await sent(600)).status, 201);
  });
});

describe('certificate signing requests of openssl', () => {
  let directory: string;
  let server: TestServer;
  let old: TestServer;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-requests-'));
    [server, old] = await Promise.all([
      startServer({ store: 'memory' }),
      startServer({ store: 'memory', emulatedRelease: '1.21' }),
    ]);
  });
  after(async () => {
    await Promise.all([server.stop(), old.stop()]);
    await rm(directory, { recursive: true });
  });

  /** The base64 of a new request. */
  async function made(key: readonly string[], subject: string, ...more: readonly string[]): Promise<string> {
    const out = path.join(directory, 'request');
    const keyArguments = ['-newkey', ...key, '-nodes', '-keyout', path.join(directory, 'key')];
    await promisify(execFile)('openssl', ['req', '-new', ...keyArguments, '-subj', subject, '-out', out, ...more]);
    return (await readFile(out)).toString('base64');
  }
  const p256 = ['ec', '-pkeyopt', 'ec_paramgen_curve:P-256'];

  const accepted: readonly (readonly [what: string, key: readonly string[], more: readonly string[]])[] = [
    ['with text around the block', p256, ['-text']],
    ['with a key of Ed25519', ['ed25519'], []],
    ['with a key on P-521', ['ec', '-pkeyopt', 'ec_paramgen_curve:P-521'], []],
    ['with a key on P-224', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp224r1'], []],
    ['with a key of RSA 1024', ['rsa:1024'], []],
    ['signed with SHA-1', ['rsa:2048'], ['-sha1']],
    ['with a Microsoft principal name', p256, ['-addext', 'subjectAltName=otherName:1.3.6.1.4.1.311.20.2.3;UTF8:a@b']],
  ];
  for (const [index, [what, key, more]] of accepted.entries()) {
    it(`are stored ${what}: the keys and names to sign are the signer's decision`, async () => {
      const response = await request(server, 'POST', requests, {
        metadata: { name: `accepted-${index}` },
        spec: {
          request: await made(key, '/CN=a', ...more),
          signerName: 'cluster.io/cl-apiserver-client',
          usages: ['client auth'],
        },
      });
      assert.equal(response.status, 201, response.text);
    });
  }

  for (const [what, key] of [
    ['on a curve that Go does not have', ['ec', '-pkeyopt', 'ec_paramgen_curve:secp256k1']],
    ['of Ed448', ['ed448']],
  ] as const) {
    it(`are refused with a key ${what}`, async () => {
      const response = await request(server, 'POST', requests, {
        metadata: { name: 'refused' },
        spec: { request: await made(key, '/CN=a'), signerName: 'example.com/signer', usages: ['client auth'] },
      });
      assert.equal(response.status, 422, response.text);
    });
  }

  const clientUsages = ['digital signature', 'key encipherment', 'client auth'];
  const servingUsages = ['key encipherment', 'server auth', 'digital signature', 'server auth'];
  const node = '/O=system:nodes/CN=system:node:n1';
  const serverName = ['-addext', 'subjectAltName=DNS:n1'];
  const otherName = ['-addext', 'subjectAltName=DNS:n1,RID:1.2.3'];
  const implied: readonly (readonly [string, string, readonly string[], readonly string[] | undefined, string])[] = [
    ['of a node for a client certificate', node, [], clientUsages, 'cl-apiserver-client-nodeagent'],
    ['of a node for a serving certificate', node, serverName, servingUsages, 'nodeagent-serving'],
    ['of a node without usages', node, [], undefined, 'legacy-unknown'],
    ['of a node with names for a client certificate', node, serverName, clientUsages, 'legacy-unknown'],
    ['of a node with other names', node, otherName, servingUsages, 'legacy-unknown'],
    ['of a node with two common names', `/CN=a${node}`, [], clientUsages, 'legacy-unknown'],
    ['of somebody else', '/O=team/CN=ann', [], clientUsages, 'legacy-unknown'],
  ];
  for (const [index, [what, subject, more, usages, signer]] of implied.entries()) {
    it(`in v1beta1 ${what} are for ${signer} if they name none`, async () => {
      const response = await request(old, 'POST', requests.replace('/v1/', '/v1beta1/'), {
        metadata: { name: `implied-${index}` },
        spec: { request: await made(p256, subject, ...more), usages },
      });
      assert.equal(response.status, 201, response.text);
      assert.equal((response.body as SigningRequest).spec.signerName, `cluster.io/${signer}`);
    });
  }

  it('have no lifetime of their own before release 1.22, neither in the object nor in its Table', async () => {
    const body = {
      metadata: { name: 'short' },
      spec: {
        request: await made(p256, '/CN=a'),
        signerName: 'example.com/signer',
        usages: ['client auth'],
        expirationSeconds: 5400,
      },
    };
    for (const [of, seconds, cell] of [
      [server, 5400, '90m'],
      [old, undefined, undefined],
    ] as const) {
      const created = await request(of, 'POST', requests, body);
      assert.equal(created.status, 201, created.text);
      assert.equal((created.body as SigningRequest).spec.expirationSeconds, seconds);
      const table = await request(of, 'GET', `${requests}/short`, undefined, {
        accept: 'application/json;as=Table;v=v1;g=meta.cl.io',
      });
      const { columnDefinitions, rows } = table.body as Table;
      const at = columnDefinitions.findIndex(({ name }) => name === 'RequestedDuration');
      assert.equal(rows[0]?.cells[at], cell);
      assert.deepEqual(
        columnDefinitions.map(({ name }) => name).filter((name) => name !== 'RequestedDuration'),
        ['Name', 'Age', 'SignerName', 'Requestor', 'Condition'],
      );
    }
    const tooShort = { ...body, metadata: { name: 'shorter' }, spec: { ...body.spec, expirationSeconds: 5 } };
    assert.equal((await request(server, 'POST', requests, tooShort)).status, 422);
    assert.equal((await request(old, 'POST', requests, tooShort)).status, 201);
  });
});

interface SigningRequest {
  readonly spec: { readonly signerName: string; readonly expirationSeconds?: number };
}

interface Table {
  readonly columnDefinitions: readonly { readonly name: string }[];
  readonly rows: readonly { readonly cells: readonly unknown[] }[];
}
