import { isStatus } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import type { EventRecorder } from '../../client/events/event-recorder.ts';
import { type Node, nodes, type Pod, pods } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import type { NextState } from './followed-stage.ts';
import { stageGroup } from './stage.ts';
import type { StageVariables } from './stage-expression.ts';
import { objectsAt, stringAt } from '../../meta/read-field.ts';

/** The annotation of an object with the name of its last stage, without its domain. */
export const stageAnnotation = 'stage';

/** The value of the annotation `outcome` of an object whose status is written by stages alone. */
const staged = 'Staged';

/** The requests and names with which next states are applied. */
export interface ApplyContext {
  readonly client: Client;
  readonly identifiers: Identifiers;
  readonly events: EventRecorder;
}

/** A pod or node in the state that a stage was chosen for. */
interface ApplyTarget {
  readonly kind: 'Pod' | 'Node';
  readonly object: Pod | Node;
  readonly stageName: string;
  readonly variables: StageVariables;
}

/**
 * Applies the next state of a stage to an object, if the object has not changed since. Throws
 * StatusError: Conflict if it has.
 */
export async function applyStage(
  { client, identifiers, events }: ApplyContext,
  target: ApplyTarget,
  state: NextState,
  signal: AbortSignal,
): Promise<boolean> {
  const { kind, object } = target;
  const { name, namespace, uid } = object.metadata;
  const resource = kind === 'Pod' ? client.resource(pods) : client.resource(nodes);
  const place = namespace === undefined ? { signal } : { namespace, signal };
  let { resourceVersion } = object.metadata;
  // An object that goes needs no note of its stage.
  if (!state.delete || state.status || state.annotations) {
    const patch = statusPatch(target, state, identifiers);
    const written = await resource.patch(name, patch, { type: 'strategic', subresource: 'status', ...place });
    resourceVersion = written.metadata.resourceVersion;
  }
  if (changesFinalizers(object, state)) {
    const { add = [], remove = [] } = state.finalizers ?? {};
    // Applied to the finalizers that the object has by then: the stage may no longer match it.
    const patch = {
      metadata: {
        uid,
        finalizers: add.filter((each) => !remove.includes(each)),
        '$deleteFromPrimitiveList/finalizers': remove,
      },
    };
    const written = await resource.patch(name, patch, { type: 'strategic', ...place });
    resourceVersion = written.metadata.resourceVersion;
  }
  if (state.event) events.record({ ...object, apiVersion: 'v1', kind }, state.event);
  if (!state.delete) return resourceVersion !== object.metadata.resourceVersion;
  const isDeleted = object.metadata.deletionTimestamp !== undefined;
  const options = { ...place, preconditions: { uid }, ...(isDeleted ? { gracePeriodSeconds: 0 } : {}) };
  const response = await resource.delete(name, options);
  // The finalizers of others keep an object as it was that is deleted once more.
  return isStatus(response) || response.metadata.resourceVersion !== object.metadata.resourceVersion;
}

function statusPatch({ kind, object, stageName, variables }: ApplyTarget, state: NextState, identifiers: Identifiers) {
  const { uid, resourceVersion } = object.metadata;
  const { status, outcome = status ? staged : undefined } = state;
  const domain = stageGroup(identifiers);
  const annotations = {
    [`${domain}/${stageAnnotation}`]: stageName,
    ...(outcome === undefined ? {} : { [`${domain}/outcome`]: outcome }),
    ...state.annotations,
  };
  const metadata = { uid, resourceVersion, annotations };
  return status ? { metadata, status: completed(status, kind, object, variables) } : { metadata };
}

/** A status with the times and the addresses that each node agent reports. */
function completed(
  status: JsonObject,
  kind: ApplyTarget['kind'],
  object: Pod | Node,
  { now, podIP, hostIP }: StageVariables,
): JsonObject {
  // Statuses are JSON.
  const present = (object.status ?? {}) as unknown as JsonObject;
  const { conditions } = status;
  const times = { time: now, hasHeartbeat: kind === 'Node' };
  const dated: JsonObject = conditions === undefined ? {} : { conditions: datedConditions(conditions, present, times) };
  const isNew = kind === 'Pod' && present['startTime'] === undefined;
  const arrival: JsonObject = isNew ? { hostIP, podIP, podIPs: [{ ip: podIP }], startTime: now } : {};
  return { ...arrival, ...status, ...dated };
}

/** Reports whether an object has a finalizer to remove, or lacks one to add. */
function changesFinalizers({ metadata }: Pod | Node, { finalizers = {} }: NextState): boolean {
  const { add = [], remove = [] } = finalizers;
  const present: ReadonlySet<string> = new Set(metadata.finalizers);
  return remove.some((name) => present.has(name)) || add.some((name) => !present.has(name) && !remove.includes(name));
}

/**
 * Adds the times to conditions of a patch, as node agents do: the transition time if the state
 * changes, and for nodes the heartbeat time. Times in the patch are kept.
 */
function datedConditions(
  conditions: JsonValue,
  status: JsonObject,
  { time, hasHeartbeat }: { readonly time: string; readonly hasHeartbeat: boolean },
): JsonValue {
  if (!Array.isArray(conditions)) return conditions;
  const present = objectsAt(status, 'conditions');
  return conditions.map((condition) => {
    if (!isJsonObject(condition)) return condition;
    const before = present.find((each) => stringAt(each, 'type') === stringAt(condition, 'type'));
    const isSame = before !== undefined && stringAt(before, 'status') === stringAt(condition, 'status');
    const lastTransitionTime = (isSame && stringAt(before, 'lastTransitionTime')) || time;
    const times = { lastTransitionTime, ...(hasHeartbeat ? { lastHeartbeatTime: time } : {}) };
    return { ...times, ...condition };
  });
}
