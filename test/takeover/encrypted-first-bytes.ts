import assert from 'node:assert/strict';
import { connectEtcd } from '../../src/etcd/etcd-client.ts';
import { encryptedBy } from './encryption-file.ts';

/** Fails unless each encrypted resource is stored by its provider, and everything else in the form of kube-apiserver. */
export async function encryptedFirstBytes(endpoint: string, release: string): Promise<void> {
  const etcd = await connectEtcd({ endpoints: [endpoint] });
  const { signal } = new AbortController();
  try {
    for (const [resource, provider] of encryptedBy(release)) {
      const [name = '', group] = resource.split(/\.(.*)/s);
      const place = group ? `/registry/${group}/${name}/` : `/registry/${name}/`;
      const { values } = await etcd.range(place, { limit: 100, signal });
      assert.ok(values.length > 0, place);
      const stored = values.map(({ value }) => Buffer.from(value).toString('latin1', 0, 40));
      assert.ok(
        stored.every((text) => text.startsWith(`k8s:enc:${provider}`)),
        `${resource}: ${stored.join('; ')}`,
      );
    }
    const { values } = await etcd.range('/registry/', { limit: 5000, signal });
    const known = /^(?:k8s\0|k8s:enc:|\{)/;
    const others = values.filter(({ key, value }) => {
      const isOurs = key.startsWith('/registry/~/');
      return !isOurs && !known.test(Buffer.from(value).toString('latin1', 0, 8));
    });
    assert.deepEqual(
      others.map(({ key }) => key),
      [],
    );
    process.stdout.write(`  ${values.length} keys are stored as kube-apiserver stores them\n`);
  } finally {
    etcd.close();
  }
}
