import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { setDefault } from '../../../meta/read-field.ts';
import { validateStorageClass, validateStorageClassUpdate } from './validate.ts';

/** Storage classes. */
export const definition: ResourceDefinition = {
  group: 'storage',
  resource: 'storageclasses',
  strategy: {
    returnsDeletedObject: true,
    default: (storageClass) => {
      setDefault(storageClass, 'reclaimPolicy', 'Delete');
      setDefault(storageClass, 'volumeBindingMode', 'Immediate');
    },
    validate: validateStorageClass,
    validateUpdate: validateStorageClassUpdate,
  },
};
