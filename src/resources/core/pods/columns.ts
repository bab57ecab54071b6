import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { orNone } from '../../columns/cell-text.ts';
import { age, integer, name, text, wide } from '../../columns/column.ts';
import { podSummary } from './pod-summary.ts';

/** The columns of pods. */
export const columns: readonly Column[] = [
  name,
  text('Ready', 'Number of ready containers, of all containers of the pod.', (pod) => {
    return `${podSummary(pod).ready}/${objectsAt(objectAt(pod, 'spec'), 'containers').length}`;
  }),
  text('Status', 'State of the pod as its phase and its containers tell it.', (pod) => podSummary(pod).status),
  integer('Restarts', 'Number of restarts of the containers of the pod.', (pod) => podSummary(pod).restarts),
  age,
  wide('IP', 'Address of the pod; empty until it is allocated.', (pod) => orNone(podAddress(objectAt(pod, 'status')))),
  wide('Node', 'Node that the pod is bound to.', (pod) => orNone(stringAt(objectAt(pod, 'spec'), 'nodeName'))),
  wide('Nominated Node', 'Node on which the pod preempts others and may be scheduled soon.', (pod) =>
    orNone(stringAt(objectAt(pod, 'status'), 'nominatedNodeName')),
  ),
  wide('Readiness Gates', 'Number of readiness gates whose condition is true, of all of them.', readinessGates),
];

function podAddress(status: JsonObject): string {
  const [first] = objectsAt(status, 'podIPs');
  return first ? stringAt(first, 'ip') : stringAt(status, 'podIP');
}

function readinessGates(pod: JsonObject): string {
  const gates = objectsAt(objectAt(pod, 'spec'), 'readinessGates');
  if (gates.length === 0) return orNone('');
  const conditions = objectsAt(objectAt(pod, 'status'), 'conditions');
  const statusOf = (type: string) => conditions.find((condition) => stringAt(condition, 'type') === type)?.['status'];
  const passed = gates.filter((gate) => statusOf(stringAt(gate, 'conditionType')) === 'True');
  return `${passed.length}/${gates.length}`;
}

const conditionsOfPhase: Readonly<Record<string, readonly JsonObject[]>> = {
  Succeeded: [
    { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
};

/** The conditions of a row: a pod that has ended is completed. */
export function rowConditions(pod: JsonObject): readonly JsonObject[] | undefined {
  return conditionsOfPhase[stringAt(objectAt(pod, 'status'), 'phase')];
}
