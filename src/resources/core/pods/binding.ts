import { type JsonObject, setOwn } from '../../../meta/json-value.ts';
import { deletionTimestampOf, metadataOf, resourceVersionOf, uidOf } from '../../../meta/object-meta.ts';
import { makeObjectAt, objectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import type { SubresourceCreate } from '../../../registry/definition/strategy.ts';
import { type FieldError, notSupported, required } from '../../../status/field-error.ts';
import { conflict, modifiedMessage, StatusError } from '../../../status/status-error.ts';
import { success } from '../../rules/fields/success.ts';
import { setTrue } from './conditions.ts';

const pods = { group: '', resource: 'pods' };
const bindings = { group: '', resource: 'pods/binding' };

/** The `binding` sub-resource: assigns a pod to a node, once. */
export const bindPod: SubresourceCreate = async (binding, objects, { name }) => {
  const errors = targetErrors(objectAt(binding, 'target'));
  if (errors.length > 0) throw plainly(errors);
  await objects('', 'pods').change(name, (pod) => assign(pod, binding, name));
  return success();
};

/** kube-apiserver answers these errors with a Status that has a message but no reason. */
function plainly(errors: readonly FieldError[]): StatusError {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  return new StatusError('', texts.length === 1 ? (texts[0] ?? '') : `[${texts.join(', ')}]`);
}

function targetErrors(target: JsonObject): FieldError[] {
  const kind = stringAt(target, 'kind');
  return [
    ...(kind === '' || kind === 'Node' ? [] : [notSupported('target.kind', kind, ['Node', '<empty>'])]),
    ...(stringAt(target, 'name') === '' ? [required('target.name')] : []),
  ];
}

function assign(pod: JsonObject, binding: JsonObject, name: string): void {
  checkPreconditions(pod, binding, name);
  const spec = makeObjectAt(pod, 'spec');
  const node = stringAt(spec, 'nodeName');
  if (deletionTimestampOf(pod) !== '') {
    throw conflict(bindings, name, `pod ${name} is being deleted, cannot be assigned to a host`);
  }
  if (node !== '') throw conflict(bindings, name, `pod ${name} is already assigned to node ${JSON.stringify(node)}`);
  spec['nodeName'] = stringAt(objectAt(binding, 'target'), 'name');
  for (const field of ['labels', 'annotations'] as const) copyEntries(binding, pod, field);
  setTrue(pod, 'PodScheduled');
}

/** Checks the uid and the resourceVersion of the binding, if given, against the pod. Throws 409. */
function checkPreconditions(pod: JsonObject, binding: JsonObject, name: string): void {
  const uid = uidOf(binding);
  if (uid !== '' && uid !== uidOf(pod)) {
    const message = `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${uidOf(pod)}`;
    throw conflict(pods, name, message);
  }
  const version = resourceVersionOf(binding);
  if (version !== '' && version !== resourceVersionOf(pod)) throw conflict(pods, name, modifiedMessage);
}

/**
 * Copies labels or annotations of the binding to the pod. They replace those of the pod. Mutates.
 */
function copyEntries(binding: JsonObject, pod: JsonObject, field: 'labels' | 'annotations'): void {
  const entries = stringEntriesAt(metadataOf(binding) ?? {}, field);
  if (entries.length === 0) return;
  const target = makeObjectAt(makeObjectAt(pod, 'metadata'), field);
  for (const [key, value] of entries) setOwn(target, key, value);
}
