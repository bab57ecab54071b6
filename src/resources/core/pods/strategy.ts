import type { Pod, PodSpec } from '../../../gen/stored/core-v1.ts';
import { amountAt } from '../../../kinds/core/amounts.ts';
import { hasEnded } from '../../../kinds/core/pod.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { bindPod } from './binding.ts';
import { containersOf, defaultPod } from './default.ts';
import { ephemeralContainers } from './ephemeralcontainers.ts';
import { evictPod } from './eviction.ts';
import { mirrorSeccomp } from './seccomp-annotations.ts';
import { podStatus } from './status.ts';
import { validatePodUpdate } from './validate-update.ts';
import { validateNewPod, validatePod } from './validate.ts';

const selectors: Readonly<Record<string, (pod: Pod) => string | undefined>> = {
  'spec.nodeName': ({ spec }) => spec.nodeName,
  // The earlier name of `spec.nodeName`.
  'spec.host': ({ spec }) => spec.nodeName,
  'spec.restartPolicy': ({ spec }) => spec.restartPolicy,
  'spec.schedulerName': ({ spec }) => spec.schedulerName,
  'spec.serviceAccountName': ({ spec }) => spec.serviceAccountName,
  'status.phase': ({ status }) => status.phase,
  'status.podIP': podIp,
  'status.podIPs': podIp,
  'status.nominatedNodeName': ({ status }) => status.nominatedNodeName,
};

function podIp({ status }: Pod): string | undefined {
  return status.podIPs?.[0]?.ip ?? status.podIP;
}

/** The strategy of Pods. Pods that are assigned to a node are deleted with a grace period. */
export const strategy: Strategy<Pod> = {
  returnsDeletedObject: true,
  default: defaultPod,
  prepareForCreate: (pod, { identifiers }) => {
    mirrorSeccomp(pod, identifiers);
    pod.status = { phase: 'Pending', qosClass: qualityOfService(pod.spec) };
  },
  validate: validatePod,
  validateCreate: validateNewPod,
  validateUpdate: validatePodUpdate,
  generation: false,
  subresources: {
    binding: { create: bindPod },
    ephemeralcontainers: ephemeralContainers,
    eviction: { create: evictPod },
    status: podStatus,
  },
  selectableFields: Object.keys(selectors),
  fieldsOf: (pod) => Object.fromEntries(Object.entries(selectors).map(([name, read]) => [name, read(pod) ?? ''])),
  defaultGracePeriodSeconds: gracePeriodSeconds,
};

/**
 * The quality-of-service class. Guaranteed: every container has limits for all compute resources,
 * equal to its requests. BestEffort: no container has requests or limits. Burstable: all others.
 */
function qualityOfService(spec: PodSpec): 'BestEffort' | 'Burstable' | 'Guaranteed' {
  const amounts = containersOf(spec).flatMap(({ resources: { requests, limits } }) =>
    ['cpu', 'memory'].map((name) => ({
      request: amountAt(requests, name)?.nanos ?? 0n,
      limit: amountAt(limits, name)?.nanos ?? 0n,
    })),
  );
  if (amounts.every(({ request, limit }) => request === 0n && limit === 0n)) return 'BestEffort';
  return amounts.every(({ request, limit }) => limit > 0n && request === limit) ? 'Guaranteed' : 'Burstable';
}

/**
 * The grace period of a Pod in seconds. Undefined if it is deleted at once: it has ended, or has no
 * node.
 */
function gracePeriodSeconds(pod: Pod): number | undefined {
  if (hasEnded(pod) || !pod.spec.nodeName) return undefined;
  const seconds = Number(pod.spec.terminationGracePeriodSeconds);
  // Existing objects may have a negative value, which counts as 1.
  return seconds < 0 ? 1 : seconds;
}
