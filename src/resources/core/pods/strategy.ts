import type { JsonObject } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { numberAt, objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { defaultPod } from './default.ts';
import { qualityOfService } from './quality-of-service.ts';
import { mirrorSeccomp } from './seccomp-annotations.ts';
import { validateNewPod, validatePod } from './validate.ts';
import { validatePodUpdate } from './validate-update.ts';
import { bindPod } from './binding.ts';
import { ephemeralContainers } from './ephemeralcontainers.ts';
import { evictPod } from './eviction.ts';
import { podStatus } from './status.ts';

const selectors: Readonly<Record<string, (pod: JsonObject) => string>> = {
  'spec.nodeName': nodeNameOf,
  // The earlier name of `spec.nodeName`.
  'spec.host': nodeNameOf,
  'spec.restartPolicy': (pod) => stringAt(objectAt(pod, 'spec'), 'restartPolicy'),
  'spec.schedulerName': (pod) => stringAt(objectAt(pod, 'spec'), 'schedulerName'),
  'spec.serviceAccountName': (pod) => stringAt(objectAt(pod, 'spec'), 'serviceAccountName'),
  'status.phase': (pod) => stringAt(objectAt(pod, 'status'), 'phase'),
  'status.podIP': podIp,
  'status.podIPs': podIp,
  'status.nominatedNodeName': (pod) => stringAt(objectAt(pod, 'status'), 'nominatedNodeName'),
};

/** The strategy of Pods. Pods that are assigned to a node are deleted with a grace period. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  default: defaultPod,
  prepareForCreate: (pod, { identifiers }) => {
    mirrorSeccomp(pod, identifiers);
    pod['status'] = { phase: 'Pending', qosClass: qualityOfService(objectAt(pod, 'spec')) };
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
  fieldsOf: (pod) => Object.fromEntries(Object.entries(selectors).map(([name, read]) => [name, read(pod)])),
  defaultGracePeriodSeconds: gracePeriodSeconds,
};

function nodeNameOf(pod: JsonObject): string {
  return stringAt(objectAt(pod, 'spec'), 'nodeName');
}

function podIp(pod: JsonObject): string {
  const status = objectAt(pod, 'status');
  const [first] = objectsAt(status, 'podIPs');
  return (first && stringAt(first, 'ip')) || stringAt(status, 'podIP');
}

/** Default grace period in seconds. */
const defaultGracePeriodSeconds = 30;

/**
 * The grace period of a Pod in seconds. Undefined if it is deleted at once: it has ended, or has no
 * node.
 */
function gracePeriodSeconds(pod: JsonObject): number | undefined {
  const spec = objectAt(pod, 'spec');
  const ended = ['Succeeded', 'Failed'].includes(stringAt(objectAt(pod, 'status'), 'phase'));
  if (ended || stringAt(spec, 'nodeName') === '') return undefined;
  const seconds = numberAt(spec, 'terminationGracePeriodSeconds') ?? defaultGracePeriodSeconds;
  // Existing objects may have a negative value, which counts as 1.
  return seconds < 0 ? 1 : seconds;
}
