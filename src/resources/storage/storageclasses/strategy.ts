import type { StorageClass } from '../../../gen/stored/storage-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { validateStorageClass, validateStorageClassUpdate } from './validate.ts';

/** The strategy of storage classes. */
export const strategy: Strategy<StorageClass> = {
  returnsDeletedObject: true,
  default: (storageClass) => {
    storageClass.reclaimPolicy ??= 'Delete';
    storageClass.volumeBindingMode ??= 'Immediate';
  },
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
};
