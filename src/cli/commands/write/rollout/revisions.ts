import type { JsonObject } from '../../../../meta/json-value.ts';
import { annotationsOf, labelsOf, metadataOf, uidOf } from '../../../../meta/object-meta.ts';
import { isTrue, numberAt, objectAt, objectsAt, stringAt } from '../../../../meta/read-field.ts';
import { CliError } from '../../../cli-error.ts';
import { findType, type Session } from '../../../find-type.ts';
import type { SelectedObject } from '../../../objects/select-objects.ts';

/** A revision of the template of a workload. */
export interface Revision {
  readonly number: number;
  readonly cause: string;
  /** The object that keeps it: a ReplicaSet or a ControllerRevision. */
  readonly object: JsonObject;
  /** The template of its pods. */
  readonly template: JsonObject;
}

/** The types that keep the revisions of workloads. */
const keepers: Readonly<Record<string, string>> = {
  Deployment: 'replicasets.apps',
  DaemonSet: 'controllerrevisions.apps',
  StatefulSet: 'controllerrevisions.apps',
};

/** The revisions of a workload, the oldest first. */
export async function revisionsOf(
  session: Session,
  { namespace }: SelectedObject,
  workload: JsonObject,
): Promise<Revision[]> {
  const type = keepers[stringAt(workload, 'kind')];
  if (type === undefined) {
    throw new CliError(`no history viewer has been implemented for ${stringAt(workload, 'kind')}`, {
      hint: 'name a deployment, daemonset or statefulset',
    });
  }
  const resource = await findType(session, type);
  const place = { signal: session.io.signal, ...(namespace === undefined ? {} : { namespace }) };
  const { items } = await session.client.resource(resource).list(place);
  // The codec of the client returns JSON values.
  const objects = (items as JsonObject[]).filter((object) => isOwned(object, uidOf(workload)));
  return objects.map(revisionOf).toSorted((one, other) => one.number - other.number);
}

function isOwned(object: JsonObject, uid: string): boolean {
  const owners = objectsAt(metadataOf(object) ?? {}, 'ownerReferences');
  return owners.some((owner) => isTrue(owner, 'controller') && stringAt(owner, 'uid') === uid);
}

function revisionOf(object: JsonObject): Revision {
  const annotations = Object.entries(annotationsOf(object));
  const kept = annotations.find(([key]) => /^deployment\..*\/revision$/.test(key))?.[1];
  const cause = annotations.find(([key]) => key.endsWith('/change-cause'))?.[1] ?? '<none>';
  const isControllerRevision = object.kind === 'ControllerRevision';
  const template = isControllerRevision
    ? objectAt(object, 'data', 'spec', 'template')
    : objectAt(object, 'spec', 'template');
  const number = isControllerRevision ? (numberAt(object, 'revision') ?? 0) : Number(kept ?? 0);
  return { number, cause, object, template };
}

/** The revision to go back to; 0 is the one before the latest. Throws `CliError`. */
export function findRevision(revisions: readonly Revision[], number: number, name: string): Revision {
  const found = number === 0 ? revisions.at(-2) : revisions.find((revision) => revision.number === number);
  if (found) return found;
  throw new CliError(
    number === 0
      ? `no rollout history found for deployment "${name}"`
      : `unable to find specified revision ${number} in history`,
  );
}

/** The template of a revision without the label by which a ReplicaSet knows its pods. */
export function plainTemplate({ template }: Revision): JsonObject {
  const labels = Object.entries(labelsOf(template)).filter(([key]) => key !== 'pod-template-hash');
  const { $patch: _, ...rest } = template;
  return { ...rest, metadata: { ...metadataOf(template), labels: Object.fromEntries(labels) } };
}
