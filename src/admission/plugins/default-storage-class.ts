import type { Identifiers } from '../../identifiers/identifiers.ts';
import { makeObjectAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { claimedClass } from '../claimed-class.ts';
import { defaultClassName } from '../default-class.ts';
import { isWriteTo } from '../is-write-to.ts';
import type { LookupOf } from '../object-lookup.ts';

/** Gives a new PersistentVolumeClaim that names no storage class the default one (spec 4.10); '' asks for none. */
export function defaultStorageClass(identifiers: Identifiers, lookupOf: LookupOf): AdmissionPlugin {
  const classes = lookupOf(`storage.${identifiers.apiDomain}`, 'storageclasses');
  const { labelDomain } = identifiers;
  const rule = {
    plural: 'StorageClasses',
    annotations: [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`],
  };
  return {
    name: 'DefaultStorageClass',
    operations: ['CREATE'],
    async mutate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'persistentvolumeclaims', 'CREATE')) return;
      if (claimedClass(object, identifiers) !== undefined) return;
      const name = defaultClassName(attributes, await classes.list(attributes.signal), rule);
      if (name !== undefined) makeObjectAt(object, 'spec')['storageClassName'] = name;
    },
  };
}
