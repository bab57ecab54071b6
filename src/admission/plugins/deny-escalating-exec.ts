import type { Pod, PodSpec } from '../../gen/stored/core-v1.ts';
import { allContainers } from '../../kinds/core/pod.ts';
import type { ListerOf } from '../../meta/lister.ts';
import type { AdmissionAttributes, AdmissionPlugin, PluginContext } from '../admission.ts';
import { forbidden } from '../forbidden.ts';

/** A property of Pods with which their containers can control their node. */
interface EscalatingProperty {
  readonly isIn: (spec: PodSpec) => boolean | undefined;
  /** The name of the property in messages. */
  readonly text: string;
}

const privileged: EscalatingProperty = { isIn: hasPrivilegedContainer, text: 'a privileged container' };

const escalating: readonly EscalatingProperty[] = [
  { isIn: ({ hostNetwork }) => hostNetwork, text: 'a container using host network' },
  { isIn: ({ hostPID }) => hostPID, text: 'a container using host pid' },
  { isIn: ({ hostIPC }) => hostIPC, text: 'a container using host ipc' },
  privileged,
];

/** Refuses `exec` and `attach` into Pods that are privileged or use namespaces of their node. */
export function denyEscalatingExec({ listerOf }: PluginContext): AdmissionPlugin {
  return denyExec('DenyEscalatingExec', escalating, listerOf);
}

/** Refuses `exec` and `attach` into Pods with privileged containers. */
export function denyExecOnPrivileged({ listerOf }: PluginContext): AdmissionPlugin {
  return denyExec('DenyExecOnPrivileged', [privileged], listerOf);
}

function denyExec(name: string, refused: readonly EscalatingProperty[], listerOf: ListerOf): AdmissionPlugin {
  const read = ({ spec }: Pod) => ({ refusedProperty: refused.find(({ isIn }) => isIn(spec))?.text ?? '' });
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

function hasPrivilegedContainer(spec: PodSpec): boolean {
  return allContainers(spec).some(({ securityContext }) => securityContext?.privileged);
}
