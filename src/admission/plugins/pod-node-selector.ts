import type { Namespace, Pod } from '../../gen/stored/core-v1.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt } from '../../meta/read-field.ts';
import { validateLabelValue, validateQualifiedName } from '../../meta/validate-name.ts';
import { notFound, StatusError } from '../../status/status-error.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbiddenNamed } from '../forbidden.ts';
import { isWriteTo, type ObjectWrite } from '../is-write-to.ts';

/** The labels that nodes for Pods of a namespace must have. */
type NodeLabels = ReadonlyMap<string, string>;

const noLabels: NodeLabels = new Map();

/** The field of the configuration that namespaces without the annotation get. */
const clusterDefault = 'clusterDefaultNodeSelector';

/**
 * Adds the node selector of the namespace's annotation, or the selector of the cluster, to new
 * Pods; refuses Pods that contradict it or select by labels that their namespace does not allow
 * (spec 4.10). The configuration has the field `podNodeSelectorPluginConfig`: node selectors by
 * namespace, and the selector of the cluster. Throws `RangeError` if a selector in it is invalid.
 */
export function podNodeSelector(
  { identifiers: { labelDomain }, listerOf }: PluginContext,
  configuration: JsonObject | undefined,
): AdmissionPlugin {
  const annotation = `scheduler.alpha.${labelDomain}/node-selector`;
  const configured = configuredSelectors(configuration ?? {});
  const namespaces = listerOf({
    group: '',
    resource: 'namespaces',
    read: ({ metadata }: Namespace) => ({ selector: metadata.annotations?.[annotation] }),
  });
  const selectorFor = async ({ namespace, signal }: AdmissionAttributes): Promise<NodeLabels> => {
    const found = await namespaces.get('', namespace, signal);
    if (!found) throw notFound({ group: '', resource: 'namespaces' }, namespace);
    return found.selector === undefined ? (configured.get(clusterDefault) ?? noLabels) : parseSelector(found.selector);
  };
  const addSelector = async (attributes: ObjectWrite<Pod>): Promise<void> => {
    const required = await selectorFor(attributes);
    refuseConflict(attributes, required);
    if (required.size > 0) Object.assign((attributes.object.spec.nodeSelector ??= {}), Object.fromEntries(required));
    refuseUnlisted(attributes);
  };
  const checkSelector = async (attributes: ObjectWrite<Pod>): Promise<void> => {
    refuseConflict(attributes, await selectorFor(attributes));
    refuseUnlisted(attributes);
  };
  const refuseUnlisted = (attributes: ObjectWrite<Pod>): void => {
    const allowed = configured.get(attributes.namespace) ?? noLabels;
    if (allowed.size === 0 || nodeSelectorOf(attributes.object).every(([key, value]) => allowed.get(key) === value))
      return;
    throw refusal(attributes, 'pod node label selector labels conflict with its namespace whitelist');
  };
  return {
    name: 'PodNodeSelector',
    operations: ['CREATE'],
    mutate: (attributes) => (isWriteTo(attributes, '', 'pods', 'CREATE') ? addSelector(attributes) : undefined),
    validate: (attributes) => (isWriteTo(attributes, '', 'pods', 'CREATE') ? checkSelector(attributes) : undefined),
  };
}

function refuseConflict(attributes: ObjectWrite<Pod>, required: NodeLabels): void {
  if (nodeSelectorOf(attributes.object).every(([key, value]) => (required.get(key) ?? value) === value)) return;
  throw refusal(attributes, 'pod node label selector conflicts with its namespace node label selector');
}

/** As in kube-apiserver, a Pod whose name is not generated yet has none in the message. */
function refusal(attributes: AdmissionAttributes, why: string): StatusError {
  return forbiddenNamed(attributes, attributes.name, why);
}

function nodeSelectorOf({ spec }: Pod): readonly (readonly [string, string])[] {
  return Object.entries(spec.nodeSelector ?? {});
}

/** The selectors of a configuration by namespace. */
function configuredSelectors(configuration: JsonObject): ReadonlyMap<string, NodeLabels> {
  const field = 'podNodeSelectorPluginConfig';
  return new Map(
    Object.entries(objectAt(configuration, field)).map(([namespace, text]) => {
      if (typeof text !== 'string') throw new RangeError(`${field}.${namespace}: a node selector was expected`);
      try {
        return [namespace, parseSelector(text)];
      } catch (cause) {
        const problem = cause instanceof Error ? cause.message : 'an invalid selector';
        throw new RangeError(`${field}.${namespace}: ${problem}`, { cause });
      }
    }),
  );
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
    refuseErrors(`invalid label key "${key}"`, validateQualifiedName(key));
    refuseErrors(`invalid label value: "${value}": at key: "${key}"`, validateLabelValue(value));
    labels.set(key, value);
  }
  return labels;
}

function refuseErrors(subject: string, problems: readonly string[]): void {
  if (problems.length > 0) throw new StatusError('', `${subject}: ${problems.join('; ')}`);
}
