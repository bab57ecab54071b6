import { formatTime } from '../../meta/time.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Node } from '../resources.ts';
import type { NodeCondition, Taint } from '../../gen/types/core-v1.ts';

/** The conditions that become unknown with the node agent. */
const reported = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'] as const;

/** The condition of a type, if a node has it. */
export function nodeCondition({ status }: Node, type: string): NodeCondition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}

/** The conditions of a node whose agent has not been heard of in time. */
export function unknownConditions(node: Node, { nodeAgent }: Identifiers, nowMs: number): NodeCondition[] {
  const agent = `${nodeAgent[0]?.toUpperCase()}${nodeAgent.slice(1)}`;
  const lastTransitionTime = formatTime(nowMs);
  const present = node.status?.conditions ?? [];
  const changed = present.map((condition) => {
    if (!reported.some((type) => type === condition.type) || condition.status === 'Unknown') return condition;
    const message = `${agent} stopped posting node status.`;
    return { ...condition, status: 'Unknown', reason: 'NodeStatusUnknown', message, lastTransitionTime };
  });
  const missing = reported.filter((type) => !present.some((condition) => condition.type === type));
  const added = missing.map((type) => ({
    type,
    status: 'Unknown',
    reason: 'NodeStatusNeverUpdated',
    message: `${agent} never posted node status.`,
    lastHeartbeatTime: node.metadata.creationTimestamp,
    lastTransitionTime,
  }));
  return [...changed, ...added];
}

/** The names of the taints that stand for conditions, by condition and status. */
const taintNames: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  Ready: { False: 'not-ready', Unknown: 'unreachable' },
  MemoryPressure: { True: 'memory-pressure' },
  DiskPressure: { True: 'disk-pressure' },
  NetworkUnavailable: { True: 'network-unavailable' },
  PIDPressure: { True: 'pid-pressure' },
};

/** The taints against new pods that a node should have by its conditions. */
export function conditionTaints(node: Node, { labelDomain }: Identifiers): Taint[] {
  const names = Object.entries(taintNames).flatMap(
    ([type, byStatus]) => byStatus[nodeCondition(node, type)?.status ?? ''] ?? [],
  );
  const all = node.spec?.unschedulable ? [...names, 'unschedulable'] : names;
  return all.map((name) => ({ key: `node.${labelDomain}/${name}`, effect: 'NoSchedule' }));
}

/** True for taints that stand for conditions, and only for them. */
export function isConditionTaint({ key, effect }: Taint, { labelDomain }: Identifiers): boolean {
  if (effect !== 'NoSchedule') return false;
  const names = [...Object.values(taintNames).flatMap((byStatus) => Object.values(byStatus)), 'unschedulable'];
  return names.some((name) => key === `node.${labelDomain}/${name}`);
}

/** The taint that ends the pods of a node that is not ready; undefined for one that is. */
export function evictionTaint(node: Node, { labelDomain }: Identifiers): Taint | undefined {
  const name = taintNames['Ready']?.[nodeCondition(node, 'Ready')?.status ?? 'Unknown'];
  return name === undefined ? undefined : { key: `node.${labelDomain}/${name}`, effect: 'NoExecute' };
}

/** True for the taints of `evictionTaint`. */
export function isEvictionTaint({ key, effect }: Taint, { labelDomain }: Identifiers): boolean {
  const names = Object.values(taintNames['Ready'] ?? {});
  return effect === 'NoExecute' && names.some((name) => key === `node.${labelDomain}/${name}`);
}
