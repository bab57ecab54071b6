import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { makeObjectAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
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
    found: 'StorageClasses were found',
    annotations: [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`],
  });
  const lacksClass = (attributes: AdmissionAttributes, object: JsonObject): boolean =>
    isWriteTo(attributes, '', 'persistentvolumeclaims', 'CREATE') &&
    requestedStorageClass(object, identifiers) === undefined;
  const setDefault = async (attributes: AdmissionAttributes, object: JsonObject): Promise<void> => {
    const name = await defaultClass(attributes);
    if (name !== undefined) makeObjectAt(object, 'spec')['storageClassName'] = name;
  };
  return {
    name: 'DefaultStorageClass',
    operations: ['CREATE'],
    resources: ['persistentvolumeclaims'],
    mutate(attributes) {
      const { object } = attributes;
      return object && lacksClass(attributes, object) ? setDefault(attributes, object) : undefined;
    },
  };
}
