import type { ApiObject } from '../../client/api-object.ts';
import type { NodeCondition, NodeStatus } from '../../gen/types/core-v1.ts';
import type { NodeGroup } from './node-groups.ts';
import { formatTime } from '../../meta/time.ts';
import type { Node } from '../../controllers/resources.ts';
import { conditionIn, type NodeOutcome, reportedConditions } from './node-outcome.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { standInHosts } from '../../kinds/core/stand-in-hosts.ts';
import { packageVersion } from '../../package/package-root.ts';

/** Resources of a stand-in node: more than tests ask for, because nothing really runs. */
const usualCapacity = Object.freeze({ cpu: '96', memory: '512Gi', 'ephemeral-storage': '2Ti', pods: '10000' });

/** A stand-in node, and what it is registered with. */
export interface NodeIdentity {
  readonly name: string;
  readonly address: string;
  readonly group: Omit<NodeGroup, 'count' | 'name'>;
}

/** The names and the addresses of the nodes of groups. */
export function nodeIdentities(groups: readonly NodeGroup[]): readonly NodeIdentity[] {
  const identities = groups.flatMap((group) =>
    Array.from({ length: group.count }, (_, index) => ({ name: `${group.name ?? 'node'}-${index + 1}`, group })),
  );
  return identities.map((identity, index) => ({ ...identity, address: addressOf(index) }));
}

function addressOf(index: number): string {
  return `10.96.${Math.floor(index / 255)}.${(index % 255) + 1}`;
}

/** The object of a stand-in node, with the labels of node agents and of its group. */
export function nodeObject({ name, group }: NodeIdentity, { labelDomain }: Identifiers): ApiObject {
  const labels = {
    [`${labelDomain}/hostname`]: name,
    [`${labelDomain}/os`]: 'linux',
    [`${labelDomain}/arch`]: 'amd64',
    ...group.labels,
  };
  const spec = group.taints?.length ? { spec: { taints: group.taints } } : {};
  const annotations = group.devices?.length
    ? { annotations: { [`stand-in.${labelDomain}/devices`]: JSON.stringify(group.devices) } }
    : {};
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, labels, ...annotations }, ...spec };
}

/** The first minor releases whose nodes report runtime handlers and declared features. */
const handlersSince = 31;
const featuresSince = 35;

/** The only runtime handler, and its features. */
const handlers = Object.freeze({
  runtimeHandlers: [{ name: '', features: { recursiveReadOnlyMounts: true, userNamespaces: true } }],
  features: { supplementalGroupsPolicy: true },
});

/** The declared features of a node, sorted. */
const declaredFeatures = Object.freeze([
  'InPlacePodLevelResourcesVerticalScaling',
  'InPlacePodVerticalScalingInitContainers',
  'RestartAllContainersOnContainerExits',
  'UserNamespacesHostNetworkSupport',
]);

/** The report of a stand-in node. */
interface NodeReport extends NodeIdentity {
  readonly outcome: NodeOutcome;
  /** The node as it is, whose conditions of other writers stay. */
  readonly present: Node;
  /** The port of its agent; undefined without one. */
  readonly agentPort?: number | undefined;
  /** The minor number of the release of the server. */
  readonly release: number;
}

/** The status that a stand-in node reports. */
export function nodeStatus(
  { name, address, group, outcome, present, agentPort, release }: NodeReport,
  identifiers: Identifiers,
  nowMs: number,
): NodeStatus {
  const capacity = { ...usualCapacity, ...group.capacity };
  return {
    capacity,
    allocatable: capacity,
    addresses: [
      { type: 'InternalIP', address },
      // The API server of these nodes knows where their agent is; for others no such host exists.
      { type: 'Hostname', address: `${name}.${standInHosts}` },
    ],
    ...(agentPort === undefined ? {} : { daemonEndpoints: { kubeletEndpoint: { Port: agentPort } } }),
    ...(release >= handlersSince ? handlers : {}),
    ...(release >= featuresSince ? { declaredFeatures: [...declaredFeatures] } : {}),
    conditions: nodeConditions(present, outcome, identifiers, formatTime(nowMs)),
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

/**
 * The reason and the message of a condition; the message begins after the name of the node agent.
 */
type Words = readonly [reason: string, message: string];

const words: Readonly<Record<(typeof reportedConditions)[number], Readonly<Record<'True' | 'False', Words>>>> = {
  MemoryPressure: {
    False: ['HasSufficientMemory', 'has sufficient memory available'],
    True: ['HasInsufficientMemory', 'has insufficient memory available'],
  },
  DiskPressure: {
    False: ['HasNoDiskPressure', 'has no disk pressure'],
    True: ['HasDiskPressure', 'has disk pressure'],
  },
  PIDPressure: {
    False: ['HasSufficientPID', 'has sufficient PID available'],
    True: ['HasInsufficientPID', 'has insufficient PID available'],
  },
  Ready: {
    True: ['Ready', 'is posting ready status'],
    False: ['NotReady', 'is not ready: an annotation of the node asks for it'],
  },
};

/** The conditions of the node agent, and conditions of other writers. */
function nodeConditions(
  { status }: Node,
  outcome: NodeOutcome,
  { nodeAgent }: Identifiers,
  time: string,
): NodeCondition[] {
  const present = status?.conditions ?? [];
  const agent = `${nodeAgent[0]?.toUpperCase()}${nodeAgent.slice(1)}`;
  const own = reportedConditions.map((type): NodeCondition => {
    const state = conditionIn(outcome, type);
    const [reason, message] = words[type][state];
    const before = present.find((condition) => condition.type === type);
    return {
      type,
      status: state,
      reason: `${agent}${reason}`,
      message: `${nodeAgent} ${message}`,
      lastHeartbeatTime: time,
      lastTransitionTime: before?.status === state ? (before.lastTransitionTime ?? time) : time,
    };
  });
  return [...own, ...present.filter((condition) => !isOwn(condition))];
}

function isOwn({ type }: NodeCondition): boolean {
  return reportedConditions.some((each) => each === type);
}
