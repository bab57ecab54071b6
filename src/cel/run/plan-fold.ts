import { failures } from '../functions/failures.ts';
import { accumulator, type Fold, type Node } from '../syntax/node.ts';
import { CelList, CelMap, type CelValue, Failure } from '../values/cel-value.ts';
import type { Frame } from './frame.ts';
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
  const setVariables = fold.iterVar2 === '' ? setOne : setTwo;
  return (frame) => {
    const source = range(frame);
    if (source instanceof Failure) return source;
    const rounds = roundsOf(source);
    if (!rounds) return failures.noOverload;
    frame.values[accu] = start(frame);
    for (let round = 0; round < rounds.count; round++) {
      const [name, value] = rounds.at(round);
      setVariables(frame, key, [rounds.isList, name, value]);
      if (condition(frame) !== true) break;
      frame.values[accu] = step(frame);
    }
    return result(frame);
  };
}

type RoundValues = readonly [isList: boolean, key: CelValue, value: () => CelValue];

/** One variable has the items of a list or the keys of a map. */
function setOne({ values }: Frame, place: number, [isList, key, value]: RoundValues): void {
  values[place] = isList ? value() : key;
}

function setTwo({ values }: Frame, place: number, [, key, value]: RoundValues): void {
  values[place] = key;
  values[place + 1] = value();
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

/** The rounds of a loop over a list or map. */
function roundsOf(source: CelValue):
  | {
      readonly isList: boolean;
      readonly count: number;
      readonly at: (round: number) => readonly [CelValue, () => CelValue];
    }
  | undefined {
  if (source instanceof CelList) {
    return {
      isList: true,
      count: source.size,
      at: (round) => [BigInt(round), () => source.at(round)],
    };
  }
  if (!(source instanceof CelMap)) return undefined;
  const keys = source.keys();
  return {
    isList: false,
    count: keys.length,
    at: (round) => {
      const key = keys[round] ?? null;
      return [key, () => source.get(key) ?? null];
    },
  };
}
