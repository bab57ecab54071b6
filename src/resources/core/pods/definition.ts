import type { Pod, ContainerState, ContainerStateTerminated, ContainerStatus } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { binding, ephemeralContainers, eviction, resizeSubresource, statusSubresource } from '../../subresources.ts';
import { strategy } from './strategy.ts';
import type { Column } from '../../../codec/table.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { gatedReason, podCondition, isReady } from '../../../kinds/core/pod.ts';
import { orNone, ageColumn, integerColumn, nameColumn, textColumn, wideColumn } from '../../columns/column.ts';

/** The columns of pods. */
const columns: readonly Column<Pod>[] = [
  nameColumn,
  textColumn(
    'Ready',
    'Number of ready containers, of all containers of the pod.',
    (pod) => `${podSummary(pod).ready}/${pod.spec.containers?.length ?? 0}`,
  ),
  textColumn('Status', 'State of the pod as its phase and its containers tell it.', (pod) => podSummary(pod).status),
  integerColumn('Restarts', 'Number of restarts of the containers of the pod.', (pod) => podSummary(pod).restarts),
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
  // Pods have generations since release 1.33.
  earlierRules: { before: '1.33', hooks: { generation: false } },
  strategy,
});

/** The state of a pod in few words. */
interface PodSummary {
  /** The phase, or the reason of a container or of the pod: `Running`, `CrashLoopBackOff`. */
  readonly status: string;
  /** Number of ready containers. */
  readonly ready: number;
  /** Restarts of the containers, or of the init containers while these run. */
  readonly restarts: number;
}

/** Summarizes the containers of a pod: of its init containers until all of them have completed. */
function podSummary(pod: Pod): PodSummary {
  const summary = initSummary(pod) ?? containerSummary(pod);
  if (pod.metadata.deletionTimestamp === undefined) return summary;
  return { ...summary, status: pod.status.reason === 'NodeLost' ? 'Unknown' : 'Terminating' };
}

/** The summary of a pod whose init containers have not completed; undefined for other pods. */
function initSummary({ spec, status }: Pod): PodSummary | undefined {
  let restarts = 0;
  for (const [index, { restartCount, state }] of (status.initContainerStatuses ?? []).entries()) {
    restarts += restartCount;
    if (state.terminated?.exitCode === 0) continue;
    const progress = `${index}/${spec.initContainers?.length ?? 0}`;
    return { status: `Init:${initReason(state) ?? progress}`, ready: 0, restarts };
  }
  return undefined;
}

function initReason({ terminated, waiting }: ContainerState): string | undefined {
  if (terminated) return endOf(terminated);
  return waiting?.reason === 'PodInitializing' ? undefined : waiting?.reason;
}

function containerSummary(pod: Pod): PodSummary {
  const { containerStatuses: containers = [], reason: podReason, phase = '' } = pod.status;
  const running = containers.filter(isRunning);
  const restarts = containers.reduce((sum, { restartCount }) => sum + restartCount, 0);
  const isGated = podCondition(pod, 'PodScheduled')?.reason === gatedReason;
  const [reason = isGated ? gatedReason : (podReason ?? phase)] = containers.flatMap(
    (container) => reasonOf(container) ?? [],
  );
  const partly = reason === 'Completed' && running.length > 0;
  // Some containers have completed and others still run.
  const status = partly ? (isReady(pod) ? 'Running' : 'NotReady') : reason;
  return { status, ready: running.length, restarts };
}

function isRunning(container: ContainerStatus): boolean {
  return container.ready && container.state.running !== undefined && reasonOf(container) === undefined;
}

/** The reason why a container waits or has ended; undefined for others. */
function reasonOf({ state: { waiting, terminated } }: ContainerStatus): string | undefined {
  return waiting?.reason ?? (terminated && endOf(terminated));
}

/** The reason of a container's end, or its signal or exit code. */
function endOf({ reason, signal, exitCode }: ContainerStateTerminated): string {
  return reason ?? (signal ? `Signal:${signal}` : `ExitCode:${exitCode}`);
}
