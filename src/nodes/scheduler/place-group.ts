import type { Pod } from '../../controllers/resources.ts';
import type { NodeChoice } from './choose-node.ts';
import type { DeviceReservation } from './devices/device-scheduling.ts';
import { minCountOf, type PodGroups } from './pod-groups.ts';

/** The reasons why a pod has no node. */
export type NoNode = Exclude<NodeChoice, { readonly node: string }>;

/** The steps of a scheduler for one pod. */
interface PlacingSteps {
  readonly groups: PodGroups;
  readonly choose: (pod: Pod) => NodeChoice;
  /** Counts a pod for a node, and keeps devices for it there. */
  readonly assume: (pod: Pod, node: string) => DeviceReservation;
  /** Counts a pod no longer. */
  readonly leave: (pod: Pod) => void;
  readonly isPlaced: (pod: Pod) => boolean;
  readonly bind: (pod: Pod, node: string, devices: DeviceReservation) => Promise<void>;
  readonly refuse: (pod: Pod, choice: NoNode) => Promise<void>;
  /** Keeps a pod until something changes. */
  readonly park: (pod: Pod) => void;
  readonly report: (pod: Pod, message: string) => Promise<void>;
}

/** A pod that has a node, and is not bound to it yet. */
interface PlacedMember {
  readonly pod: Pod;
  readonly node: string;
  readonly devices: DeviceReservation;
}

const unschedulable = 'pod group is unschedulable';
const tooFew = `${unschedulable}, waiting for minCount pods from a gang to be scheduled`;

/**
 * Places the waiting pods of a group, if enough of all of its pods have nodes then. Otherwise none
 * of them is bound. They wait without a report until there are enough of them.
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
  // At once: no other pod has seen these places, so that none is tried again for them.
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

/** Chooses nodes for pods, each of which sees the places of those before it. */
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
