import { andThen, type MaybePromise } from '../../async/maybe-promise.ts';
import type { Node } from '../../gen/stored/core-v1.ts';
import { type JsonObject, isJsonObject, setOwn } from '../../meta/json-value.ts';
import { labelsOf } from '../../meta/object-meta.ts';
import { objectAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';

/**
 * Copies the zone and region of a Node to the labels of a Pod when it is bound, or when it is
 * created with a node name, so that containers can read them through the downward API.
 */
export function podTopologyLabels({ identifiers, listerOf }: PluginContext): AdmissionPlugin {
  const wanted = ['zone', 'region'].map((name) => `topology.${identifiers.labelDomain}/${name}`);
  const nodes = listerOf({
    group: '',
    resource: 'nodes',
    read: ({ metadata }: Node) =>
      wanted.flatMap((label): [string, string][] => {
        const value = metadata.labels?.[label];
        return value === undefined ? [] : [[label, value]];
      }),
  });
  return {
    name: 'PodTopologyLabels',
    operations: ['CREATE'],
    resources: ['pods'],
    mutate(attributes): MaybePromise<void> {
      const { object, signal } = attributes;
      const name = object && nodeOf(attributes, object);
      if (!object || !name) return undefined;
      return andThen(nodes.get('', name, signal), (labels) => {
        if (labels && labels.length > 0) addLabels(object, labels);
      });
    },
  };
}

/** The node name of a new Pod or of a Binding; undefined for other objects. */
function nodeOf({ operation, resource, subresource }: AdmissionAttributes, object: JsonObject): string | undefined {
  if (operation !== 'CREATE' || resource.group !== '' || resource.resource !== 'pods') return undefined;
  if (subresource === '') return stringAt(objectAt(object, 'spec'), 'nodeName');
  const target = objectAt(object, 'target');
  return subresource === 'binding' && stringAt(target, 'kind') === 'Node' ? stringAt(target, 'name') : undefined;
}

/** Adds labels to an object; they replace its own labels of the same keys. */
function addLabels(object: JsonObject, labels: readonly (readonly [name: string, value: string])[]): void {
  const { metadata } = object;
  if (!isJsonObject(metadata)) return;
  const all: JsonObject = { ...labelsOf(object) };
  for (const [name, value] of labels) setOwn(all, name, value);
  metadata['labels'] = all;
}
