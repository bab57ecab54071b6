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
