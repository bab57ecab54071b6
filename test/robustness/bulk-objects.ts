import type { EtcdClient } from '../../src/etcd/etcd-client.ts';
import { encodeStoredObject } from '../../src/storage/objects/stored-object.ts';

/** Objects of another kind than the traffic's, for load; written straight to etcd, as the server would have. */
export async function writeBulk(etcd: EtcdClient, count: number, bytes: number): Promise<void> {
  const data = Buffer.alloc(bytes, 'x').toString('base64').slice(0, bytes);
  let next = 0;
  const write = async (): Promise<void> => {
    while (next < count) {
      const name = `bulk-${String(next++).padStart(6, '0')}`;
      const metadata = { name, namespace: 'default', uid: `uid-${name}`, creationTimestamp: '2020-01-01T00:00:00Z' };
      const object = { kind: 'Secret', apiVersion: 'v1', metadata, data: { data }, type: 'Opaque' };
      await etcd.create(`/registry/secrets/default/${name}`, encodeStoredObject(object));
    }
  };
  await Promise.all(Array.from({ length: 8 }, write));
}

/** Where they are read. */
export const bulkPath = '/api/v1/namespaces/default/secrets';

/** A Secret as a client writes it. */
export function secret(name: string, bytes: number): object {
  return { apiVersion: 'v1', kind: 'Secret', metadata: { name }, stringData: { data: 'x'.repeat(bytes) } };
}
