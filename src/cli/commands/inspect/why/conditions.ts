import type { JsonObject } from '../../../../meta/json-value.ts';
import { itemsAt, textAt } from '../describe/parts/values.ts';
import { type Finding, inNamespace, type Subject } from './subject.ts';

/** Conditions that report a problem when they are true. All others should be. */
const problemWhenTrue =
  /(Pressure|Failure|Failed|Unavailable|Degraded|Stalled|Denied|Conflict|Remaining|Suspended|Dangling)$/;

/** Conditions that say nothing about the state, or that a check of their own explains. */
const explainedElsewhere: ReadonlySet<string> = new Set([
  'PodScheduled',
  'PodReadyToStartContainers',
  'ContainersReady',
  'DisruptionTarget',
  'Initialized',
  'ScalingLimited',
  'NetworkUnavailable',
]);

/** Conditions that are not as they should be, in the words of their controllers. */
export function conditions(subject: Subject): Finding[] {
  const isPod = subject.resource.kind === 'Pod' && subject.resource.group === '';
  const isDone = ['Succeeded', 'Complete'].some((type) => hasCondition(subject.object, type));
  const isDeleted = textAt(subject.object, 'metadata.deletionTimestamp') !== '';
  // The messages of a pod only list the containers, which have states of their own.
  if (isPod || isDone || isDeleted) return [];
  return itemsAt(subject.object, 'status.conditions')
    .filter((condition) => isProblem(condition))
    .map((condition) => ({
      says: `${textAt(condition, 'type')} is ${textAt(condition, 'status')}${because(condition)}`,
      next: `cl describe ${subject.resource.resource} ${subject.name}${inNamespace(subject)}`,
    }));
}

/** Tells whether a condition is true. */
export function hasCondition(object: JsonObject, type: string): boolean {
  return itemsAt(object, 'status.conditions').some((each) => each.type === type && each.status === 'True');
}

function isProblem(condition: JsonObject): boolean {
  const type = textAt(condition, 'type');
  if (explainedElsewhere.has(type)) return false;
  return textAt(condition, 'status') === (problemWhenTrue.test(type) ? 'True' : 'False') || isUnknown(condition);
}

function isUnknown({ status }: JsonObject): boolean {
  return status === 'Unknown';
}

function because(condition: JsonObject): string {
  const [reason, message] = [textAt(condition, 'reason'), textAt(condition, 'message')];
  const text = [reason, message].filter(Boolean).join(': ');
  return text === '' ? '.' : ` (${text}).`;
}
