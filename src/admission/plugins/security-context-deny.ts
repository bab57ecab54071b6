import type { PodSpec } from '../../gen/stored/core-v1.ts';
import type { AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';
import { isWriteTo } from '../is-write-to.ts';

/** Fields of security contexts, with their names in Go, for messages. */
const ofContainers = [
  ['seLinuxOptions', 'SELinuxOptions'],
  ['runAsUser', 'RunAsUser'],
] as const;

const ofPods = [['supplementalGroups', 'SupplementalGroups'], ...ofContainers, ['fsGroup', 'FSGroup']] as const;

/** Refuses Pods whose security contexts choose users, groups or SELinux options (spec 4.10). */
export function securityContextDeny(): AdmissionPlugin {
  return {
    name: 'SecurityContextDeny',
    operations: ['CREATE', 'UPDATE'],
    validate(attributes) {
      if (!isWriteTo(attributes, '', 'pods', 'CREATE', 'UPDATE')) return;
      const refused = refusedField(attributes.object.spec);
      if (refused !== undefined) throw forbidden(attributes, `${refused} is forbidden`);
    },
  };
}

/** The first field that is refused, as in messages. */
function refusedField({ securityContext, initContainers, containers }: PodSpec): string | undefined {
  const ofPod = firstSet(securityContext, ofPods);
  if (ofPod !== undefined) return `pod.Spec.${ofPod}`;
  return [...(initContainers ?? []), ...(containers ?? [])]
    .map((container) => firstSet(container.securityContext ?? {}, ofContainers))
    .find((field) => field !== undefined);
}

function firstSet<Field extends string>(
  context: { readonly [Name in Field]?: unknown },
  fields: readonly (readonly [field: Field, goName: string])[],
): string | undefined {
  const found = fields.find(([field]) => context[field] !== undefined);
  return found && `SecurityContext.${found[1]}`;
}
