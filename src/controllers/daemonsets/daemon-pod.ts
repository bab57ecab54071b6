import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { DaemonSet } from '../resources.ts';
import type { PodSpec, Toleration } from '../../gen/types/core-v1.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { type NewPod, podFromTemplate } from '../workloads/pod-control.ts';

/** The label with the hash of a pod's revision. */
export const revisionLabel = 'controller-revision-hash';

/** The number of changes of the template, which the server counts. */
const generationAnnotation = 'deprecated.daemonset.template.generation';
const generationLabel = 'pod-template-generation';

/** Makes the pod of a node. The scheduler binds it, and only to that node. */
export function daemonPod(
  set: DaemonSet & ControllingObject,
  node: string,
  hash: string,
  identifiers: Identifiers,
): NewPod {
  const pod = podFromTemplate(set.spec.template, set);
  const generation = set.metadata.annotations?.[generationAnnotation];
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      labels: {
        ...pod.metadata.labels,
        ...(generation === undefined ? {} : { [generationLabel]: generation }),
        [revisionLabel]: hash,
      },
    },
    spec: {
      ...pod.spec,
      affinity: affinityTo(node, pod.spec),
      tolerations: [...(pod.spec.tolerations ?? []), ...daemonTolerations(pod.spec, identifiers)],
    },
  };
}

/** The tolerations of all daemons, which run on nodes in trouble too. */
export function daemonTolerations({ hostNetwork }: Partial<PodSpec>, { labelDomain }: Identifiers): Toleration[] {
  const taints = [
    ['not-ready', 'NoExecute'],
    ['unreachable', 'NoExecute'],
    ['disk-pressure', 'NoSchedule'],
    ['memory-pressure', 'NoSchedule'],
    ['pid-pressure', 'NoSchedule'],
    ['unschedulable', 'NoSchedule'],
    ...(hostNetwork ? [['network-unavailable', 'NoSchedule']] : []),
  ];
  return taints.map(([key, effect]) => ({ key: `node.${labelDomain}/${key}`, operator: 'Exists', effect }));
}

/** The name of the node in the affinity of a daemon's pod. */
export function targetNode({ nodeName, affinity }: PodSpec): string | undefined {
  if (nodeName) return nodeName;
  const terms = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms ?? [];
  return terms.flatMap(({ matchFields = [] }) => matchFields).find(({ key }) => key === nameField)?.values?.[0];
}

const nameField = 'metadata.name';

/** Replaces the requirements of the template, which the node has been checked against. */
function affinityTo(node: string, { affinity }: PodSpec): PodSpec['affinity'] {
  const matchFields = [{ key: nameField, operator: 'In', values: [node] }];
  const required = { nodeSelectorTerms: [{ matchFields }] };
  return {
    ...affinity,
    nodeAffinity: { ...affinity?.nodeAffinity, requiredDuringSchedulingIgnoredDuringExecution: required },
  };
}
