/** What a key holds. */
export interface RegisterState {
  /** The mark of the write that made it; '' where there is no object. */
  readonly mark: string;
  /** Of the object; '' where nobody was told. */
  readonly uid: string;
  /** Of the write that made it; 0 where nobody was told. */
  readonly revision: number;
  /** The newest revision that anybody was told until now: later writes have newer ones. */
  readonly floor: number;
}

/** What one operation saw of one key, or did to it. Times are of one monotonic clock. */
export interface RegisterOperation {
  readonly call: number;
  readonly return: number;
  /** Nobody knows whether it took place: it may have at any time after the call, or never. */
  readonly optional: boolean;
  /** The state that it leaves; undefined where it was not possible in the state that it found. */
  readonly step: (state: RegisterState) => RegisterState | undefined;
  readonly description: string;
}

/** What came of a search: an order, none, or no answer within the bounds. */
export type SearchResult =
  | { readonly kind: 'linearizable' | 'undecided' }
  | { readonly kind: 'impossible'; readonly stuckAt: string };

/** A sound history takes one step for each operation and few more; what takes so many is given up. */
const mostSteps = 50_000;

const nothing: RegisterState = { mark: '', uid: '', revision: 0, floor: 0 };

/** A place in the search: what has been put in order, and what that leaves. */
interface Node {
  /** Of the operations that must take place, all before this one have. */
  readonly first: number;
  /** Those behind it that have too. */
  readonly ahead: ReadonlySet<number>;
  /** Those that need not and have. */
  readonly taken: ReadonlySet<number>;
  readonly state: RegisterState;
}

/**
 * Looks for an order of operations on one key, each between its call and its return, in which every answer is right: the search
 * of Wing and Gong, with Lowe's memory of what has been tried. It knows what clients saw and nothing of etcd.
 */
export function searchOrder(operations: readonly RegisterOperation[]): SearchResult {
  const sorted = operations.toSorted((a, b) => a.call - b.call);
  const certain = sorted.filter(({ optional }) => !optional);
  const optional = sorted.filter((one) => one.optional);
  const tried = new Set<string>();
  const stack: Node[] = [{ first: 0, ahead: new Set(), taken: new Set(), state: nothing }];
  let deepest = stack[0];
  for (let steps = 0; steps < mostSteps; steps++) {
    const node = stack.pop();
    if (!node) return { kind: 'impossible', stuckAt: describeStuck(certain, deepest) };
    if (node.first === certain.length) return { kind: 'linearizable' };
    const memory = memoryOf(node);
    if (tried.has(memory)) continue;
    tried.add(memory);
    if (depth(node) > depth(deepest)) deepest = node;
    stack.push(...nextNodes(node, certain, optional));
  }
  return { kind: 'undecided' };
}

/** What may come next; the last is tried first. Guesses come after everything that must take place. */
function nextNodes(
  node: Node,
  certain: readonly RegisterOperation[],
  optional: readonly RegisterOperation[],
): readonly Node[] {
  const { first, ahead, taken } = node;
  const places = candidates(node, certain);
  const earliest = Math.min(...places.map((at) => certain[at]?.return ?? 0));
  const guesses = [...optional.entries()]
    .filter(([at, { call }]) => call <= earliest && !taken.has(at))
    .flatMap(([at, { step }]) => {
      const state = step(node.state);
      return state ? [{ first, ahead, taken: new Set(taken).add(at), state }] : [];
    });
  const certainties = places
    .toSorted((a, b) => (certain[b]?.return ?? 0) - (certain[a]?.return ?? 0))
    .flatMap((at) => {
      const state = certain[at]?.step(node.state);
      return state ? [{ ...advanced(node, at), taken, state }] : [];
    });
  return [...guesses, ...certainties];
}

/** Those of which none must come behind another: none returned before the call of another. */
function candidates({ first, ahead }: Node, certain: readonly RegisterOperation[]): number[] {
  const found: number[] = [];
  let earliest = Number.POSITIVE_INFINITY;
  for (let at = first; at < certain.length; at++) {
    const operation = certain[at];
    if (!operation || operation.call > earliest) break;
    if (ahead.has(at)) continue;
    found.push(at);
    earliest = Math.min(earliest, operation.return);
  }
  return found;
}

function advanced({ first, ahead }: Node, at: number): Pick<Node, 'first' | 'ahead'> {
  const next = new Set(ahead).add(at);
  let from = first;
  while (next.delete(from)) from++;
  return { first: from, ahead: next };
}

/** Two nodes with the same memory lead to the same. */
function memoryOf({ first, ahead, taken, state }: Node): string {
  const numbers = (set: ReadonlySet<number>): string => [...set].toSorted((a, b) => a - b).join();
  return [first, numbers(ahead), numbers(taken), state.mark, state.uid, state.floor].join(' ');
}

function depth(node: Node | undefined): number {
  return node ? node.first + node.ahead.size : 0;
}

function describeStuck(certain: readonly RegisterOperation[], node: Node | undefined): string {
  if (!node) return '';
  const waiting = candidates(node, certain).map((at) => certain[at]?.description);
  return `behind ${node.state.mark || 'nothing'} (${node.state.floor}) none fits of: ${waiting.slice(0, 4).join('; ')}`;
}
