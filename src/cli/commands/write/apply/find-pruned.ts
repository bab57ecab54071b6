import type { DiscoveredResource } from '../../../../client/discovery.ts';
import { hasReason } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { annotationsOf, metadataOf, nameOf, namespaceOf, uidOf } from '../../../../meta/object-meta.ts';
import { objectsAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { resourcesOf, type Session } from '../../../find-type.ts';
import {
  deleteSelected,
  type DeletedObject,
  type DeletionOptions,
  waitUntilGone,
} from '../../../objects/delete-selected.ts';
import type { WrittenObjects } from '../../../objects/written-objects.ts';
import { lastAppliedAnnotations } from '../../../objects/client-side-fields.ts';

/** An object that was applied. */
export interface Applied {
  readonly resource: DiscoveredResource;
  readonly object: JsonObject;
}

/** The flags that concern pruning. */
export interface PruneOptions extends DeletionOptions {
  readonly selector: string | undefined;
  readonly pruneAllowlist: readonly string[];
  readonly fieldManager: string;
  readonly wait: boolean;
  readonly timeout: number;
}

/** The kinds that are pruned unless others are allowed: `group/version/Kind`. */
const usualKinds: ReadonlySet<string> = new Set([
  ...[
    'ConfigMap',
    'Endpoints',
    'Namespace',
    'PersistentVolumeClaim',
    'PersistentVolume',
    'Pod',
    'ReplicationController',
    'Secret',
    'Service',
  ].map((kind) => `/${kind}`),
  ...['Job', 'CronJob'].map((kind) => `batch/${kind}`),
  ...['DaemonSet', 'Deployment', 'ReplicaSet', 'StatefulSet'].map((kind) => `apps/${kind}`),
]);

/**
 * Finds the objects that were applied before, match the selector and are not in the files now: in
 * the namespaces of the applied objects, and of the cluster.
 */
export async function* findPruned(
  session: Session,
  options: Pick<PruneOptions, 'selector' | 'pruneAllowlist' | 'fieldManager'>,
  applied: readonly Applied[],
): AsyncIterable<Applied> {
  const kept = new Set(applied.map(({ object }) => uidOf(object)));
  const namespaces = new Set(applied.map(({ object }) => namespaceOf(object)).filter(Boolean));
  for (const resource of await prunedResources(session, options.pruneAllowlist)) {
    for (const namespace of resource.namespaced ? namespaces : [undefined]) {
      const objects = await listObjects(session, resource, { namespace, selector: options.selector });
      for (const object of objects.filter((each) => wasApplied(each, options.fieldManager))) {
        if (!kept.has(uidOf(object))) yield { resource, object };
      }
    }
  }
}

/** Deletes the objects that `findPruned` finds. */
export async function pruneObjects(
  session: Session,
  options: PruneOptions,
  applied: readonly Applied[],
  printer: WrittenObjects,
): Promise<void> {
  const gone: DeletedObject[] = [];
  for await (const { resource, object } of findPruned(session, options, applied)) {
    gone.push(...(await pruneObject(session, options, resource, object, printer)));
  }
  if (options.wait && options.dryRun === 'none') await waitUntilGone(session, gone, options.timeout);
}

/** Deletes one object and says so. */
export async function pruneObject(
  session: Session,
  options: DeletionOptions,
  resource: DiscoveredResource,
  object: JsonObject,
  printer: WrittenObjects,
): Promise<DeletedObject[]> {
  const place = { resource, name: nameOf(object), namespace: resource.namespaced ? namespaceOf(object) : undefined };
  try {
    const deleted =
      options.dryRun === 'client' ? { ...place, uid: undefined } : await deleteSelected(session, place, options);
    printer.print(object, 'pruned');
    return [deleted];
  } catch (error) {
    if (hasReason(error, 'NotFound')) return [];
    throw error;
  }
}

/** The objects of a resource, with their types. */
export async function listObjects(
  { client, io }: Session,
  resource: DiscoveredResource,
  { namespace, selector }: { readonly namespace: string | undefined; readonly selector: string | undefined },
): Promise<JsonObject[]> {
  const objects: JsonObject[] = [];
  const query = { ...(namespace ? { namespace } : {}), ...(selector ? { labelSelector: selector } : {}) };
  // The codec of the client returns JSON values.
  for await (const { items } of client.resource(resource).pages({ ...query, signal: io.signal })) {
    objects.push(...(items as JsonObject[]));
  }
  return objects;
}

/** Reports whether an object was written by an apply: of this manager, or of a client. */
function wasApplied(object: JsonObject, manager: string): boolean {
  const annotations = annotationsOf(object);
  if (lastAppliedAnnotations.some((key) => Object.hasOwn(annotations, key))) return true;
  const managers = objectsAt(metadataOf(object) ?? {}, 'managedFields');
  // A status that was applied does not make its object one that was.
  return managers.some((entry) => entry.manager === manager && entry.operation === 'Apply' && !entry.subresource);
}

async function prunedResources(session: Session, allowed: readonly string[]): Promise<DiscoveredResource[]> {
  const resources = await resourcesOf(session);
  const listable = resources.filter(({ verbs }) => verbs.includes('list') && verbs.includes('delete'));
  if (allowed.length > 0) return allowed.map((text) => allowedResource(listable, text));
  const ingress = (kind: string, group: string) => kind === 'Ingress' && group.startsWith('networking.');
  const found = listable.filter(({ kind, group }) => usualKinds.has(`${group}/${kind}`) || ingress(kind, group));
  // The first version of a group is the preferred one.
  return found.filter(
    ({ group, resource }, at) =>
      found.findIndex((other) => other.group === group && other.resource === resource) === at,
  );
}

function allowedResource(resources: readonly DiscoveredResource[], text: string): DiscoveredResource {
  const [group = '', version = '', kind = ''] = text.split('/');
  const name = group === 'core' ? '' : group;
  const found = resources.find(
    (resource) => resource.group === name && resource.version === version && resource.kind === kind,
  );
  if (found) return found;
  throw new CliError(`--prune-allowlist: the server has no "${text}"`, {
    hint: 'write group/version/Kind: core/v1/ConfigMap',
  });
}
