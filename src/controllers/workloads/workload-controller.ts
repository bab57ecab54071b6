import type { StoredMetadata } from '../resources.ts';
import type { ApiObject } from '../../client/api-object.ts';
import { type ReconcileResult } from '../../client/controllers/controller.ts';
import { watched, type WatchedSource } from '../../client/controllers/watch-sources.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { ResourceClient } from '../../client/resource-client.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { matchLabelSelector } from '../../meta/object-label-selector.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { serverMinor } from '../server-minor.ts';
import { untilServed } from '../until-served.ts';
import type { ControllerOptions } from '../options/controller-flags.ts';
import type { LabelSelector } from '../../gen/types/meta-v1.ts';
import { type ControllingObject, controllerReference } from './controller-reference.ts';
import { controlledBy, indexByController, orphansIn, selectingOwners } from './owned-objects.ts';
import { writeStatus } from './write-status.ts';
import { hasReason, ignoreReasons } from '../../client/error-of-response.ts';

/** An object that a server has stored. */
interface StoredObject extends ApiObject {
  metadata: StoredMetadata;
  status?: object;
}

/** A kind of objects that make others, `O`, and the function that reconciles one of them. */
interface WorkloadKind<T extends StoredObject, O extends StoredObject>
  extends Pick<ControllerDefinition, 'name' | 'alias' | 'account' | 'component'> {
  /** Names its metrics. */
  readonly queue: string;
  readonly resource: ResourceReference<T>;
  /** Versions of early releases that have no later one, the newest first. */
  readonly olderVersions?: readonly string[];
  readonly kind: string;
  /** The resource of the objects that it makes. */
  readonly makes: ResourceReference<O>;
  /** The selector of the objects that it adopts; a kind without it adopts and releases none. */
  readonly selectorOf?: (object: T) => LabelSelector | undefined;
  /** False for objects that it neither adopts nor keeps, whatever their labels are. */
  readonly mayControl?: (object: O, owner: T) => boolean;
  /** Other resources whose objects it controls. */
  readonly owns?: readonly ResourceReference<ApiObject>[];
  /** Other resources on which its objects depend. */
  readonly watches?: (workload: Workload<T, O>) => readonly WatchedSource[];
  /** The flag with the number of objects that are reconciled at the same time. */
  readonly concurrency: `concurrent-${string}-syncs` & keyof ControllerOptions;
  /** Creates the function that brings the world closer to an object's specification. */
  readonly start: (workload: Workload<T, O>) => ReconcileWorkload<T> | Promise<ReconcileWorkload<T>>;
}

type ReconcileWorkload<T> = (object: T & ControllingObject) => Promise<ReconcileResult>;

/** The dependencies of the controller of one kind. */
export interface Workload<T extends StoredObject, O extends StoredObject> extends ControllerContext {
  readonly signal: AbortSignal;
  readonly resource: ResourceClient<T>;
  readonly informer: Informer<T>;
  /** The objects that it makes, with the index of `indexByController`. */
  readonly made: Informer<O>;
  /** Returns the objects that one controls, after it has adopted orphans and released others. */
  claim(owner: T & ControllingObject): Promise<readonly O[]>;
  /** Writes status and planned annotations that differ from the object. */
  writeStatus(object: T, status: object, annotations?: Readonly<Record<string, string>>): Promise<void>;
  /** The minor number of the server's release, for the messages of Events. */
  readonly minor: number;
  /** Reconciles all objects although none has changed. */
  readonly enqueueAll: () => void;
}

/** Makes the controller of a kind whose objects make others. */
export function workloadController<T extends StoredObject, O extends StoredObject>(
  kind: WorkloadKind<T, O>,
): ControllerDefinition {
  const { name, alias, account, component } = kind;
  return { name, alias, account, component, run: (context, signal) => run(kind, context, signal) };
}

async function run<T extends StoredObject, O extends StoredObject>(
  kind: WorkloadKind<T, O>,
  context: ControllerContext,
  signal: AbortSignal,
): Promise<void> {
  const { options, controller } = context;
  const { queue, makes, selectorOf, owns = [], watches, concurrency, olderVersions } = kind;
  const resource = olderVersions ? await untilServed(context, kind.resource, olderVersions, signal) : kind.resource;
  const { group, version } = resource;
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const minor = await serverMinor(context.client, signal);
  const workload = openWorkload({ ...kind, resource }, { ...context, minor }, signal, () => {
    for (const { metadata } of workload.informer.list()) loop.enqueue(metadata.name, metadata.namespace);
  });
  const adopted = selectorOf ? [watched<O>(makes, selectingOwners(workload.informer, selectorOf))] : [];
  const loop = controller<T>({
    name: queue,
    for: resource,
    owns: [makes, ...owns],
    watches: [...adopted, ...(watches?.(workload) ?? [])],
    concurrency: options[concurrency],
    // Objects of lists have no kind.
    reconcile: async ({ object }) => object && (await reconcile({ ...object, apiVersion, kind: kind.kind })),
  });
  const reconcile = await kind.start(workload);
  await loop.run(signal);
}

