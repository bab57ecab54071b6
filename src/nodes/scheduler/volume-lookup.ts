import { clientBackOff } from '../../async/timers.ts';
import type { ApiObject } from '../../client/api-object.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import type { InformerFactory } from '../../client/informers/informer-factory.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { Pod } from '../../controllers/resources.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../gen/types/core-v1.ts';
import type { StorageClass } from '../../gen/types/storage-v1.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { followOptional } from '../collections/optional-collection.ts';

/** The claims, volumes and classes of a cluster, as far as pods of the scheduler need them. */
export interface VolumeLookup {
  claim(name: string, namespace: string | undefined): PersistentVolumeClaim | undefined;
  volume(name: string): PersistentVolume | undefined;
  /** The class of a claim; undefined if it has none or that is unknown. */
  classOf(claim: PersistentVolumeClaim): StorageClass | undefined;
  /**
   * True when all of them have been listed, or refused, which counts as empty. The first call
   * starts the lists; `onChange` is called when they have ended.
   */
  isReady(): boolean;
}

/** The names of the claims that a pod mounts, except claims of its ephemeral volumes. */
export function claimNamesOf({ spec }: Pod): readonly string[] {
  return (spec.volumes ?? []).flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []);
}

/** The server, and how errors are reported. */
interface LookupOptions {
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  readonly onError: (error: unknown) => void;
}

/**
 * Looks volumes up in collections that are followed from the first pod on that needs them: most
 * tests have no volumes. `onChange` is called when a place may have become possible.
 */
export function volumeLookup(
  { informers, identifiers, onError }: LookupOptions,
  onChange: () => void,
  signal: AbortSignal,
): VolumeLookup {
  const { persistentvolumeclaims, persistentvolumes, storageclasses } = builtInResources(identifiers.set);
  let started: ReturnType<typeof start> | undefined;

  function follow<T extends ApiObject>(reference: ResourceReference<T>) {
    const onRefused = (error: unknown): void => {
      const why = error instanceof Error ? error.message : String(error);
      onError(new Error(`pods are placed as if there were no ${reference.resource}: ${why}`, { cause: error }));
    };
    return followOptional(reference, { informers, onChange, onRefused, backoff: clientBackOff }, signal);
  }

  function start() {
    return {
      claims: follow(persistentvolumeclaims),
      volumes: follow(persistentvolumes),
      classes: follow(storageclasses),
    };
  }

  return {
    claim: (name, namespace) => started?.claims.get(name, namespace),
    volume: (name) => started?.volumes.get(name),
    classOf({ metadata, spec }) {
      const old = metadata?.annotations?.[`volume.beta.${identifiers.labelDomain}/storage-class`];
      return started?.classes.get(old ?? spec?.storageClassName ?? '');
    },
    isReady() {
      started ??= start();
      return Object.values(started).every(({ isKnown }) => isKnown);
    },
  };
}
