import type { Container } from '../../gen/types/core-v1.ts';
import type { Job } from '../resources.ts';
import type { ControllingObject } from '../workloads/controller-reference.ts';
import { type NewPod, podFromTemplate } from '../workloads/pod-control.ts';
import { announcesEnd } from './job-outcome.ts';
import type { PodCreation } from './new-pods.ts';

const variable = 'JOB_COMPLETION_INDEX';

/** The marks of the pods of Jobs. */
interface JobPodNames {
  readonly indexAnnotation: string;
  /** The field of pods from which their containers read the index. */
  readonly indexPath: string;
  readonly failuresAnnotation: string;
  /** Keeps pods until they have been counted. */
  readonly finalizer: string;
}

/** Makes a pod of a Job. One with an index finds it in its environment and its host name. */
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
      // Servers that know of announced ends know the label as well.
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
