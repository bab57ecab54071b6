import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { makeObjectAt, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { isExtendedResource } from '../extended-resource.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Lets Pods that request extended resources onto the nodes that are reserved for them: adds a
 * toleration for the taint with the name of each (spec 4.10).
 */
export function extendedResourceToleration({ labelDomain }: Identifiers): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    operations: ['CREATE', 'UPDATE'],
    mutate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return;
      const spec = makeObjectAt(object, 'spec');
      tolerate(
        spec,
        requestedResources(spec).filter((name) => isExtendedResource(name, labelDomain)),
      );
    },
  };
}

/** The names of all resources that containers request, sorted. */
function requestedResources(spec: JsonObject): readonly string[] {
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  const names = containers.flatMap((container) => Object.keys(objectAt(container, 'resources', 'requests')));
  return [...new Set(names)].toSorted();
}

/**
 * Adds tolerations for the taints with these keys, except those that the Pod has. In linear time,
 * because nothing has limited the Pod yet. Mutates.
 */
function tolerate(spec: JsonObject, keys: readonly string[]): void {
  const tolerations = objectsAt(spec, 'tolerations');
  const known = new Set(tolerations.filter(isAdded).map((own) => stringAt(own, 'key')));
  const added = keys.filter((key) => !known.has(key)).map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
  if (added.length > 0) spec['tolerations'] = [...tolerations, ...added];
}

/** Reports whether a toleration is like those that are added. */
function isAdded(own: JsonObject): boolean {
  return (
    stringAt(own, 'effect') === 'NoSchedule' && stringAt(own, 'operator') === 'Exists' && stringAt(own, 'value') === ''
  );
}
