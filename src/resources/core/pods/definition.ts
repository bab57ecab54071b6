import type { Pod } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { binding, ephemeralContainers, eviction, resizeSubresource, statusSubresource } from '../../subresources.ts';
import { podSummary, sidecarsOf } from './pod-summary.ts';
import { strategy } from './strategy.ts';
import type { CellContext, Column } from '../../../codec/table-definition.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { podCondition } from '../../../kinds/core/pod.ts';
import { orNone, ageColumn, integerColumn, nameColumn, textColumn, wideColumn } from '../../columns/column.ts';

/** The first release whose Tables show the time of the last restart. */
const showsLastRestart = '1.24';
const restartsDescription = 'Number of restarts of the containers of the pod.';

/** The number of restarts, with the time of the last one if known: `3 (5m ago)`. */
function restartsOf(pod: Pod, { nowMs }: CellContext): string {
  const { restarts, lastRestart } = podSummary(pod);
  return restarts > 0 && lastRestart !== '' ? `${restarts} (${ageSince(lastRestart, nowMs)} ago)` : `${restarts}`;
}

/** The columns of pods. */
const columns: readonly Column<Pod>[] = [
  nameColumn,
  textColumn(
    'Ready',
    'Number of ready containers, of all containers of the pod.',
    (pod) => `${podSummary(pod).ready}/${(pod.spec.containers?.length ?? 0) + sidecarsOf(pod).size}`,
  ),
  textColumn('Status', 'State of the pod as its phase and its containers tell it.', (pod) => podSummary(pod).status),
  { ...integerColumn('Restarts', restartsDescription, (pod) => podSummary(pod).restarts), until: showsLastRestart },
  { ...textColumn('Restarts', restartsDescription, restartsOf), since: showsLastRestart },
  ageColumn,
  wideColumn('IP', 'Address of the pod; empty until it is allocated.', ({ status }) =>
    orNone(status.podIPs?.[0] ? status.podIPs[0].ip : status.podIP),
  ),
  wideColumn('Node', 'Node that the pod is bound to.', ({ spec }) => orNone(spec.nodeName)),
  wideColumn('Nominated Node', 'Node on which the pod preempts others and may be scheduled soon.', ({ status }) =>
    orNone(status.nominatedNodeName),
  ),
  wideColumn('Readiness Gates', 'Number of readiness gates whose condition is true, of all of them.', readinessGates),
];

function readinessGates(pod: Pod): string {
  const { readinessGates: gates = [] } = pod.spec;
  if (gates.length === 0) return orNone('');
  const passed = gates.filter(({ conditionType }) => podCondition(pod, conditionType)?.status === 'True');
  return `${passed.length}/${gates.length}`;
}

const conditionsOfPhase: Readonly<Record<string, readonly JsonObject[]>> = {
  Succeeded: [
    { type: 'Completed', status: 'True', reason: 'Succeeded', message: 'The pod has completed successfully.' },
  ],
  Failed: [{ type: 'Completed', status: 'True', reason: 'Failed', message: 'The pod failed.' }],
};

/** The conditions of a row: a pod that has ended is completed. */
function rowConditions({ status }: Pod): readonly JsonObject[] | undefined {
  return conditionsOfPhase[status.phase ?? ''];
}

/** The resource `pods` of the core group. */
export const pods = builtIn<Pod>({
  group: '',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['po'],
  categories: ['all'],
  subresources: [binding, ephemeralContainers, eviction, resizeSubresource, statusSubresource],
  columns,
  rowConditions,
  // Pods have a generation since release 1.33.
  earlierRules: { before: '1.33', hooks: { generation: false } },
  strategy,
});
