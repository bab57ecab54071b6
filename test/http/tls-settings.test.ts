import assert from 'node:assert/strict';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { connect, type ConnectionOptions } from 'node:tls';
import type { ClientCertificate } from './identity/certificate-authority.ts';
import { issueClientCertificate } from '../../src/pki/issue-client-certificate.ts';
import { encodeKey } from '../../src/pki/generate-key.ts';
import { issueServingCertificate } from '../../src/pki/issue-certificate.ts';
import { type AuthorityFiles, ensureAuthority } from '../../src/pki/ensure-authority.ts';
import { ensureServingCertificates, type ServingCertificates } from '../../src/pki/ensure-serving-certificates.ts';
import type { ServerOptions } from '../../src/server/index.ts';
import { portSharingError } from '../../src/flags/port-sharing.ts';
import { startServer, type TestServer } from '../../src/testing/index.ts';
import { until } from './until.ts';

/** A key of each type that certificates of servers have. */
const keyTypes: Readonly<Record<string, () => KeyObject>> = {
  ec: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey,
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey,
  ed25519: () => generateKeyPairSync('ed25519').privateKey,
};

const bodyOf = (pem: string): string => pem.replaceAll(/-----.*-----|\s/g, '');

describe('TLS', () => {
  let directory: string;
  let server: TestServer | undefined;
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-tls-'));
  });
  afterEach(async () => {
    await server?.stop();
    server = undefined;
  });
  after(() => rm(directory, { recursive: true, force: true }));

  it('serves the port of another server that shares it, where Node can', async () => {
    const unable = portSharingError(true);
    if (unable !== undefined) {
      assert.match(unable, /^--permit-port-sharing needs Node 23\.1 or newer/);
      return;
    }
    server = await startServer({ permitPortSharing: true });
    const other = await startServer({ permitPortSharing: true, securePort: server.port });
    assert.equal(other.port, server.port);
    await other.stop();
    await assert.rejects(startServer({ securePort: server.port }), /EADDRINUSE/);
  });

  /** A handshake's certificate and cipher. Rejects if it fails. */
  async function handshake(options: ConnectionOptions) {
    const socket = connect({ host: '127.0.0.1', port: server?.port, rejectUnauthorized: false, ...options });
    try {
      await once(socket, 'secureConnect');
      const { raw } = socket.getPeerCertificate();
      return { cert: raw.toString('base64'), protocol: socket.getProtocol(), cipher: socket.getCipher().standardName };
    } finally {
      socket.destroy();
    }
  }
  const start = async (options: Partial<ServerOptions>): Promise<TestServer> => (server = await startServer(options));
  const authority = (name: string) => ensureAuthority(path.join(directory, name), 'ca', name);
  const clientOf = (from: AuthorityFiles) => issueClientCertificate(from, { username: 'ann', groups: [] }, 3_600_000);
  const issue = (name: string, names: readonly string[]): Promise<ServingCertificates> =>
    ensureServingCertificates(path.join(directory, name), names);

  it('presents the certificate of the name that a client connects to', async () => {
    const exact = await issue('exact', ['api.example.com']);
    const wild = await issue('wild', ['ignored.example.com']);
    const named = { certFile: wild.certFile, keyFile: wild.keyFile, names: ['*.example.com'] };
    await start({ tlsSniCertKeys: [named, { certFile: exact.certFile, keyFile: exact.keyFile, names: [] }] });
    const shown = async (servername: string): Promise<string> => (await handshake({ servername })).cert;
    assert.equal(await shown('api.example.com'), bodyOf(exact.certPem));
    assert.equal(await shown('API.example.com'), bodyOf(exact.certPem));
    assert.equal(await shown('other.example.com'), bodyOf(wild.certPem));
    const own = await shown('localhost');
    assert.ok(![exact, wild].some(({ certPem }) => bodyOf(certPem) === own));
    for (const name of ['a.b.example.com', 'example.com', 'ignored.example.org']) assert.equal(await shown(name), own);
  });

  for (const ownType of Object.keys(keyTypes)) {
    it(`presents the certificate of a name whatever its key, beside one with a key of type ${ownType}`, async () => {
      const issuer = await authority('mixed');
      const issueWith = async (type: string, name = `${type}.example.com`) => {
        const key = keyTypes[type]?.() ?? assert.fail(type);
        const cert = await issueServingCertificate(issuer, key, [name]);
        const [certFile, keyFile] = ['crt', 'key'].map((end) => path.join(directory, `${ownType}-${name}.${end}`));
        await writeFile(certFile ?? '', cert);
        await writeFile(keyFile ?? '', encodeKey(key), { mode: 0o600 });
        return { name, cert, files: { certFile: certFile ?? '', keyFile: keyFile ?? '', names: [] } };
      };
      const named = await Promise.all(Object.keys(keyTypes).map((type) => issueWith(type)));
      const own = await issueWith(ownType, 'own.example.com');
      const { certFile: tlsCertFile, keyFile: tlsPrivateKeyFile } = own.files;
      await start({ tlsCertFile, tlsPrivateKeyFile, tlsSniCertKeys: named.map(({ files }) => files) });
      for (const maxVersion of ['TLSv1.2', 'TLSv1.3'] as const) {
        for (const { name, cert } of named) {
          assert.equal(
            (await handshake({ servername: name, maxVersion })).cert,
            bodyOf(cert),
            `${name}, ${maxVersion}`,
          );
        }
        assert.equal((await handshake({ servername: 'localhost', maxVersion })).cert, bodyOf(own.cert), maxVersion);
      }
    });
  }

  it('verifies client certificates under every name, by the client CA of the moment', async () => {
    const { certFile, keyFile } = await issue('named', ['named.example.com']);
    const [first, second] = [await authority('first'), await authority('second')];
    const clientCaFile = path.join(directory, 'clients.crt');
    await writeFile(clientCaFile, first.certificatePem);
    const tlsSniCertKeys = [{ certFile, keyFile, names: [] }];
    const { url } = await start({ tlsSniCertKeys, clientCaFile, certificateReloadMs: 20 });
    const statusBy = async (client: ClientCertificate): Promise<number | undefined> => {
      const { certPem: cert, keyPem: key } = client;
      const tls = { servername: 'named.example.com', rejectUnauthorized: false, agent: false, cert, key };
      const [response] = await once(https.get(`${url}/api/v1/namespaces`, tls), 'response');
      response.resume();
      return response.statusCode;
    };
    const [ann, bob] = await Promise.all([clientOf(first), clientOf(second)]);
    assert.deepEqual([await statusBy(ann), await statusBy(bob)], [200, 401]);
    await writeFile(`${clientCaFile}.new`, second.certificatePem);
    await rename(`${clientCaFile}.new`, clientCaFile);
    await until('the other CA', async () => (await statusBy(bob)) === 200);
    assert.equal(await statusBy(ann), 401);
  });

  it('presents a replaced certificate of a name without a restart', async () => {
    const old = await issue('old', ['rotated.example.com']);
    const renewed = await issue('renewed', ['rotated.example.com']);
    const certFile = path.join(directory, 'sni.crt');
    const keyFile = path.join(directory, 'sni.key');
    const place = async (files: ServingCertificates): Promise<void> => {
      await writeFile(`${keyFile}.new`, files.keyPem, { mode: 0o600 });
      await rename(`${keyFile}.new`, keyFile);
      await writeFile(`${certFile}.new`, files.certPem);
      await rename(`${certFile}.new`, certFile);
    };
    await place(old);
    await start({ tlsSniCertKeys: [{ certFile, keyFile, names: [] }], certificateReloadMs: 20 });
    const shown = async (): Promise<string> => (await handshake({ servername: 'rotated.example.com' })).cert;
    assert.equal(await shown(), bodyOf(old.certPem));
    await place(renewed);
    await until('the renewed certificate', async () => (await shown()) === bodyOf(renewed.certPem));
  });

  it('does not start with a certificate whose key is another', async () => {
    const [one, other] = [await issue('one', ['a.example.com']), await issue('other', ['b.example.com'])];
    await assert.rejects(start({ tlsSniCertKeys: [{ certFile: one.certFile, keyFile: other.keyFile, names: [] }] }), {
      message: /--tls-sni-cert-key .* is not the key of the certificate/,
    });
  });

  it('has forward secrecy and authenticated encryption only, from version 1.2', async () => {
    await start({});
    assert.equal((await handshake({})).protocol, 'TLSv1.3');
    const { protocol, cipher } = await handshake({ maxVersion: 'TLSv1.2' });
    assert.equal(protocol, 'TLSv1.2');
    assert.match(cipher, /^TLS_ECDHE_ECDSA_WITH_(?:AES_.*_GCM|CHACHA20)/);
    for (const ciphers of ['ECDHE-ECDSA-AES128-SHA', 'AES128-GCM-SHA256', 'ECDHE-RSA-AES128-SHA256']) {
      await assert.rejects(handshake({ maxVersion: 'TLSv1.2', ciphers }), ciphers);
    }
    const old: ConnectionOptions = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' };
    await assert.rejects(handshake(old));
  });

  it('can be limited to version 1.3', async () => {
    await start({ tlsMinVersion: 'VersionTLS13' });
    assert.equal((await handshake({})).protocol, 'TLSv1.3');
    await assert.rejects(handshake({ maxVersion: 'TLSv1.2' }));
  });

  it('can be limited to given cipher suites of version 1.2', async () => {
    await start({ tlsCipherSuites: ['TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384'] });
    assert.equal((await handshake({ maxVersion: 'TLSv1.2' })).cipher, 'TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384');
    await assert.rejects(handshake({ maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256' }));
    assert.equal((await handshake({})).protocol, 'TLSv1.3');
  });
});
