import type { PersistentVolumeClaim } from '../../gen/stored/core-v1.ts';
import type { AdmissionPlugin, PluginContext } from '../admission.ts';
import { requestedStorageClass } from '../../kinds/core/persistent-volume-claim.ts';
import { defaultClassFinder } from '../default-class.ts';
import { isWriteTo, type ObjectWrite } from '../is-write-to.ts';

/**
 * Sets the default class in a new PersistentVolumeClaim without a class (spec 4.10). The class ''
 * asks for none.
 */
export function defaultStorageClass(context: PluginContext): AdmissionPlugin {
  const { identifiers } = context;
  const { labelDomain } = identifiers;
  const defaultClass = defaultClassFinder(context, {
    group: `storage.${identifiers.apiDomain}`,
    resource: 'storageclasses',
    found: 'StorageClasses were found',
    newestSince: '1.26',
    annotations: [`storageclass.${labelDomain}/is-default-class`, `storageclass.beta.${labelDomain}/is-default-class`],
  });
  const setDefault = async (attributes: ObjectWrite<PersistentVolumeClaim>): Promise<void> => {
    const name = await defaultClass(attributes);
    if (name !== undefined) attributes.object.spec.storageClassName = name;
  };
  return {
    name: 'DefaultStorageClass',
    operations: ['CREATE'],
    resources: ['persistentvolumeclaims'],
    mutate(attributes) {
      if (!isWriteTo(attributes, '', 'persistentvolumeclaims', 'CREATE')) return undefined;
      const isGiven = requestedStorageClass(attributes.object, identifiers) !== undefined;
      return isGiven ? undefined : setDefault(attributes);
    },
  };
}
