import { errorsOfEach } from '../../../status/all-errors.ts';
import type { JsonObject, JsonValue } from '../../../meta/json-value.ts';
import { getMeta, type MetadataField, setMeta } from '../../../meta/object-meta.ts';
import { isSet, makeObjectAt, objectAt, objectsAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { validateDnsLabel } from '../../../meta/validate-name.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import type { SubresourceStrategy } from '../../../registry/definition/strategy.ts';
import { duplicate, type FieldError, forbidden, notFoundField, required } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/check.ts';

/**
 * The `ephemeralcontainers` sub-resource: adds containers to a running pod. Everything else is
 * kept.
 */
export const ephemeralContainers: SubresourceStrategy = {
  prepareForUpdate: keepAllButEphemeral,
  validateUpdate: (pod, old) => [...containerErrors(pod), ...changeErrors(pod, old)],
};

const path = 'spec.ephemeralContainers';

/** The only fields of the written metadata that are used: they identify the pod. */
const identity: readonly MetadataField[] = ['name', 'namespace', 'uid', 'resourceVersion'];

function keepAllButEphemeral(pod: JsonObject, old: JsonObject): void {
  const containers = objectAt(pod, 'spec')['ephemeralContainers'];
  const kept: JsonObject = structuredClone(old);
  for (const field of identity) setMeta(kept, field, getMeta(pod, field));
  const spec = makeObjectAt(kept, 'spec');
  if (containers === undefined) delete spec['ephemeralContainers'];
  else spec['ephemeralContainers'] = containers;
  for (const key of Object.keys(pod)) delete pod[key];
  Object.assign(pod, kept);
}

function containerErrors(pod: JsonObject): readonly FieldError[] {
  const spec = objectAt(pod, 'spec');
  const others = [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
  const taken = new Set(others.map(({ name }) => name));
  const targets = new Set(objectsAt(spec, 'containers').map(({ name }) => name));
  return errorsOfEach(objectsAt(spec, 'ephemeralContainers'), (container, index) =>
    oneContainerErrors(container, `${path}[${index}]`, taken, targets),
  );
}

function oneContainerErrors(
  container: JsonObject,
  at: string,
  taken: Set<JsonValue | undefined>,
  targets: ReadonlySet<JsonValue | undefined>,
): FieldError[] {
  const name = stringAt(container, 'name');
  const target = stringAt(container, 'targetContainerName');
  const repeated = taken.has(name);
  taken.add(name);
  return [
    ...(name === '' ? [required(`${at}.name`)] : checkString(`${at}.name`, name, validateDnsLabel)),
    ...(repeated && name !== '' ? [duplicate(`${at}.name`, name)] : []),
    ...(stringAt(container, 'image') === '' ? [required(`${at}.image`)] : []),
    ...(target === '' || targets.has(target) ? [] : [notFoundField(`${at}.targetContainerName`, target)]),
    ...impossible
      .filter((field) => isFilled(container, field))
      .map((field) => forbidden(`${at}.${field}`, notPossible)),
  ];
}

/** Fields that ephemeral containers may not have. */
const impossible = ['ports', 'livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle', 'resources'];
const notPossible = 'cannot be set for an Ephemeral Container';

function isFilled(container: JsonObject, field: string): boolean {
  return isSet(container, field) && !sameValue(container[field], {}) && !sameValue(container[field], []);
}

const sameContainer = sameMessage('api.core.v1.EphemeralContainer');

/** Refuses to change or remove existing ephemeral containers. */
function changeErrors(pod: JsonObject, old: JsonObject): readonly FieldError[] {
  const now = new Map(objectsAt(objectAt(pod, 'spec'), 'ephemeralContainers').map((item) => [item['name'], item]));
  return errorsOfEach(objectsAt(objectAt(old, 'spec'), 'ephemeralContainers'), (before) => {
    const after = now.get(before['name']);
    const which = `existing ephemeral containers ${JSON.stringify(stringAt(before, 'name'))}`;
    if (!after) return [forbidden(path, `${which} may not be removed\n`)];
    return sameContainer(after, before) ? [] : [forbidden(path, `${which} may not be changed\n`)];
  });
}
