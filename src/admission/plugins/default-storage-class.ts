import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { makeObjectAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { requestedStorageClass } from '../requested-storage-class.ts';
import { defaultClassFinder } from '../default-class.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Sets the default class in a new PersistentVolumeClaim without a class (spec 4.10). The class ''
 * asks for none.
 */
export function defaultStorageClass(identifiers: Identifiers, listerOf: ListerOf): AdmissionPlugin {
  const { labelDomain } = identifiers;
  const defaultClass = defaultClassFinder(listerOf, {
    group: `storage.${identifiers.apiDomain}`,
    resource: 'storageclasses',
    plural: 'StorageClasses',
    annotations: [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`],
  });
  return {
    name: 'DefaultStorageClass',
    operations: ['CREATE'],
    async mutate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'persistentvolumeclaims', 'CREATE')) return;
      if (requestedStorageClass(object, identifiers) !== undefined) return;
      const name = await defaultClass(attributes);
      if (name !== undefined) makeObjectAt(object, 'spec')['storageClassName'] = name;
    },
  };
}
