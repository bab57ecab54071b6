import { failures } from '../functions/failures.ts';
import { accumulator, type Fold, type Node } from '../syntax/syntax-tree.ts';
import { CelList, CelMap, type CelValue, Failure } from '../values/cel-value.ts';
import type { WorkMeter } from '../values/work-meter.ts';
import { GrowingList } from './growing-list.ts';
import type { Evaluate, Planner } from './planner.ts';

/** Compiles a loop. Its variables have places of their own in the frame. */
export function planFold(planner: Planner, fold: Fold): Evaluate {
  const { planNode } = planner;
  const first = planner.size.count;
  planner.size.count += 3;
  const [accu, key, item] = [first, first + 1, first + 2];
  const outer: Planner = { ...planner, places: new Map(planner.places).set(fold.accuVar, accu) };
  const places = new Map(outer.places).set(fold.iterVar, key);
  const inner: Planner = { ...planner, places: fold.iterVar2 === '' ? places : places.set(fold.iterVar2, item) };
  const range = planNode(planner, fold.range);
  const start = planStart(planner, fold);
  const condition = planNode(inner, fold.condition);
  const step = planNode(inner, fold.step);
  const result = planNode(outer, fold.result);
  const hasTwo = fold.iterVar2 !== '';
  return (frame) => {
    const source = range(frame);
    if (source instanceof Failure) return source;
    const rounds = roundsOf(frame.meter, source, { place: key, hasTwo });
    if (!rounds) return failures.noOverload;
    frame.values[accu] = start(frame);
    for (let round = 0; round < rounds.count; round++) {
      rounds.set(frame.values, round);
      if (condition(frame) !== true) break;
      frame.values[accu] = step(frame);
    }
    return result(frame);
  };
}

/** A list that a loop makes can grow: no other expression can see it before the loop ends. */
function planStart(planner: Planner, { accuInit, accuVar }: Fold): Evaluate {
  const isList = accuVar === accumulator && isEmptyList(accuInit);
  const init = planner.planNode(planner, accuInit);
  if (!isList) return init;
  return (frame) => {
    init(frame);
    return new GrowingList();
  };
}

function isEmptyList(node: Node): boolean {
  return node.kind === 'list' && node.elements.length === 0;
}

/** The rounds of a loop; `set` sets its variables. */
interface Rounds {
  readonly count: number;
  readonly set: (values: CelValue[], round: number) => void;
}

/**
 * The rounds of a loop over a list or map. One variable has the items of a list or the keys of a
 * map; two have the index or key at `place`, and the item or value at the next one.
 */
function roundsOf(
  meter: WorkMeter,
  source: CelValue,
  { place, hasTwo }: { readonly place: number; readonly hasTwo: boolean },
): Rounds | undefined {
  if (source instanceof CelList)
    return { count: source.size, set: hasTwo ? setBoth(source, place) : setItem(source, place) };
  if (!(source instanceof CelMap)) return undefined;
  const keys = source.keys(meter);
  return {
    count: keys.length,
    set: (values, round) => {
      const key = keys[round] ?? null;
      values[place] = key;
      if (hasTwo) values[place + 1] = source.get(key) ?? null;
    },
  };
}

function setItem(list: CelList, place: number): Rounds['set'] {
  return (values, round) => {
    values[place] = list.at(round);
  };
}

function setBoth(list: CelList, place: number): Rounds['set'] {
  return (values, round) => {
    values[place] = BigInt(round);
    values[place + 1] = list.at(round);
  };
}
