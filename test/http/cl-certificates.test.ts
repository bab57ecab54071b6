import assert from 'node:assert/strict';
import { createPublicKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeKey, generateKey } from '../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueCertificate } from '../../src/pki/issue-certificate.ts';
import { idleConnections } from '../idle-connections.ts';
import { runCl } from './cl/cl-runner.ts';

describe('hints of cl about the certificate of a server', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'cl-certificates-'));
  });
  after(() => rm(directory, { recursive: true }));

  const newAuthority = async () => {
    const key = await generateKey();
    return { key, certificatePem: await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 3600_000)) };
  };

  /** Runs `cl get nodes` against a server with a certificate, and returns what it prints. */
  async function errorOf(names: readonly string[], notAfter: Date, trustsOther = false): Promise<string> {
    const [authority, key] = [await newAuthority(), await generateKey()];
    const cert = await issueCertificate(authority, {
      commonName: 'apiserver',
      publicKey: createPublicKey(key),
      keyUsages: ['digitalSignature'],
      extendedKeyUsages: ['serverAuth'],
      names,
      notAfter,
    });
    const server = createServer({ cert, key: encodeKey(key), ...idleConnections }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    // A server that listens on an address has its port.
    const { port } = server.address() as AddressInfo;
    const { certificatePem } = trustsOther ? await newAuthority() : authority;
    const cluster = {
      server: `https://127.0.0.1:${port}`,
      'certificate-authority-data': Buffer.from(certificatePem).toString('base64'),
    };
    const config = {
      clusters: [{ name: 'c', cluster }],
      contexts: [{ name: 'c', context: { cluster: 'c' } }],
      'current-context': 'c',
    };
    await writeFile(join(directory, 'config'), JSON.stringify(config));
    const { code, err } = await runCl(['get', 'nodes'], { directory });
    server.close();
    server.closeAllConnections();
    assert.equal(code, 1);
    return err;
  }

  const later = new Date(Date.now() + 3600_000);

  it('name the field with the CA, if the CA is unknown', async () => {
    assert.match(
      await errorOf(['127.0.0.1'], later, true),
      /^error: cannot reach https:.* \(the client config does not trust the CA of the server; set "certificate-authority"/,
    );
  });

  it('say that the certificate has expired', async () => {
    assert.match(
      await errorOf(['127.0.0.1'], new Date(Date.now() - 2_000)),
      /^error: cannot reach https:.* \(the certificate of the server has expired; renew it/,
    );
  });

  it('name the fields with the name of the server, if the certificate has another one', async () => {
    assert.match(
      await errorOf(['example.com'], later),
      /^error: cannot reach https:.* \(the certificate of the server does not name this host; .*"tls-server-name"/,
    );
  });
});
