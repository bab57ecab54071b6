import type { RecordingEntry } from './recording-entry.ts';

/** Resources before all others, in their order. */
const first = [
  'customresourcedefinitions',
  'namespaces',
  'clusterroles',
  'priorityclasses',
  'runtimeclasses',
  'storageclasses',
  'ingressclasses',
  'nodes',
  'serviceaccounts',
  'secrets',
  'configmaps',
  'persistentvolumes',
  'persistentvolumeclaims',
];

/** Resources after all others: they would refuse or change what comes after them. */
const last = [
  'pods',
  'limitranges',
  'resourcequotas',
  'events',
  'apiservices',
  'mutatingwebhookconfigurations',
  'validatingwebhookconfigurations',
];

function rankOf({ resource: { resource } }: RecordingEntry): number {
  const early = first.indexOf(resource);
  return early >= 0 ? early : first.length + 1 + last.indexOf(resource);
}

/**
 * Orders the objects of a start so that each comes after those that it needs: by resource, and
 * after the owners that are recorded.
 */
export function replayOrder(entries: readonly RecordingEntry[]): readonly RecordingEntry[] {
  const byUid = new Map(entries.map((entry) => [entry.object.metadata?.uid ?? '', entry]));
  const ordered = new Set<RecordingEntry>();
  for (const entry of entries.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    // Owners first; chains are followed without recursion, and cycles end.
    const chain = new Set([entry]);
    for (const each of chain) {
      for (const { uid } of each.object.metadata?.ownerReferences ?? []) {
        const owner = byUid.get(uid);
        if (owner && !ordered.has(owner)) chain.add(owner);
      }
    }
    for (const each of [...chain].toReversed()) ordered.add(each);
  }
  return [...ordered];
}
