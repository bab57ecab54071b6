import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ensureServingCertificates } from '../../../../src/pki/ensure-serving-certificates.ts';
import { readCertificates, readPrivateKey } from '../../../../src/config/flags/pem-files.ts';
import { startServer } from '../../../../src/testing/index.ts';

describe('files that flags name', () => {
  let directory: string;
  let good: { certFile: string; keyFile: string; caFile: string; certPem: string };
  before(async () => {
    directory = await mkdtemp(path.join(tmpdir(), 'cl-pem-'));
    good = await ensureServingCertificates(path.join(directory, 'pki'), ['localhost']);
  });
  after(() => rm(directory, { recursive: true, force: true }));

  const write = async (name: string, text: string): Promise<string> => {
    const file = path.join(directory, name);
    await writeFile(file, text);
    return file;
  };

  it('are read as they are when they are good', async () => {
    assert.equal(await readCertificates({ flag: '--tls-cert-file', file: good.certFile }), good.certPem);
    assert.match(await readPrivateKey({ flag: '--key', file: good.keyFile }, good.certPem), /PRIVATE KEY/);
  });

  it('are refused with the name of the flag when they are missing, hold no certificate or a broken one', async () => {
    const flag = '--client-ca-file';
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    const faults: readonly [file: string, message: RegExp][] = [
      [path.join(directory, 'missing'), /^--client-ca-file .*missing: ENOENT/],
      [await write('empty', ''), /contains no PEM block of type CERTIFICATE$/],
      [await write('broken', good.certPem + broken), /contains a certificate that cannot be parsed$/],
    ];
    for (const [file, message] of faults) await assert.rejects(readCertificates({ flag, file }), { message });
  });

  it('are refused when a key is not that of the certificate', async () => {
    const other = await ensureServingCertificates(path.join(directory, 'other'), ['localhost']);
    const key = { flag: '--tls-private-key-file', file: other.keyFile };
    await assert.rejects(readPrivateKey(key, good.certPem), { message: /is not the key of the certificate$/ });
  });

  it('keep a server from starting that would trust nobody', async () => {
    const clientCaFile = await write('junk', 'junk');
    await assert.rejects(startServer({ clientCaFile }), { message: /^--client-ca-file/ });
  });
});
