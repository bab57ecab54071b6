import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { makeObjectAt, objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { validateQualifiedName } from '../../meta/validate-name.ts';
import type { AdmissionPlugin } from '../admission.ts';
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
      const names = requestedResources(spec).filter((name) => isExtendedResource(name, labelDomain));
      for (const name of names) tolerate(spec, name);
    },
  };
}

/** The names of all resources that containers request, sorted. */
function requestedResources(spec: JsonObject): readonly string[] {
  const containers = [...objectsAt(spec, 'containers'), ...objectsAt(spec, 'initContainers')];
  const names = containers.flatMap((container) => Object.keys(objectAt(container, 'resources', 'requests')));
  return [...new Set(names)].toSorted();
}

/** Reports whether a resource is of another domain, and none of the names of quotas. */
function isExtendedResource(name: string, labelDomain: string): boolean {
  if (!name.includes('/') || name.includes(`${labelDomain}/`) || name.startsWith('requests.')) return false;
  return validateQualifiedName(`requests.${name}`).length === 0;
}

/** Adds a toleration unless the Pod has it. Mutates. */
function tolerate(spec: JsonObject, key: string): void {
  const tolerations = objectsAt(spec, 'tolerations');
  const isSame = (own: JsonObject): boolean =>
    stringAt(own, 'key') === key &&
    stringAt(own, 'effect') === 'NoSchedule' &&
    stringAt(own, 'operator') === 'Exists' &&
    stringAt(own, 'value') === '';
  if (tolerations.some(isSame)) return;
  spec['tolerations'] = [...tolerations, { key, operator: 'Exists', effect: 'NoSchedule' }];
}
