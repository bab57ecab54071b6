import { getOwn } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { objectAt, stringAt } from '../../../meta/read-field.ts';
import { checkCsiDriverName } from '../../rules/csi-driver-name.ts';
import { checkImmutable } from '../../rules/immutable.ts';

/** The fields of a driver that nodes have acted upon. */
const fixed = ['attachRequired', 'fsGroupPolicy', 'podInfoOnMount', 'volumeLifecycleModes'];

/** CSI drivers. */
export const definition: ResourceDefinition = {
  group: 'storage',
  resource: 'csidrivers',
  strategy: {
    returnsDeletedObject: true,
    validate: (driver) => checkCsiDriverName('metadata.name', stringAt(objectAt(driver, 'metadata'), 'name')),
    validateUpdate: (driver, old) => {
      const [spec, oldSpec] = [objectAt(driver, 'spec'), objectAt(old, 'spec')];
      return fixed.flatMap((name) => checkImmutable(`spec.${name}`, getOwn(spec, name), getOwn(oldSpec, name)));
    },
    allowUnconditionalUpdate: false,
  },
};
