import type { Identifiers } from '../identifiers/identifiers.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { isSet, objectAt, stringAt } from '../meta/read-field.ts';

/**
 * The storage class of a PersistentVolumeClaim: from the deprecated annotation, else from the
 * field; undefined if neither is set.
 */
export function requestedStorageClass(claim: JsonObject, { labelDomain }: Identifiers): string | undefined {
  const annotation = `volume.beta.${labelDomain}/storage-class`;
  const annotations = objectAt(claim, 'metadata', 'annotations');
  if (isSet(annotations, annotation)) return stringAt(annotations, annotation);
  const spec = objectAt(claim, 'spec');
  return isSet(spec, 'storageClassName') ? stringAt(spec, 'storageClassName') : undefined;
}
