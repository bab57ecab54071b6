import type { JsonObject } from '../../meta/json-value.ts';
import type { ListerOf } from '../../meta/lister.ts';
import { isTrue, objectAt, objectsAt } from '../../meta/read-field.ts';
import type { AdmissionAttributes, AdmissionPlugin } from '../admission.ts';
import { forbidden } from '../forbidden.ts';

/** A property of Pods with which their containers can control their node. */
interface EscalatingProperty {
  readonly isIn: (spec: JsonObject) => boolean;
  /** In messages. */
  readonly text: string;
}

const privileged: EscalatingProperty = { isIn: hasPrivilegedContainer, text: 'a privileged container' };

const escalating: readonly EscalatingProperty[] = [
  { isIn: (spec) => isTrue(spec, 'hostNetwork'), text: 'a container using host network' },
  { isIn: (spec) => isTrue(spec, 'hostPID'), text: 'a container using host pid' },
  { isIn: (spec) => isTrue(spec, 'hostIPC'), text: 'a container using host ipc' },
  privileged,
];

/** Refuses `exec` and `attach` into Pods that are privileged or use namespaces of their node. */
export function denyEscalatingExec(listerOf: ListerOf): AdmissionPlugin {
  return denyExec('DenyEscalatingExec', escalating, listerOf);
}

/** Refuses `exec` and `attach` into Pods with privileged containers. */
export function denyExecOnPrivileged(listerOf: ListerOf): AdmissionPlugin {
  return denyExec('DenyExecOnPrivileged', [privileged], listerOf);
}

function denyExec(name: string, refused: readonly EscalatingProperty[], listerOf: ListerOf): AdmissionPlugin {
  const refusedProperty = (pod: JsonObject): string =>
    refused.find(({ isIn }) => isIn(objectAt(pod, 'spec')))?.text ?? '';
  const read = (pod: JsonObject) => ({ refusedProperty: refusedProperty(pod) });
  const pods = listerOf({ group: '', resource: 'pods', read });
  return {
    name,
    operations: ['CONNECT'],
    async validate(attributes) {
      if (!isExec(attributes)) return;
      const pod = await pods.get(attributes.namespace, attributes.name, attributes.signal);
      if (!pod) throw forbidden(attributes, `pods ${JSON.stringify(attributes.name)} not found`);
      if (pod.refusedProperty === '') return;
      throw forbidden(attributes, `cannot exec into or attach to ${pod.refusedProperty}`);
    },
  };
}

function isExec({ resource, subresource }: AdmissionAttributes): boolean {
  return resource.group === '' && resource.resource === 'pods' && (subresource === 'exec' || subresource === 'attach');
}

function hasPrivilegedContainer(spec: JsonObject): boolean {
  return ['initContainers', 'containers', 'ephemeralContainers'].some((list) =>
    objectsAt(spec, list).some((container) => isTrue(objectAt(container, 'securityContext'), 'privileged')),
  );
}
