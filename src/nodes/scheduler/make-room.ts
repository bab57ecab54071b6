import type { Pod } from '../../controllers/resources.ts';
import { messageOf } from './choose-node.ts';
import type { ClusterState } from './cluster-state.ts';
import type { ObstacleOptions } from './node-obstacles.ts';
import type { NoNode } from './place-group.ts';
import { priorityOf } from './pod-priority.ts';
import { awaitsVictims, findVictims, type Victims } from './preemption.ts';
import type { SchedulerCalls } from './scheduler-calls.ts';

/** The state of the cluster, and the checks for preemption. */
interface RoomSources {
  readonly state: ClusterState;
  readonly calls: SchedulerCalls;
  readonly obstacles: ObstacleOptions;
}

/** Looks for victims of preemption. Returns them, or the end of the Event message. */
export async function makeRoom(
  pod: Pod,
  { candidates, count }: NoNode,
  { state, calls, obstacles }: RoomSources,
): Promise<{ readonly note: string; readonly victims?: Victims }> {
  if (count === 0) return { note: '' };
  if (pod.spec.preemptionPolicy === 'Never') return { note: notEligible('preemptionPolicy=Never') };
  if (awaitsVictims(pod, state)) return { note: notEligible('a terminating pod on the nominated node') };
  if (candidates.some(({ metadata }) => hasLower(state, metadata.name, pod))) {
    const budgets = await calls.budgets();
    const victims = findVictims(pod, candidates, budgets, state, obstacles);
    if (victims) return { note: '', victims };
  }
  const reasons = [
    ['No preemption victims found for incoming pod', candidates.length],
    ['Preemption is not helpful for scheduling', count - candidates.length],
  ] as const;
  const counted = new Map(reasons.filter(([, times]) => times > 0));
  return { note: ` preemption: ${messageOf(count, counted)}` };
}

function notEligible(why: string): string {
  return ` preemption: not eligible due to ${why}.`;
}

function hasLower(state: ClusterState, node: string, pod: Pod): boolean {
  return [...state.useOf(node).pods.values()].some((other) => priorityOf(other.pod) < priorityOf(pod));
}
