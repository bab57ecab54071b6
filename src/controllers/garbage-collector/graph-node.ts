import type { OwnerReference, PartialObjectMetadata } from '../../client/api-object.ts';
import type { DiscoveredResource } from '../../client/discovery.ts';

/** An object as far as the garbage collector knows it. It is replaced when the object changes. */
export interface GraphNode {
  readonly uid: string;
  readonly resource: DiscoveredResource;
  /** '' for an object of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly resourceVersion: string;
  readonly owners: readonly OwnerReference[];
  readonly isDeleted: boolean;
  /** True if the deletion waits until its blocking dependents are gone (foreground). */
  readonly deletesDependents: boolean;
  /** True if the deletion waits until its dependents no longer have it as an owner. */
  readonly orphansDependents: boolean;
}

/** The finalizer of an object whose dependents are deleted before it. */
export const foregroundFinalizer = 'foregroundDeletion';

/** The finalizer of an object whose dependents stay. */
export const orphanFinalizer = 'orphan';

const noOwners: readonly OwnerReference[] = Object.freeze([]);

/** Reads the node of an object. */
export function readNode(resource: DiscoveredResource, { metadata }: PartialObjectMetadata): GraphNode {
  const { uid = '', namespace = '', name = '', resourceVersion = '', finalizers = [] } = metadata;
  const isDeleted = metadata.deletionTimestamp !== undefined;
  return {
    uid,
    resource,
    namespace,
    name,
    resourceVersion,
    owners: metadata.ownerReferences ?? noOwners,
    isDeleted,
    deletesDependents: isDeleted && finalizers.includes(foregroundFinalizer),
    orphansDependents: isDeleted && finalizers.includes(orphanFinalizer),
  };
}

/** The apiVersion of an object of a resource. */
export function apiVersionOf({ group, version }: DiscoveredResource): string {
  return group === '' ? version : `${group}/${version}`;
}
