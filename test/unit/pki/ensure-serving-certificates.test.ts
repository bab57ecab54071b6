import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ensureServingCertificates } from '../../../src/pki/ensure-serving-certificates.ts';

describe('the certificate directory', () => {
  let directory: string;
  beforeEach(async () => {
    directory = join(await mkdtemp(join(tmpdir(), 'certs-')), 'new');
  });
  afterEach(() => rm(join(directory, '..'), { recursive: true }));

  it('is filled when empty, with secret keys, and reused when full', async () => {
    const first = await ensureServingCertificates(directory, ['localhost', '127.0.0.1']);
    assert.deepEqual((await readdir(directory)).toSorted(), ['apiserver.crt', 'apiserver.key', 'ca.crt', 'ca.key']);
    for (const name of ['ca.key', 'apiserver.key']) {
      assert.equal((await stat(join(directory, name))).mode & 0o777, 0o600);
    }
    assert.equal(await readFile(first.certFile, 'utf8'), first.certPem);
    assert.deepEqual(await ensureServingCertificates(directory, ['127.0.0.1']), first);
  });

  it('gets a new serving certificate of the same CA for a new name', async () => {
    const first = await ensureServingCertificates(directory, ['localhost']);
    const second = await ensureServingCertificates(directory, ['localhost', '::1']);
    assert.equal(second.caPem, first.caPem);
    assert.notEqual(second.certPem, first.certPem);
    assert.equal(new X509Certificate(second.certPem).checkIP('::1'), '::1');
  });

  it('gets new certificates where the old ones are damaged', async () => {
    const first = await ensureServingCertificates(directory, ['localhost']);
    await writeFile(first.certFile, 'nonsense');
    await writeFile(first.caFile, 'nonsense');
    const second = await ensureServingCertificates(directory, ['localhost']);
    assert.ok(new X509Certificate(second.certPem).verify(new X509Certificate(second.caPem).publicKey));
  });

  it('serves several processes that start at once', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, () => ensureServingCertificates(directory, ['localhost'])));
    const keys = new Set(all.map(({ keyPem }) => keyPem));
    assert.equal(keys.size, 1);
    for (const one of all) {
      for (const other of all) {
        assert.ok(new X509Certificate(one.certPem).verify(new X509Certificate(other.caPem).publicKey));
      }
    }
    assert.equal((await readdir(directory)).length, 4);
  });
});
