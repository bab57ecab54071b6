import type { Pod, PodSpec, SeccompProfile, Binding, ObjectReference } from '../../../gen/stored/core-v1.ts';
import { gatedReason, hasEnded, type AnyContainer, allContainers, podCondition } from '../../../kinds/core/pod.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { Strategy, SubresourceCreate } from '../../../registry/definition/strategy.ts';
import { copyArmor } from './copy-armor.ts';
import { defaultPod } from './default.ts';
import { ephemeralContainers } from './ephemeralcontainers.ts';
import { evictPod } from './eviction.ts';
import { mergeLabelKeys } from './merge-label-keys.ts';
import { qualityOfService } from './quality-of-service.ts';
import { resize } from './resize.ts';
import { podStatusStrategy } from './pod-status-strategy.ts';
import { validatePodUpdate } from './validate-pod-update.ts';
import { validateNewPod, validatePod } from './validate.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { now } from '../../../meta/time.ts';
import { type FieldError, notSupported, required } from '../../../status/field-error.ts';
import { conflict, modifiedMessage, StatusError } from '../../../status/status-error.ts';
import { success } from '../../rules/fields/field-checks.ts';

const pods = { group: '', resource: 'pods' };
const bindings = { group: '', resource: 'pods/binding' };

/** The `binding` sub-resource: assigns a pod to a node, once. */
const bindPod: SubresourceCreate<Binding> = async (binding, objects, { name }) => {
  const errors = targetErrors(binding.target);
  if (errors.length > 0) throw plainly(errors);
  await objects<Pod>('', 'pods').change(name, (pod) => assign(pod, binding, name));
  return success();
};

