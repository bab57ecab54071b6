import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

const containerLists = ['initContainers', 'containers', 'ephemeralContainers'];
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
      for (const { container } of checkedContainers(attributes)) container['imagePullPolicy'] = always;
    },
    validate(attributes) {
      for (const { container, path } of checkedContainers(attributes)) {
        const policy = stringAt(container, 'imagePullPolicy');
        if (policy === always) continue;
        const why = `Unsupported value: ${JSON.stringify(policy)}: supported values: ${JSON.stringify(always)}`;
        throw forbidden(attributes, `${path}.imagePullPolicy: ${why}`);
      }
    },
  };
}

interface PodContainer {
  readonly container: JsonObject;
  /** Path of the container in the Pod. */
  readonly path: string;
}

/** The containers of a written Pod; none if an update brings no new image. */
function checkedContainers(attributes: AdmissionAttributes): readonly PodContainer[] {
  const { object, oldObject } = attributes;
  if (!object || !isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return [];
  const containers = containersOf(object);
  if (!oldObject) return containers;
  const known = new Set(containersOf(oldObject).map(imageOf));
  return containers.every((each) => known.has(imageOf(each))) ? [] : containers;
}

function containersOf(pod: JsonObject): readonly PodContainer[] {
  const spec = objectAt(pod, 'spec');
  return containerLists.flatMap((list) =>
    objectsAt(spec, list).map((container, index) => ({ container, path: `spec.${list}[${index}]` })),
  );
}

function imageOf({ container }: PodContainer): string {
  return stringAt(container, 'image');
}
