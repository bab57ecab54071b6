import { writeFile } from 'node:fs/promises';
import path from 'node:path';

const secret = (fill: string): string => Buffer.alloc(32, fill).toString('base64');

/**
 * The resource that each provider of a release encrypts. The key management of releases before 1.24 is left out: their
 * client names the path of the socket as its authority, which the HTTP/2 of Node refuses in the plugin of the test.
 */
export function encryptedBy(release: string): readonly (readonly [resource: string, provider: string])[] {
  const minor = Number(release.slice(2));
  const all = [
    ['secrets', 'aescbc', 0],
    ['configmaps', 'aesgcm', 0],
    ['serviceaccounts', 'secretbox', 0],
    ['resourcequotas', 'kms:v1', 24],
    // The rules of earlier releases know built-in resources alone.
    ['widgets.example.com', 'aesgcm', 26],
    ['limitranges', 'kms:v2', 29],
  ] as const;
  return all.filter(([, , since]) => minor >= since).map(([resource, provider]) => [resource, provider]);
}

/** Writes the EncryptionConfiguration of both servers. Returns its path. */
export async function encryptionFile(directory: string, release: string): Promise<string> {
  const endpoint = `unix://${path.join(directory, 'kms.sock')}`;
  const providers: Readonly<Record<string, object>> = {
    aescbc: { aescbc: { keys: [{ name: 'a', secret: secret('a') }] } },
    aesgcm: { aesgcm: { keys: [{ name: 'b', secret: secret('b') }] } },
    secretbox: { secretbox: { keys: [{ name: 'c', secret: secret('c') }] } },
    'kms:v1': { kms: { name: 'one', endpoint, cachesize: 10 } },
    'kms:v2': { kms: { apiVersion: 'v2', name: 'two', endpoint } },
  };
  const resources = encryptedBy(release).map(([resource, provider]) => ({
    resources: [resource],
    providers: [providers[provider], { identity: {} }],
  }));
  const file = path.join(directory, 'encryption.json');
  const content = { apiVersion: 'apiserver.config.k8s.io/v1', kind: 'EncryptionConfiguration', resources };
  await writeFile(file, JSON.stringify(content));
  return file;
}