/** kube-apiserver answers these errors with a Status that has a message but no reason. */
function plainly(errors: readonly FieldError[]): StatusError {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  return new StatusError('', texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

function targetErrors({ kind = '', name = '' }: ObjectReference): FieldError[] {
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(name === '' ? [required('target.name')] : []),
  ];
}

function assign(pod: Pod, { metadata, target }: Binding, name: string): void {
  checkPreconditions(pod, metadata, name);
  const { nodeName = '' } = pod.spec;
  if (pod.metadata.deletionTimestamp !== undefined) {
    throw conflict(bindings, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (nodeName !== '')
    throw conflict(bindings, name, `pod ${name} is already assigned to node ${JSON.stringify(nodeName)}`);
  if ((pod.spec.schedulingGates ?? []).length > 0) {
    throw conflict(bindings, name, `pod ${name} has non-empty .spec.schedulingGates`);
  }
  pod.spec.nodeName = target.name ?? '';
  // The entries of the binding replace the entries of the pod.
  for (const field of ['labels', 'annotations'] as const) {
    if (metadata[field]) pod.metadata[field] = { ...pod.metadata[field], ...metadata[field] };
  }
  noteScheduled(pod);
}

/** Checks the uid and the resourceVersion of the binding, if given, against the pod. Throws 409. */
function checkPreconditions({ metadata }: Pod, { uid, resourceVersion }: Binding['metadata'], name: string): void {
  if (uid !== undefined && uid !== metadata.uid) {
    const message = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${metadata.uid ?? ''}`;
    throw conflict(pods, name, message);
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    throw conflict(pods, name, modifiedMessage);
  }
}

/** Sets the condition PodScheduled to true, in place. An earlier time of that is kept. */
function noteScheduled(pod: Pod): void {
  const type = 'PodScheduled';
  const { conditions = [] } = pod.status;
  const old = podCondition(pod, type);
  const lastTransitionTime = old?.status === 'True' ? (old.lastTransitionTime ?? null) : now();
  const condition = { type, status: 'True', lastProbeTime: null, lastTransitionTime };
  pod.status.conditions = old
    ? conditions.map((candidate) => (candidate === old ? condition : candidate))
    : [...conditions, condition];
}

/**
 * Copies seccomp profiles between annotations and fields, whichever is set, as kube-apiserver does
 * up to 1.26. Older nodes and policies read only the annotations. Mutates.
 */
function mirrorSeccomp(pod: Pod, { labelDomain }: Identifiers): void {
  mirror(pod, pod.spec, `seccomp.security.alpha.${labelDomain}/pod`);
  for (const container of allContainers(pod.spec)) {
    mirror(pod, container, `container.seccomp.security.alpha.${labelDomain}/${container.name}`);
  }
}

function mirror({ metadata }: Pod, holder: PodSpec | AnyContainer, annotation: string): void {
  const { seccompProfile } = holder.securityContext ?? {};
  const given = getOwn(metadata.annotations ?? {}, annotation);
  if (seccompProfile) {
    const text = annotationOf(seccompProfile);
    if (text !== undefined && given === undefined)
      metadata.annotations = { ...metadata.annotations, [annotation]: text };
    return;
  }
  const profile = given === undefined ? undefined : profileOf(given);
  if (profile) holder.securityContext = { ...holder.securityContext, seccompProfile: profile };
}

const localPrefix = 'localhost/';

/** The seccomp types without a local profile, with their values in annotations. */
const types: readonly (readonly [type: string, annotation: string])[] = [
  ['Unconfined', 'unconfined'],
  ['RuntimeDefault', 'runtime/default'],
];

function annotationOf({ type, localhostProfile }: SeccompProfile): string | undefined {
  if (type !== 'Localhost') return types.find(([name]) => name === type)?.[1];
  return localhostProfile === undefined ? undefined : `${localPrefix}${localhostProfile}`;
}

function profileOf(annotation: string): SeccompProfile | undefined {
  if (annotation.startsWith(localPrefix) && annotation.length > localPrefix.length) {
    return { type: 'Localhost', localhostProfile: annotation.slice(localPrefix.length) };
  }
  const known = annotation === 'docker/default' ? 'runtime/default' : annotation;
  const type = types.find(([, text]) => text === known)?.[0];
  return type === undefined ? undefined : { type };
}

const selectors: Readonly<Record<string, (pod: Pod) => string | undefined>> = {
  'spec.nodeName': ({ spec }) => spec.nodeName,
  // The earlier name of `spec.nodeName`.
  'spec.host': ({ spec }) => spec.nodeName,
  'spec.restartPolicy': ({ spec }) => spec.restartPolicy,
  'spec.hostNetwork': ({ spec }) => String(spec.hostNetwork ?? false),
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
  prepareForCreate: (pod, context) => {
    const { identifiers, emulated } = context;
    if (!isSince(emulated.release, '1.27')) mirrorSeccomp(pod, identifiers);
    if (isSince(emulated.release, '1.30')) copyArmor(pod, context);
    mergeLabelKeys(pod, emulated);
    const conditions = gateConditions(pod.spec);
    pod.status = { phase: 'Pending', qosClass: qualityOfService(pod.spec), ...conditions };
  },
  validate: validatePod,
  validateCreate: validateNewPod,
  validateUpdate: validatePodUpdate,
  subresources: {
    binding: { create: bindPod },
    ephemeralcontainers: ephemeralContainers,
    eviction: { create: evictPod },
    resize,
    status: podStatusStrategy,
  },
  selectableFields: Object.keys(selectors),
  fieldsOf: (pod) => Object.fromEntries(Object.entries(selectors).map(([name, read]) => [name, read(pod) ?? ''])),
  defaultGracePeriodSeconds: gracePeriodSeconds,
};

/** The condition of a new pod that gates keep from being scheduled. */
function gateConditions({ schedulingGates = [] }: PodSpec): Pick<Pod['status'], 'conditions'> {
  if (schedulingGates.length === 0) return {};
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  const times = { lastProbeTime: null, lastTransitionTime: null };
  return { conditions: [{ type: 'PodScheduled', status: 'False', ...times, reason: gatedReason, message }] };
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
