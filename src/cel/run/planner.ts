import type { CheckedExpression } from '../check/check.ts';
import type { Node } from '../syntax/syntax-tree.ts';
import type { CelValue } from '../values/cel-value.ts';
import type { Frame } from './frame.ts';

/** Computes the value of an expression. */
export type Evaluate = (frame: Frame) => CelValue;

/** The context in which the parts of an expression are compiled. */
export interface Planner {
  readonly checked: CheckedExpression;
  /** The places of variables in a frame. */
  readonly places: ReadonlyMap<string, number>;
  /** The size of the frame, which grows while loops are compiled. */
  readonly size: { count: number };
  /** The values of constant nodes, which cost nothing, as in kube-apiserver. */
  readonly constants: Map<Evaluate, CelValue>;
  readonly planNode: (planner: Planner, node: Node) => Evaluate;
}
