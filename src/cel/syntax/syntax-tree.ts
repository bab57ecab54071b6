import { SyntaxProblem } from './problem.ts';

/** The value of a literal. */
export type LiteralValue = null | boolean | string | number | bigint | { readonly uint: bigint } | Uint8Array;

/** The forms of nodes; `Node` adds the place. Operators are calls: `_+_`, `_[_]`, `_?_:_`. */
type NodeShape =
  | { readonly kind: 'literal'; readonly value: LiteralValue }
  | { readonly kind: 'ident'; readonly name: string }
  /** `has(a.b)` if `testOnly`. */
  | { readonly kind: 'select'; readonly operand: Node; readonly field: string; readonly testOnly: boolean }
  | { readonly kind: 'call'; readonly name: string; readonly target: Node | undefined; readonly args: readonly Node[] }
  /** `[?a]`: elements whose index is in `optional` are left out if they have no value. */
  | { readonly kind: 'list'; readonly elements: readonly Node[]; readonly optional: ReadonlySet<number> }
  | { readonly kind: 'map'; readonly entries: readonly MapEntry[] }
  /** A message: `Object{spec: 1}`. */
  | { readonly kind: 'struct'; readonly name: string; readonly fields: readonly StructField[] }
  | Fold;

/** An entry of a map; with `optional` it is left out if its value is missing. */
export interface MapEntry {
  readonly key: Node;
  readonly value: Node;
  readonly optional: boolean;
}

/** A field of a message. If `optional`, the field is left out when its value is missing. */
export interface StructField {
  readonly name: string;
  /** The offset of its colon. */
  readonly at: number;
  readonly value: Node;
  readonly optional: boolean;
}

/**
 * A loop over a list or map, which macros such as `all` expand to. `iterVar` is an item of a list
 * or a key of a map; with `iterVar2` they are the index or key, and the item or value.
 */
export interface Fold {
  readonly kind: 'fold';
  readonly range: Node;
  readonly iterVar: string;
  readonly iterVar2: string;
  readonly accuVar: string;
  readonly accuInit: Node;
  readonly condition: Node;
  readonly step: Node;
  readonly result: Node;
}

/** A node of a syntax tree. `at` is its offset in code points. */
export type Node = NodeShape & { readonly at: number; readonly depth: number };

/** The variable that holds the result of a loop. No text can name it. */
export const accumulator = '@result';

/** The nesting that parsing, checking and evaluation, which recurse, allow. */
const deepest = 250;

/** Makes a node. Throws SyntaxProblem if it is nested too deeply. */
export function makeNode(at: number, shape: NodeShape): Node {
  const depth = 1 + Math.max(0, ...childrenOf(shape).map((child) => child.depth));
  if (depth > deepest) throw tooDeep(at);
  return { ...shape, at, depth };
}

/** The error of an expression that is nested too deeply. */
export function tooDeep(at: number): SyntaxProblem {
  return new SyntaxProblem(at, `expression recursion limit exceeded: ${deepest}`);
}

/** The limit of nesting that a parser checks as it goes down. */
export const nestingLimit = deepest;

/** The nodes directly below one. */
export function childrenOf(node: NodeShape): readonly Node[] {
  if (node.kind === 'select') return [node.operand];
  if (node.kind === 'call') return node.target ? [node.target, ...node.args] : node.args;
  if (node.kind === 'list') return node.elements;
  if (node.kind === 'map') return node.entries.flatMap(({ key, value }) => [key, value]);
  if (node.kind === 'struct') return node.fields.map(({ value }) => value);
  if (node.kind === 'fold') return [node.range, node.accuInit, node.condition, node.step, node.result];
  return [];
}

/** A call of a function or operator. */
export function makeCall(at: number, name: string, args: readonly Node[], target?: Node): Node {
  return makeNode(at, { kind: 'call', name, target, args });
}

/** A variable. */
export function makeIdent(at: number, name: string): Node {
  return makeNode(at, { kind: 'ident', name });
}

/** A constant. */
export function makeLiteral(at: number, value: LiteralValue): Node {
  return makeNode(at, { kind: 'literal', value });
}
