import type { Node } from '../../controllers/resources.ts';

/** Reasons against a node, in the words of the Event. */
export interface Obstacle {
  readonly reasons: readonly string[];
  /** True if the end of other pods may remove it. */
  readonly removable: boolean;
}

/** Returns a reason against a node, if there is one. */
export type NodeCheck = (node: Node) => Obstacle | undefined;
