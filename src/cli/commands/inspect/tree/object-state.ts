import type { JsonObject } from '../../../../meta/json-value.ts';
import { itemsAt, plain, textAt, valueAt } from '../describe/parts/values.ts';

/** Conditions that sum up an object, the most telling first. */
const summaries = ['Ready', 'Available', 'Established', 'Complete', 'Failed', 'Succeeded', 'Approved', 'Accepted'];

/** The state of an object of any kind in a few words; '' if it has none. */
export function objectState(object: JsonObject): string {
  if (textAt(object, 'metadata.deletionTimestamp') !== '') {
    const finalizers = valueAt(object, 'metadata.finalizers');
    const held = Array.isArray(finalizers) ? finalizers.map(plain) : [];
    return held.length > 0 ? `Terminating, waits for ${held.join(', ')}` : 'Terminating';
  }
  return [amountState(object), waitingState(object) || conditionState(object)].filter(Boolean).join(', ');
}

/** `2/3 ready` or the phase. */
function amountState(object: JsonObject): string {
  const desired = textAt(object, 'spec.replicas') || textAt(object, 'status.desiredNumberScheduled');
  const ready = textAt(object, 'status.readyReplicas') || textAt(object, 'status.numberReady');
  return desired === '' ? textAt(object, 'status.phase') : `${ready || '0'}/${desired} ready`;
}

/** The first container that cannot start. */
function waitingState(object: JsonObject): string {
  const statuses = ['status.initContainerStatuses', 'status.containerStatuses'].flatMap((path) =>
    itemsAt(object, path),
  );
  const reasons = statuses.map((status) => textAt(status, 'state.waiting.reason'));
  return reasons.find((reason) => reason !== '' && reason !== 'PodInitializing') ?? '';
}

function conditionState(object: JsonObject): string {
  // A pod that has ended is never ready.
  if (textAt(object, 'status.phase') === 'Succeeded') return '';
  const all = itemsAt(object, 'status.conditions');
  const found = summaries
    .map((type) => all.find((condition) => condition.type === type))
    .find((condition) => condition !== undefined);
  if (!found) return '';
  const type = textAt(found, 'type');
  if (found.status === 'True') return type;
  const reason = textAt(found, 'reason');
  return `not ${type.toLowerCase()}${reason ? `: ${reason}` : ''}`;
}
