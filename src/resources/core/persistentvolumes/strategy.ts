import type { Strategy } from '../../../registry/definition/strategy.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { makeObjectAt, setDefault, stringAt } from '../../../meta/read-field.ts';
import { validateVolume, validateVolumeUpdate } from './validate.ts';

/** The strategy of persistent volumes. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  default: defaultVolume,
  prepareForCreate: (volume) => {
    volume['status'] = { phase: 'Pending' };
  },
  validate: validateVolume,
  validateUpdate: validateVolumeUpdate,
  generation: false,
};

/**
 * Fills in the defaults of a persistent volume. Volumes in a VolumeAttachment get none. Mutates.
 */
function defaultVolume(volume: JsonObject): void {
  const spec = makeObjectAt(volume, 'spec');
  if (stringAt(spec, 'persistentVolumeReclaimPolicy') === '') spec['persistentVolumeReclaimPolicy'] = 'Retain';
  setDefault(spec, 'volumeMode', 'Filesystem');
}
