import type { Node, Pod } from '../../controllers/resources.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../gen/types/core-v1.ts';
import type { StorageClass } from '../../gen/types/storage-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { matchesTerm } from '../../kinds/core/node-selector.ts';
import type { NodeCheck, Obstacle } from './node-check.ts';
import { claimNamesOf, type VolumeLookup } from './volume-lookup.ts';

/** The annotation that names the node for which a claim is to be provisioned. */
export function selectedNodeKey({ labelDomain }: Identifiers): string {
  return `volume.${labelDomain}/selected-node`;
}

/** Why a pod fits on no node, whichever there are; undefined if its claims allow one. */
export function claimProblem(pod: Pod, lookup: VolumeLookup): string | undefined {
  for (const name of claimNamesOf(pod)) {
    const claim = lookup.claim(name, pod.metadata.namespace);
    if (!claim) return `persistentvolumeclaim ${JSON.stringify(name)} not found`;
    if (claim.metadata?.deletionTimestamp) return `persistentvolumeclaim ${JSON.stringify(name)} is being deleted`;
    const volume = claim.spec?.volumeName ?? '';
    if (claim.status?.phase === 'Lost') {
      return `persistentvolumeclaim ${JSON.stringify(name)} bound to non-existent persistentvolume ${JSON.stringify(volume)}`;
    }
  }
  return undefined;
}

/** The claims of a pod that wait for their first consumer. */
export function waitingClaims(pod: Pod, lookup: VolumeLookup): readonly PersistentVolumeClaim[] {
  return claimsOf(pod, lookup).filter(
    (claim) => !claim.spec?.volumeName && lookup.classOf(claim)?.volumeBindingMode === 'WaitForFirstConsumer',
  );
}

/**
 * Checks the nodes for the volumes of a pod: bound ones have to be reachable, and waiting ones
 * possible there. Other unbound claims count nowhere, because nothing binds them here.
 */
export function volumeCheck(pod: Pod, lookup: VolumeLookup, identifiers: Identifiers): NodeCheck {
  const bound = claimsOf(pod, lookup).flatMap(({ spec }) => spec?.volumeName || []);
  const waiting = waitingClaims(pod, lookup);
  if (bound.length + waiting.length === 0) return () => undefined;
  const volumes = bound.map((name) => lookup.volume(name));
  const present = volumes.flatMap((volume) => volume ?? []);
  const zoneKeys = ['topology', 'failure-domain.beta'].flatMap((domain) =>
    ['zone', 'region'].map((label) => `${domain}.${identifiers.labelDomain}/${label}`),
  );
  const places = waiting.map((claim) => ({
    storageClass: lookup.classOf(claim),
    selected: claim.metadata?.annotations?.[selectedNodeKey(identifiers)],
  }));
  return (node) => {
    if (present.length < volumes.length) return obstacles.lost;
    if (!present.every((volume) => reaches(volume, node))) return obstacles.affinity;
    const isPossible = places.every(
      ({ selected = node.metadata.name, storageClass }) =>
        selected === node.metadata.name && isAllowed(storageClass, node),
    );
    if (!isPossible) return obstacles.unbindable;
    return present.every((volume) => sharesZone(volume, node, zoneKeys)) ? undefined : obstacles.zone;
  };
}

function lasting(reason: string): Obstacle {
  return { reasons: [reason], removable: false };
}

const obstacles = Object.freeze({
  lost: lasting('node(s) unavailable due to one or more pvc(s) bound to non-existent pv(s)'),
  affinity: lasting('node(s) had volume node affinity conflict'),
  unbindable: lasting("node(s) didn't find available persistent volumes to bind"),
  zone: lasting('node(s) had no available volume zone'),
});

function claimsOf(pod: Pod, lookup: VolumeLookup): readonly PersistentVolumeClaim[] {
  return claimNamesOf(pod).flatMap((name) => lookup.claim(name, pod.metadata.namespace) ?? []);
}

function reaches({ spec }: PersistentVolume, node: Node): boolean {
  const required = spec?.nodeAffinity?.required;
  return !required || (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

/** The terms of a class are alternatives; all labels of one have to match. */
function isAllowed(storageClass: StorageClass | undefined, { metadata: { labels = {} } }: Node): boolean {
  const { allowedTopologies = [] } = storageClass ?? {};
  if (allowedTopologies.length === 0) return true;
  return allowedTopologies.some(({ matchLabelExpressions = [] }) =>
    matchLabelExpressions.every(({ key, values }) => values.includes(labels[key] ?? '')),
  );
}

/** Nodes without any label of a zone or region reach every volume. */
function sharesZone(
  { metadata }: PersistentVolume,
  { metadata: { labels = {} } }: Node,
  keys: readonly string[],
): boolean {
  if (!keys.some((key) => labels[key] !== undefined)) return true;
  return keys.every((key) => {
    const zones = metadata?.labels?.[key];
    return zones === undefined || zones.split('__').includes(labels[key] ?? '');
  });
}
