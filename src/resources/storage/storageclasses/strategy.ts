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
  // An empty policy is accepted, as in kube-apiserver.
  suppressSchemaErrorsAt: ['reclaimPolicy'],
  validate: validateStorageClass,
  validateUpdate: validateStorageClassUpdate,
};
