import type { Pod } from '../../../gen/stored/core-v1.ts';
import { referencesOfPod } from '../../../kinds/core/pod-references.ts';

/** A node and its pod. */
interface MirrorPod {
  readonly pod: Pod;
  readonly nodeName: string;
  /** The annotation of a pod that represents one from the node's own files. */
  readonly annotation: string;
}

/** The reason why a node may not create a pod; '' if it may. Does not check the owner's UID. */
export function mirrorPodError({ pod, nodeName, annotation }: MirrorPod): string {
  const who = `node ${JSON.stringify(nodeName)}`;
  if (!Object.hasOwn(pod.metadata.annotations ?? {}, annotation)) {
    return `pod does not have ${JSON.stringify(annotation)} annotation, ${who} can only create mirror pods`;
  }
  if (pod.spec.nodeName !== nodeName) {
    return `${who} can only create pods with spec.nodeName set to itself`;
  }
  return ownerError(pod, nodeName, who) || referenceError(pod, who);
}

function ownerError({ metadata: { ownerReferences = [] } }: Pod, nodeName: string, who: string): string {
  if (ownerReferences.length > 1) return `${who} can only create pods with a single owner reference set to itself`;
  const [owner] = ownerReferences;
  if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== nodeName) {
    return `${who} can only create pods with an owner reference set to itself`;
  }
  if (!owner.controller) {
    return `${who} can only create pods with a controller owner reference set to itself`;
  }
  return owner.blockOwnerDeletion ? `${who} must not set blockOwnerDeletion on an owner reference` : '';
}

/** The error of references in a pod, which would let its node read the objects; '' if none. */
function referenceError(pod: Pod, who: string): string {
  const { serviceAccounts, secrets, configMaps, claims, resourceClaims } = referencesOfPod(pod);
  const sources = (pod.spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  const found = [
    { names: serviceAccounts, what: 'a service account' },
    { names: secrets, what: 'secrets' },
    { names: configMaps, what: 'configmaps' },
    { names: sources.filter((source) => source.clusterTrustBundle), what: 'clustertrustbundles' },
    { names: sources.filter((source) => source.podCertificate), what: 'podcertificates' },
    { names: claims, what: 'persistentvolumeclaims' },
    // Includes claims made from templates, and claims that only the status names.
    { names: [...(pod.spec.resourceClaims ?? []), ...resourceClaims], what: 'resourceclaims' },
  ].find(({ names }) => names.length > 0);
  return found ? `${who} can not create pods that reference ${found.what}` : '';
}
