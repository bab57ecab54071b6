import type { Pod } from '../../gen/stored/core-v1.ts';
import type { AnyContainer } from '../../kinds/core/pod.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'] as const;
const always = 'Always';

/**
 * Sets the pull policy of every container to `Always`, so that a Pod cannot run a private image
 * that another Pod has brought to its node (spec 4.10).
 */
export function alwaysPullImages(): AdmissionPlugin {
  return {
    name: 'AlwaysPullImages',
    operations: ['CREATE', 'UPDATE'],
    mutate(attributes) {
      for (const { container } of checkedContainers(attributes)) container.imagePullPolicy = always;
    },
    validate(attributes) {
      for (const { container, path } of checkedContainers(attributes)) {
        const policy = container.imagePullPolicy ?? '';
        if (policy === always) continue;
        const why = `Unsupported value: ${JSON.stringify(policy)}: supported values: ${JSON.stringify(always)}`;
        throw forbidden(attributes, `${path}.imagePullPolicy: ${why}`);
      }
    },
  };
}

interface PodContainer {
  readonly container: AnyContainer;
  /** Path of the container in the Pod. */
  readonly path: string;
}

/** The containers of a written Pod; none if an update brings no new image. */
function checkedContainers(attributes: AdmissionAttributes): readonly PodContainer[] {
  if (!isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return [];
  const { object, oldObject } = attributes;
  const containers = containersOf(object);
  if (!oldObject) return containers;
  const known = new Set(containersOf(oldObject).map(({ container }) => container.image));
  return containers.every(({ container }) => known.has(container.image)) ? [] : containers;
}

function containersOf({ spec }: Pod): readonly PodContainer[] {
  return containerLists.flatMap((list) =>
    (spec[list] ?? []).map((container, index) => ({ container, path: `spec.${list}[${index}]` })),
  );
}
