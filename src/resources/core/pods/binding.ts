import type { Binding, ObjectReference, Pod } from '../../../gen/stored/core-v1.ts';
import { podCondition } from '../../../kinds/core/pod.ts';
import { now } from '../../../meta/time.ts';
import type { SubresourceCreate } from '../../../registry/definition/strategy.ts';
import { type FieldError, notSupported, required } from '../../../status/field-error.ts';
import { conflict, modifiedMessage, StatusError } from '../../../status/status-error.ts';
import { success } from '../../rules/fields/success.ts';

const pods = { group: '', resource: 'pods' };
const bindings = { group: '', resource: 'pods/binding' };

/** The `binding` sub-resource: assigns a pod to a node, once. */
export const bindPod: SubresourceCreate<Binding> = async (binding, objects, { name }) => {
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
  pod.spec.nodeName = target.name ?? '';
  // The entries of the binding replace those of the pod.
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
