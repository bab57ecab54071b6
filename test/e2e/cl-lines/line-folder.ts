import assert from 'node:assert/strict';
import { cp, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate } from '../../../src/pki/issue-certificate.ts';
import { runCl, writeConfig } from '../../http/cl/cl-runner.ts';

const hour = 3_600_000;

/** Makes a folder with the files of the lines, a certificate with its key, and a client config. */
export async function makeLineFolder(clientConfig: string): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'cl-lines-'));
  await cp('test/e2e/cl-lines/files', directory, { recursive: true });
  // No file of the sources is as broken as this.
  await writeFile(path.join(directory, 'broken.yaml'), 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a\ndata:\n');
  const key = await generateKey();
  const certificate = await issueAuthorityCertificate(key, 'lines', new Date(Date.now() + hour));
  for (const name of ['tls.crt', 'ca.crt']) await writeFile(path.join(directory, name), certificate);
  await writeFile(path.join(directory, 'tls.key'), encodeKey(key), { mode: 0o600 });
  await writeConfig(directory, clientConfig);
  return directory;
}

/** Creates the objects of files in a folder of lines. */
export async function createFrom(directory: string, ...files: readonly string[]): Promise<void> {
  for (const file of files) {
    const { code, err } = await runCl(['create', '-f', file], { directory });
    assert.equal(code, 0, err);
  }
}
