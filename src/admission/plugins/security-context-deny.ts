import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, objectAt, objectsAt } from '../../meta/read-field.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/** A field of a security context, and its name in Go, which messages have. */
type RefusedField = readonly [field: string, goName: string];

const ofContainers: readonly RefusedField[] = [
  ['seLinuxOptions', 'SELinuxOptions'],
  ['runAsUser', 'RunAsUser'],
];

const ofPods: readonly RefusedField[] = [
  ['supplementalGroups', 'SupplementalGroups'],
  ...ofContainers,
  ['fsGroup', 'FSGroup'],
];

/** Refuses Pods whose security contexts choose users, groups or SELinux options (spec 4.10). */
export function securityContextDeny(): AdmissionPlugin {
  return {
    name: 'SecurityContextDeny',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      const { object } = attributes;
      if (!object || !isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return;
      const refused = refusedField(objectAt(object, 'spec'));
      if (refused !== undefined) throw forbidden(attributes, `${refused} is forbidden`);
    },
  };
}

/** The first field that is refused, as in messages. */
function refusedField(spec: JsonObject): string | undefined {
  const ofPod = firstSet(spec, ofPods);
  if (ofPod !== undefined) return `pod.Spec.${ofPod}`;
  const containers = [...objectsAt(spec, 'initContainers'), ...objectsAt(spec, 'containers')];
  return containers.map((container) => firstSet(container, ofContainers)).find((field) => field !== undefined);
}

function firstSet(owner: JsonObject, fields: readonly RefusedField[]): string | undefined {
  const context = objectAt(owner, 'securityContext');
  const found = fields.find(([field]) => isSet(context, field));
  return found && `SecurityContext.${found[1]}`;
}
