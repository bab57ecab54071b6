import type { JsonObject } from '../../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../../meta/read-field.ts';
import { badRequest } from '../../../status/status-error.ts';

/**
 * Returns the name of the container that a request is about: the named one, or the only one of the
 * pod. Throws 400 for a name that the pod does not have, and for none if it has several.
 */
export function chooseContainer(pod: JsonObject, podName: string, container: string): string {
  const spec = objectAt(pod, 'spec');
  const named = ['initContainers', 'containers', 'ephemeralContainers'].flatMap((list) => namesIn(spec, list));
  if (container !== '') {
    if (named.includes(container)) return container;
    throw badRequest(`container ${container} is not valid for pod ${podName}`);
  }
  const [only, ...others] = namesIn(spec, 'containers');
  if (only !== undefined && others.length === 0) return only;
  const choice = only === undefined ? '' : `, choose one of: [${named.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${podName}${choice}`);
}

function namesIn(spec: JsonObject, list: string): readonly string[] {
  return objectsAt(spec, list).map((container) => stringAt(container, 'name'));
}
