import type { ApiObject } from '../../client/api-object.ts';
import type { NodeStatus } from '../../gen/types/core-v1.ts';
import { formatTime } from '../../meta/time.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { packageVersion } from '../../package/package-root.ts';

/** Resources of a stand-in node: more than tests ask for, because nothing really runs. */
const capacity = Object.freeze({ cpu: '96', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '10000' });

/** The name and the address of a stand-in node. `index` counts from 0. */
export function nodeIdentity(index: number): { readonly name: string; readonly address: string } {
  return { name: `node-${index + 1}`, address: `10.96.${index >> 8}.${(index & 255) + 1}` };
}

/** The object of a stand-in node, with the labels that node agents set. */
export function nodeObject(name: string, { labelDomain }: Identifiers): ApiObject {
  const labels = {
    [`${labelDomain}/hostname`]: name,
    [`${labelDomain}/os`]: 'linux',
    [`${labelDomain}/arch`]: 'amd64',
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels } };
}

/** The status that a stand-in node reports. */
export function nodeStatus(
  { name, address, ready }: { readonly name: string; readonly address: string; readonly ready: boolean },
  { nodeAgent }: Identifiers,
  nowMs: number,
): NodeStatus {
  const time = formatTime(nowMs);
  const agent = `${nodeAgent[0]?.toUpperCase()}${nodeAgent.slice(1)}`;
  const pressure = (type: string, reason: string, resource: string) => ({
    type,
    status: 'False',
    reason: `${agent}Has${reason}`,
    message: `${nodeAgent} has ${resource} available`,
    lastHeartbeatTime: time,
    lastTransitionTime: time,
  });
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address },
      // No name server knows names of `invalid` (RFC 2606), so requests for logs fail at once.
      { type: 'Hostname', address: `${name}.stand-in.invalid` },
    ],
    conditions: [
      pressure('MemoryPressure', 'SufficientMemory', 'sufficient memory'),
      pressure('DiskPressure', 'NoDiskPressure', 'no disk pressure'),
      pressure('PIDPressure', 'SufficientPID', 'sufficient PID'),
      {
        type: 'Ready',
        status: ready ? 'True' : 'False',
        reason: ready ? `${agent}Ready` : `${agent}NotReady`,
        message: ready ? `${nodeAgent} is posting ready status` : 'an annotation of the node asks for it',
        lastHeartbeatTime: time,
        lastTransitionTime: time,
      },
    ],
    nodeInfo: {
      machineID: '',
      systemUUID: '',
      bootID: '',
      kernelVersion: '',
      osImage: 'stand-in',
      containerRuntimeVersion: 'none://',
      kubeletVersion: `v${packageVersion()}`,
      kubeProxyVersion: '',
      operatingSystem: 'linux',
      architecture: 'amd64',
    },
  };
}
