import type { Pod } from '../../controllers/resources.ts';
import type { NodeChoice } from './choose-node.ts';
import type { DeviceReservation } from './devices/device-scheduling.ts';
import { minCountOf, type PodGroups } from './pod-groups.ts';

/** The reasons why a pod has no node. */
export type NoNode = Exclude<NodeChoice, { readonly node: string }>;

/** The scheduler's steps for a pod. */
interface PlacingSteps {
  readonly groups: PodGroups;
  readonly choose: (pod: Pod) => NodeChoice;
  /** Assigns a pod to a node in the scheduler's state, and reserves its devices there. */
  readonly assume: (pod: Pod, node: string) => DeviceReservation;
  /** Removes a pod from the scheduler's state of its node. */
  readonly leave: (pod: Pod) => void;
  readonly isPlaced: (pod: Pod) => boolean;
  readonly bind: (pod: Pod, node: string, devices: DeviceReservation) => Promise<void>;
  readonly refuse: (pod: Pod, choice: NoNode) => Promise<void>;
  /** Keeps a pod waiting until something changes. */
  readonly park: (pod: Pod) => void;
  readonly report: (pod: Pod, message: string) => Promise<void>;
}

/** A pod that is assigned to a node, but not bound yet. */
interface PlacedMember {
  readonly pod: Pod;
  readonly node: string;
  readonly devices: DeviceReservation;
}

const unschedulable = 'pod group is unschedulable';
const tooFew = `${unschedulable}, waiting for minCount pods from a gang to be scheduled`;

/**
 * Schedules the waiting pods of a group together: if too few of its pods fit on nodes, none is
 * bound. Groups with too few pods wait without an Event.
 */
export async function placeGroup(pod: Pod, members: readonly Pod[], steps: PlacingSteps): Promise<void> {
  const { groups, bind, leave, park, refuse } = steps;
  const group = groups.groupOf(pod);
  const all = groups.membersOf(pod);
  if (!group || all.length < minCountOf(group)) {
    for (const one of members) park(one);
    return;
  }
  if (members.length === 0) return;
  const { placed, refused } = placeMembers(members, steps);
  const isEnough = placed.length > 0 && all.filter(steps.isPlaced).length >= minCountOf(group);
  if (isEnough) {
    await Promise.all([
      ...placed.map((one) => bind(one.pod, one.node, one.devices)),
      ...refused.map((one) => refuse(one.pod, one.choice)),
      groups.report(group, undefined),
    ]);
    return;
  }
  // Synchronously, so that no other pod is scheduled around these assignments.
  for (const one of placed) {
    leave(one.pod);
    park(one.pod);
  }
  await Promise.all(placed.map(({ devices }) => devices.release()));
  await Promise.all([
    ...placed.map((one) => steps.report(one.pod, tooFew)),
    ...refused.map((one) => refuse(one.pod, one.choice)),
    groups.report(group, unschedulable),
  ]);
}

/** Chooses nodes for pods one after the other; each choice sees the previous ones. */
function placeMembers(members: readonly Pod[], { choose, assume, leave }: PlacingSteps) {
  const placed: PlacedMember[] = [];
  const refused: { readonly pod: Pod; readonly choice: NoNode }[] = [];
  try {
    for (const pod of members) {
      const choice = choose(pod);
      if ('node' in choice) placed.push({ pod, node: choice.node, devices: assume(pod, choice.node) });
      else refused.push({ pod, choice });
    }
  } catch (error) {
    for (const { pod, devices } of placed) {
      leave(pod);
      void devices.release();
    }
    throw error;
  }
  return { placed, refused };
}
