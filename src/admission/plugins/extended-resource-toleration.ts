import type { PodSpec } from '../../gen/stored/core-v1.ts';
import type { AdmissionPlugin, PluginContext } from '../admission.ts';
import { isExtendedResource } from '../extended-resource.ts';
import { isWriteTo } from '../is-write-to.ts';

/**
 * Lets Pods that request extended resources onto the nodes that are reserved for them: adds a
 * toleration for the taint with the name of each (spec 4.10).
 */
export function extendedResourceToleration({ identifiers: { labelDomain } }: PluginContext): AdmissionPlugin {
  return {
    name: 'ExtendedResourceToleration',
    operations: ['CREATE', 'UPDATE'],
    mutate(attributes) {
      if (!isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return;
      const { spec } = attributes.object;
      tolerate(
        spec,
        requestedResources(spec).filter((name) => isExtendedResource(name, labelDomain)),
      );
    },
  };
}

/** The names of all resources that containers request, sorted. */
function requestedResources(spec: PodSpec): readonly string[] {
  const containers = [...(spec.containers ?? []), ...(spec.initContainers ?? [])];
  const names = containers.flatMap(({ resources }) => Object.keys(resources.requests ?? {}));
  return [...new Set(names)].toSorted();
}

/**
 * Adds tolerations for the taints with these keys, except those that the Pod has. In linear time,
 * because nothing has limited the Pod yet. Mutates.
 */
function tolerate(spec: PodSpec, keys: readonly string[]): void {
  const { tolerations = [] } = spec;
  // The tolerations of the same form as the added ones.
  const alike = tolerations.filter(
    ({ effect, operator, value }) => effect === 'NoSchedule' && operator === 'Exists' && !value,
  );
  const known = new Set(alike.map(({ key }) => key));
  const added = keys.filter((key) => !known.has(key)).map((key) => ({ key, operator: 'Exists', effect: 'NoSchedule' }));
  if (added.length > 0) spec.tolerations = [...tolerations, ...added];
}
