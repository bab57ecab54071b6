import type { Strategy } from '../../../registry/strategy.ts';
import { setDefault } from '../../../meta/read-field.ts';
import { validateStorageClass, validateStorageClassUpdate } from './validate.ts';

/** The strategy of storage classes. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  default: (storageClass) => {
    setDefault(storageClass, 'reclaimPolicy', 'Delete');
    setDefault(storageClass, 'volumeBindingMode', 'Immediate');
  },
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
};
