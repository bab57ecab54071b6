import type { IKeyValue } from 'etcd3';

/**
 * A value at the revision of its last write. `createRevision` is the revision at which its key was
 * created.
 */
export interface EtcdValue {
  readonly key: string;
  readonly value: Buffer;
  readonly revision: number;
  readonly createRevision: number;
}

/** Converts a key and value of etcd to the typed form. */
export function valueOf(kv: IKeyValue): EtcdValue {
  return {
    key: kv.key.toString(),
    value: kv.value,
    revision: Number(kv.mod_revision),
    createRevision: Number(kv.create_revision),
  };
}