function openWorkload<T extends StoredObject, O extends StoredObject>(
  kind: WorkloadKind<T, O>,
  context: ControllerContext & { readonly minor: number },
  signal: AbortSignal,
  enqueueAll: () => void,
): Workload<T, O> {
  const { client, informers } = context;
  const { selectorOf, mayControl } = kind;
  const resource = client.resource(kind.resource);
  const informer = informers.informer(kind.resource);
  const makes = client.resource(kind.makes);
  const made = informers.informer(kind.makes);
  indexByController(made);
  return {
    ...context,
    signal,
    resource,
    informer,
    made,
    enqueueAll,
    async claim(owner) {
      const { name, namespace, uid } = owner.metadata;
      if (!selectorOf) return controlledBy(made, uid);
      const selects = matchLabelSelector(selectorOf(owner) as JsonObject | undefined);
      return await claimObjects({
        owner,
        matches: (object) => selects(object.metadata.labels ?? {}) && (mayControl?.(object, owner) ?? true),
        informer: made,
        resource: makes,
        readOwner: () => resource.get(name, { namespace, signal }),
        signal,
      });
    },
    writeStatus: (object, status, annotations) =>
      writeStatus({ object, status, annotations, resource, informer, signal }),
  };
}

/** An object that controllers adopt and release. */
interface Claimable extends ApiObject {
  metadata: StoredMetadata;
}

/** The owner, and the resource of its objects. */
interface ObjectSelection<T extends Claimable> {
  readonly owner: ControllingObject;
  /** True for the objects that the owner may control. */
  readonly matches: (object: T) => boolean;
  /** An informer with the index of `indexByController`. */
  readonly informer: Informer<T>;
  readonly resource: ResourceClient<T>;
  /** Reads the owner from the server. */
  readonly readOwner: () => Promise<ApiObject>;
  readonly signal: AbortSignal;
}

/**
 * Returns the objects that an owner controls. Adopts orphans that its selector matches, and
 * releases objects that it no longer matches.
 */
async function claimObjects<T extends Claimable>(selection: ObjectSelection<T>): Promise<T[]> {
  const { owner, matches, informer } = selection;
  const owned = controlledBy(informer, owner.metadata.uid);
  const kept = owned.filter(matches);
  // A released object would be orphaned by the deletion of its owner, not deleted.
  if (owner.metadata.deletionTimestamp) return kept;
  if (kept.length < owned.length) {
    await Promise.all(owned.filter((object) => !kept.includes(object)).map((object) => release(object, selection)));
  }
  const orphans = orphansIn(informer, owner.metadata.namespace ?? '').filter(
    (object) => !object.metadata.deletionTimestamp && matches(object),
  );
  if (orphans.length === 0) return kept;
  const present = await selection.readOwner();
  if (present.metadata?.uid !== owner.metadata.uid || present.metadata.deletionTimestamp) return kept;
  const adopted = await Promise.all(orphans.map((object) => adopt(object, selection)));
  return [...kept, ...adopted.filter((object) => object !== undefined)];
}

async function adopt<T extends Claimable>(object: T, { owner, ...rest }: ObjectSelection<T>): Promise<T | undefined> {
  try {
    const adopted = await changeOwner(object, controllerReference(owner), rest);
    await rest.informer.waitFor(adopted.metadata.resourceVersion, rest.signal);
    return adopted;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

async function release<T extends Claimable>(object: T, { owner, ...rest }: ObjectSelection<T>): Promise<void> {
  // It is gone, or another one has its name.
  await ignoreReasons(
    changeOwner(object, { $patch: 'delete', uid: owner.metadata.uid }, rest),
    'NotFound',
    'Invalid',
    'Conflict',
  );
}

function changeOwner<T extends Claimable>(
  { metadata }: T,
  reference: object,
  { resource, signal }: Pick<ObjectSelection<T>, 'resource' | 'signal'>,
): Promise<T> {
  const { name, namespace, uid } = metadata;
  const patch = { metadata: { uid, ownerReferences: [reference] } };
  return resource.patch(name, patch, { type: 'strategic', namespace, signal });
}
