import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { annotationsOf } from '../../meta/object-meta.ts';
import { makeObjectAt, objectAt, stringEntriesAt } from '../../meta/read-field.ts';
import { validateLabelValue, validateQualifiedName } from '../../meta/validate-name.ts';
import { notFound, StatusError } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/** The labels that nodes for Pods of a namespace must have. */
type NodeLabels = ReadonlyMap<string, string>;

/**
 * Adds the node selector of the namespace's annotation to new Pods; refuses Pods that contradict
 * it (spec 4.10).
 */
export function podNodeSelector({ labelDomain }: Identifiers, listerOf: ListerOf): AdmissionPlugin {
  const annotation = `scheduler.alpha.${labelDomain}/node-selector`;
  const namespaces = listerOf({
    group: '',
    resource: 'namespaces',
    read: (namespace) => ({ selector: annotationsOf(namespace)[annotation] ?? '' }),
  });
  const selectorFor = async ({ namespace, signal }: AdmissionAttributes): Promise<NodeLabels> => {
    const found = await namespaces.get('', namespace, signal);
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return parseSelector(found.selector);
  };
  const addSelector = async (attributes: AdmissionAttributes, pod: JsonObject): Promise<void> => {
    const required = await selectorFor(attributes);
    refuseConflict(attributes, pod, required);
    if (required.size === 0) return;
    const selector = makeObjectAt(makeObjectAt(pod, 'spec'), 'nodeSelector');
    for (const [key, value] of required) selector[key] = value;
  };
  const checkSelector = async (attributes: AdmissionAttributes, pod: JsonObject): Promise<void> =>
    refuseConflict(attributes, pod, await selectorFor(attributes));
  return {
    name: 'PodNodeSelector',
    operations: ['CREATE'],
    mutate: (attributes) => whenNewPod(attributes, addSelector),
    validate: (attributes) => whenNewPod(attributes, checkSelector),
  };
}

function whenNewPod(
  attributes: AdmissionAttributes,
  act: (attributes: AdmissionAttributes, pod: JsonObject) => Promise<void>,
): Promise<void> | undefined {
  const { object } = attributes;
  return object && isWriteTo(attributes, '', 'pods', 'CREATE') ? act(attributes, object) : undefined;
}

function refuseConflict(attributes: AdmissionAttributes, pod: JsonObject, required: NodeLabels): void {
  const own = stringEntriesAt(objectAt(pod, 'spec'), 'nodeSelector');
  if (own.every(([key, value]) => (required.get(key) ?? value) === value)) return;
  throw forbidden(attributes, 'pod node label selector conflicts with its namespace node label selector');
}

/**
 * Parses `key=value,key=value`. Throws a Status without reason for other texts, as kube-apiserver
 * does.
 */
function parseSelector(text: string): NodeLabels {
  const labels = new Map<string, string>();
  if (text === '') return labels;
  for (const term of text.split(',')) {
    const parts = term.split('=');
    const [key = '', value = ''] = parts.map((part) => part.trim());
    if (parts.length !== 2) throw new StatusError('', `invalid selector: [${parts.join(' ')}]`);
    const faults = [
      ...validateQualifiedName(key).map((fault) => `invalid label key "${key}": ${fault}`),
      ...validateLabelValue(value).map((fault) => `invalid label value: "${value}": at key: "${key}": ${fault}`),
    ];
    if (faults.length > 0) throw new StatusError('', faults.join('; '));
    labels.set(key, value);
  }
  return labels;
}
