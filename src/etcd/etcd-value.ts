import type { IKeyValue } from 'etcd3';

/** A value at the revision of its last write. `createRevision` is that of its key's creation. */
export interface EtcdValue {
  readonly key: string;
  readonly value: Buffer;
  readonly revision: number;
  readonly createRevision: number;
}

/** The typed form of a key and value as etcd sends it. */
export function valueOf(kv: IKeyValue): EtcdValue {
  return {
    key: kv.key.toString(),
    value: kv.value,
    revision: Number(kv.mod_revision),
    createRevision: Number(kv.create_revision),
  };
}
