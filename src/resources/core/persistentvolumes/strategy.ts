import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { validateVolume, validateVolumeUpdate } from './validate.ts';

/** Persistent volumes. */
export const definition: ResourceDefinition = {
  group: '',
  resource: 'persistentvolumes',
  strategy: {
    metadataErrors: { kept: 0, whole: 2 },
    returnsDeletedObject: true,
    prepareForCreate: (volume) => {
      volume['status'] = { phase: 'Pending' };
    },
    validate: validateVolume,
    validateUpdate: validateVolumeUpdate,
    updateErrors: 'stateTwice',
    generation: false,
  },
};
