import type { NodeCondition } from '../../gen/types/core-v1.ts';
import type { Node } from '../../controllers/resources.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import { conditionIn, type NodeOutcome, reportedConditions } from './node-outcome.ts';

/** The reason and the message of a condition, after the name of the node agent. */
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

/** The conditions that the agent of a node reports, and those of other writers. */
export function nodeConditions(
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
