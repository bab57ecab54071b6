import type { JsonObject } from '../../../meta/json-value.ts';
import { annotationsOf } from '../../../meta/object-meta.ts';
import { referencesOfPod } from '../../../meta/pod-references.ts';
import { isTrue, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';

/** A node and its pod. */
interface MirrorPod {
  readonly pod: JsonObject;
  readonly nodeName: string;
  /** The annotation of a pod that represents one from the node's own files. */
  readonly annotation: string;
}

/** The reason why a node may not create a pod; '' if it may. Does not check the owner's UID. */
export function mirrorPodFault({ pod, nodeName, annotation }: MirrorPod): string {
  const who = `node ${JSON.stringify(nodeName)}`;
  if (!Object.hasOwn(annotationsOf(pod), annotation)) {
    return `pod does not have ${JSON.stringify(annotation)} annotation, ${who} can only create mirror pods`;
  }
  if (stringAt(objectAt(pod, 'spec'), 'nodeName') !== nodeName) {
    return `${who} can only create pods with spec.nodeName set to itself`;
  }
  return ownerFault(pod, nodeName, who) || referenceFault(pod, who);
}

/** The owner that a mirror pod must have: its node. */
export function ownerOf(pod: JsonObject): JsonObject | undefined {
  return objectsAt(objectAt(pod, 'metadata'), 'ownerReferences')[0];
}

function ownerFault(pod: JsonObject, nodeName: string, who: string): string {
  const owners = objectsAt(objectAt(pod, 'metadata'), 'ownerReferences');
  if (owners.length > 1) return `${who} can only create pods with a single owner reference set to itself`;
  const [owner] = owners;
  const isNode = owner && stringAt(owner, 'apiVersion') === 'v1' && stringAt(owner, 'kind') === 'Node';
  if (!isNode || stringAt(owner, 'name') !== nodeName) {
    return `${who} can only create pods with an owner reference set to itself`;
  }
  if (!isTrue(owner, 'controller')) {
    return `${who} can only create pods with a controller owner reference set to itself`;
  }
  return isTrue(owner, 'blockOwnerDeletion') ? `${who} must not set blockOwnerDeletion on an owner reference` : '';
}

/** A node could read what its pods refer to. */
function referenceFault(pod: JsonObject, who: string): string {
  const { serviceAccounts, secrets, configMaps, claims } = referencesOfPod(pod);
  const found = [
    { names: serviceAccounts, what: 'a service account' },
    { names: secrets, what: 'secrets' },
    { names: configMaps, what: 'configmaps' },
    { names: claims, what: 'persistentvolumeclaims' },
  ].find(({ names }) => names.length > 0);
  return found ? `${who} can not create pods that reference ${found.what}` : '';
}
