import type { Container } from '../../gen/types/core-v1.ts';
import type { Job } from '../resources.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { type NewPod, podFromTemplate } from '../workloads/pod-control.ts';
import { announcesEnd } from './job-outcome.ts';
import type { PodCreation } from './new-pods.ts';

const variable = 'JOB_COMPLETION_INDEX';

/** The annotations and the finalizer of the pods of Jobs. */
interface JobPodNames {
  readonly indexAnnotation: string;
  /** The path of the field from which containers read the index. */
  readonly indexPath: string;
  readonly failuresAnnotation: string;
  /** The finalizer that keeps pods until they are counted. */
  readonly finalizer: string;
}

/** Makes a pod of a Job. Pods with an index have it in the environment and in the host name. */
export function jobPod(
  job: Job & ControllingObject,
  { index, failures }: PodCreation,
  { indexAnnotation, indexPath, failuresAnnotation, finalizer }: JobPodNames,
): NewPod {
  const made = podFromTemplate(job.spec.template, job);
  const finalizers = [...(made.metadata.finalizers ?? []), finalizer];
  const pod = { ...made, metadata: { ...made.metadata, finalizers } };
  if (index === undefined) return pod;
  const { name } = job.metadata;
  const valueFrom = { fieldRef: { fieldPath: indexPath } };
  const withIndex = (container: Container): Container => {
    if (container.env?.some((each) => each.name === variable)) return container;
    return { ...container, env: [...(container.env ?? []), { name: variable, valueFrom }] };
  };
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      generateName: `${name}-${index}-`,
      annotations: {
        ...pod.metadata.annotations,
        [indexAnnotation]: String(index),
        ...(job.spec.backoffLimitPerIndex === undefined ? {} : { [failuresAnnotation]: String(failures) }),
      },
      // Servers that know announced ends also know the index label.
      ...(announcesEnd(job) ? { labels: { ...pod.metadata.labels, [indexAnnotation]: String(index) } } : {}),
    },
    spec: {
      ...pod.spec,
      hostname: `${name}-${index}`,
      containers: pod.spec.containers?.map(withIndex),
      initContainers: pod.spec.initContainers?.map(withIndex),
    },
  };
}
