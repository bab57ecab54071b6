import { builtInResources } from '../../client/built-in-resources.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { Pod } from '../../controllers/resources.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../gen/types/core-v1.ts';
import type { StorageClass } from '../../gen/types/storage-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';

/** The claims, volumes and classes of a cluster, as far as pods of the scheduler need them. */
export interface VolumeLookup {
  claim(name: string, namespace: string | undefined): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  /** The class of a claim; undefined if it has none or that is unknown. */
  classOf(claim: PersistentVolumeClaim): StorageClass | undefined;
  /** Resolves when all of them have been listed. The first call starts the lists. */
  synced(): Promise<void>;
}

/** The names of the claims that a pod mounts. Those of ephemeral volumes are made for it later. */
export function claimNamesOf({ spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}

/**
 * Looks volumes up in informers, which are started by the first pod that needs one: most tests have
 * no volumes. `onChange` is called when a place may have become possible.
 */
export function volumeLookup(
  informers: InformerFactory,
  { set, labelDomain }: Identifiers,
  onChange: () => void,
  signal: AbortSignal,
): VolumeLookup {
  const { persistentvolumeclaims, persistentvolumes, storageclasses } = builtInResources(set);
  let started: ReturnType<typeof start> | undefined;

  function start() {
    const claims = informers.informer(persistentvolumeclaims);
    const volumes = informers.informer(persistentvolumes);
    const classes = informers.informer(storageclasses);
    const sources = [claims, volumes, classes];
    for (const source of sources) source.subscribe({ add: onChange, update: onChange, delete: onChange }, signal);
    const synced = Promise.all(sources.map((source) => source.synced(signal)));
    return { claims, volumes, classes, synced };
  }

  return {
    claim: (name, namespace) => started?.claims.get(name, namespace),
    volume: (name) => started?.volumes.get(name),
    classOf({ metadata, spec }) {
      const old = metadata?.annotations?.[`volume.beta.${labelDomain}/storage-class`];
      return started?.classes.get(old ?? spec?.storageClassName ?? '');
    },
    async synced() {
      started ??= start();
      await started.synced;
    },
  };
}
