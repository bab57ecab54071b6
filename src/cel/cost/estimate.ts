import type { CheckedExpression } from '../check/check.ts';
import { accumulator, type Fold, type LiteralValue, type Node } from '../syntax/syntax-tree.ts';
import type { CelType } from '../types/cel-type.ts';
import { type CallEstimate, estimateCall } from './call-estimates.ts';
import { add, anySize, type CostRange, exactly, multiply, union, unbounded } from './cost-range.ts';
import { makeCost, readCost } from './factors.ts';
import { fieldOf, keyOf, type SchemaPlace, partOf, sizeAt } from './schema-place.ts';

/** The sizes of the entries of a loop: the items of a list, or the keys and values of a map. */
interface EntrySizes {
  readonly kind: 'list' | 'map';
  readonly key: CostRange;
  readonly value: CostRange;
}

/** A variable of a loop: its place in the schema if it has one, and its size if that is known. */
interface LocalVariable {
  readonly place: SchemaPlace | undefined;
  readonly size?: CostRange | undefined;
  readonly entries?: EntrySizes | undefined;
}

type Scope = ReadonlyMap<string, LocalVariable>;

/** The state of an estimate. */
interface Estimator {
  readonly checked: CheckedExpression;
  readonly scope: CelType;
  readonly places: Map<Node, SchemaPlace>;
  readonly sizes: Map<Node, CostRange>;
  readonly entries: Map<Node, EntrySizes>;
}

/**
 * Estimates the cost of an expression over a value of a schema from the largest values that it may
 * have, as kube-apiserver does: every name that is no variable of a loop counts as that value.
 */
export function estimateCost(checked: CheckedExpression, scope: CelType): CostRange {
  const estimator: Estimator = {
    checked,
    scope,
    places: new Map(),
    sizes: new Map(),
    entries: new Map(),
  };
  return costOf(estimator, checked.root, new Map());
}

function costOf(estimator: Estimator, node: Node, scope: Scope): CostRange {
  if (node.kind === 'ident') return costOfIdent(estimator, node, scope);
  if (node.kind === 'select') return costOfSelect(estimator, node, scope);
  if (node.kind === 'call') return costOfCall(estimator, node, scope);
  if (node.kind === 'list') return costOfList(estimator, node, scope);
  if (node.kind === 'map') return costOfMap(estimator, node, scope);
  if (node.kind === 'struct') return costOfStruct(estimator, node, scope);
  if (node.kind === 'fold')
    return isBinding(node) ? costOfBinding(estimator, node, scope) : costOfFold(estimator, node, scope);
  return exactly(0);
}

function locate({ places }: Estimator, node: Node, place: SchemaPlace | undefined): void {
  if (place) places.set(node, place);
}

function costOfIdent(estimator: Estimator, node: Node & { kind: 'ident' }, scope: Scope): CostRange {
  const local = scope.get(node.name);
  locate(estimator, node, local ? local.place : estimator.scope);
  if (local?.entries) estimator.entries.set(node, local.entries);
  // The size of a variable counts only where neither its place nor its type gives one.
  if (local?.size && !sizeOf(estimator, node)) estimator.sizes.set(node, local.size);
  return exactly(readCost);
}

function costOfSelect(estimator: Estimator, node: Node & { kind: 'select' }, scope: Scope): CostRange {
  if (estimator.checked.isQualified(node)) return exactly(readCost);
  const operand = costOf(estimator, node.operand, scope);
  if (node.testOnly) return operand;
  locate(estimator, node, fieldOf(estimator.places.get(node.operand), node.field, estimator.scope));
  const { kind } = estimator.checked.typeOf(node.operand);
  return kind === 'map' || kind === 'object' ? add(operand, exactly(readCost)) : operand;
}

/** The size of a value; undefined if nothing is known about it. */
function sizeOf({ checked, sizes, places }: Estimator, node: Node): CostRange | undefined {
  const known = sizes.get(node) ?? writtenSize(node) ?? sizeAt(places.get(node));
  if (known) return known;
  return isScalar(checked.typeOf(node)) ? exactly(1) : undefined;
}

const scalars: ReadonlySet<CelType['kind']> = new Set(['bool', 'double', 'duration', 'int', 'timestamp', 'uint']);

function isScalar(type: CelType): boolean {
  return type.kind === 'optional' ? isScalar(type.value) : scalars.has(type.kind);
}

function writtenSize(node: Node): CostRange | undefined {
  if (node.kind === 'list') return exactly(node.elements.length);
  if (node.kind === 'map') return exactly(node.entries.length);
  return node.kind === 'literal' ? exactly(literalSize(node.value)) : undefined;
}

function literalSize(value: LiteralValue): number {
  if (typeof value === 'string') return Array.from(value).length;
  return value instanceof Uint8Array ? value.length : 1;
}

function sizeOrAny(estimator: Estimator, node: Node): CostRange {
  return sizeOf(estimator, node) ?? anySize;
}

type CallNode = Node & { readonly kind: 'call' };

function costOfCall(estimator: Estimator, node: CallNode, scope: Scope): CostRange {
  const { name, target, args } = node;
  const costs = args.map((arg) => costOf(estimator, arg, scope));
  const receiver = target && !estimator.checked.isQualified(node) ? target : undefined;
  const before = receiver ? costOf(estimator, receiver, scope) : exactly(0);
  const special = specialCosts[name];
  if (special) return add(before, special(estimator, node, costs));
  const estimate = unionOf(estimateOverloads(estimator, node, receiver));
  const size = estimate.size ?? partSize(estimator, node);
  if (size) estimator.sizes.set(node, size);
  return add(before, estimate.cost, ...costs);
}

function estimateOverloads(estimator: Estimator, node: CallNode, receiver: Node | undefined): readonly CallEstimate[] {
  const sizes = node.args.map((arg) => sizeOrAny(estimator, arg));
  const targetType = receiver && estimator.checked.typeOf(receiver);
  const call = {
    target: receiver && sizeOrAny(estimator, receiver),
    targetType,
    targetItems: receiver && textItems(estimator, receiver),
    args: sizes,
    argTypes: node.args.map((arg) => estimator.checked.typeOf(arg)),
    literals: node.args.map((arg) => (arg.kind === 'literal' ? arg.value : undefined)),
  };
  return estimator.checked.overloadsOf(node).map(({ name, parameters }) => estimateCall(name, { ...call, parameters }));
}

/** The size of the items of a list of texts or bytes. */
function textItems(estimator: Estimator, list: Node): CostRange | undefined {
  const type = estimator.checked.typeOf(list);
  if (type.kind !== 'list' || (type.element.kind !== 'string' && type.element.kind !== 'bytes')) return undefined;
  const place = estimator.places.get(list);
  return (place && sizeAt(partOf(place, estimator.scope))) ?? anySize;
}

function unionOf(estimates: readonly CallEstimate[]): CallEstimate {
  const sizes = estimates.flatMap(({ size }) => (size ? [size] : []));
  const [first, ...rest] = sizes;
  return {
    cost: estimates.map(({ cost }) => cost).reduce(union, { min: unbounded, max: 0 }),
    ...(first ? { size: rest.reduce(union, first) } : {}),
  };
}

/** The size of an item of a list, or of a value of a map, that a key selects. */
function partSize(estimator: Estimator, node: CallNode): CostRange | undefined {
  const [container] = node.args;
  if (!container || (node.name !== '_[_]' && node.name !== '_[?_]')) return undefined;
  locate(estimator, node, partOf(estimator.places.get(container), estimator.scope));
  return estimator.entries.get(container)?.value;
}

/** Calls that do not evaluate all of their arguments, or none. */
const specialCosts: Readonly<
  Record<string, (estimator: Estimator, node: CallNode, costs: readonly CostRange[]) => CostRange>
> = {
  '_&&_': costOfLogical,
  '_||_': costOfLogical,
  '_?_:_': costOfConditional,
  dyn: (estimator, node, costs) => {
    const [value] = node.args;
    if (value) copySizes(estimator, node, value);
    return add(exactly(1), ...costs);
  },
  '_?._': costOfOptionalSelect,
};

/** An optional field has the size that the schema gives the field. */
function costOfOptionalSelect(estimator: Estimator, node: CallNode, costs: readonly CostRange[]): CostRange {
  const [object, field] = node.args;
  if (object && field?.kind === 'literal' && typeof field.value === 'string') {
    locate(estimator, node, fieldOf(estimator.places.get(object), field.value, estimator.scope));
  }
  return add(exactly(1), ...costs);
}

function costOfLogical(_estimator: Estimator, _node: CallNode, costs: readonly CostRange[]): CostRange {
  return { min: costs[0]?.min ?? 0, max: add(...costs).max };
}

function costOfConditional(estimator: Estimator, node: CallNode, costs: readonly CostRange[]): CostRange {
  const [, whenTrue, whenFalse] = node.args;
  const [test = exactly(0), yes = exactly(0), no = exactly(0)] = costs;
  if (whenTrue && whenFalse) {
    estimator.sizes.set(node, union(sizeOrAny(estimator, whenTrue), sizeOrAny(estimator, whenFalse)));
    const [left, right] = [whenTrue, whenFalse].map((branch) => estimator.entries.get(branch));
    if (left && right) estimator.entries.set(node, joinEntries(left, right));
  }
  return add(test, union(yes, no));
}

function joinEntries(left: EntrySizes, right: EntrySizes): EntrySizes {
  return { kind: left.kind, key: union(left.key, right.key), value: union(left.value, right.value) };
}

function copySizes(estimator: Estimator, to: Node, from: Node): void {
  const size = sizeOf(estimator, from);
  const entries = estimator.entries.get(from);
  if (size) estimator.sizes.set(to, size);
  if (entries) estimator.entries.set(to, entries);
}

function sizesOfAll(estimator: Estimator, nodes: readonly Node[]): CostRange {
  const [first, ...rest] = nodes.map((node) => sizeOrAny(estimator, node));
  return first ? rest.reduce(union, first) : exactly(0);
}

function costOfList(estimator: Estimator, node: Node & { kind: 'list' }, scope: Scope): CostRange {
  const cost = add(...node.elements.map((element) => costOf(estimator, element, scope)), exactly(makeCost.list));
  const value = sizesOfAll(estimator, node.elements);
  estimator.entries.set(node, { kind: 'list', key: exactly(1), value });
  return cost;
}

function costOfMap(estimator: Estimator, node: Node & { kind: 'map' }, scope: Scope): CostRange {
  const parts = node.entries.flatMap(({ key, value }) => [key, value]);
  const cost = add(...parts.map((part) => costOf(estimator, part, scope)), exactly(makeCost.map));
  const [key, value] = [node.entries.map((entry) => entry.key), node.entries.map((entry) => entry.value)].map((nodes) =>
    sizesOfAll(estimator, nodes),
  );
  if (key && value) estimator.entries.set(node, { kind: 'map', key, value });
  return cost;
}

function costOfStruct(estimator: Estimator, node: Node & { kind: 'struct' }, scope: Scope): CostRange {
  return add(...node.fields.map(({ value }) => costOf(estimator, value, scope)), exactly(makeCost.struct));
}

function costOfFold(estimator: Estimator, node: Node & Fold, scope: Scope): CostRange {
  const range = costOf(estimator, node.range, scope);
  const start = costOf(estimator, node.accuInit, scope);
  const outer = new Map(scope).set(node.accuVar, localOf(estimator, node.accuInit));
  const inner = new Map([...outer, ...loopVariables(estimator, node)]);
  const loop = add(costOf(estimator, node.condition, inner), costOf(estimator, node.step, inner));
  const rounds = sizeOrAny(estimator, node.range);
  const result = costOf(estimator, node.result, outer);
  rememberFold(estimator, node, rounds);
  return add(range, start, result, multiply(rounds, loop));
}

function localOf(estimator: Estimator, node: Node): LocalVariable {
  return {
    place: estimator.places.get(node),
    size: sizeOf(estimator, node),
    entries: estimator.entries.get(node),
  };
}

/** A loop that makes a list has at most as many items as rounds. */
function rememberFold(estimator: Estimator, node: Node & Fold, rounds: CostRange): void {
  if (node.accuInit.kind !== 'list' && node.accuInit.kind !== 'map') {
    const size = sizeOf(estimator, node.accuInit);
    if (size) estimator.sizes.set(node, size);
    return;
  }
  estimator.sizes.set(node, rounds);
  const entries = estimator.entries.get(node.step);
  if (entries) estimator.entries.set(node, entries);
}

function loopVariables(estimator: Estimator, node: Fold): readonly (readonly [string, LocalVariable])[] {
  const { scope } = estimator;
  const place = estimator.places.get(node.range);
  const entries = estimator.entries.get(node.range);
  const kind = entries?.kind ?? estimator.checked.typeOf(node.range).kind;
  const value: LocalVariable = { place: partOf(place, scope), size: entries?.value };
  const key: LocalVariable = { place: keyOf(place, scope), size: entries?.key };
  if (node.iterVar2 === '') return [[node.iterVar, kind === 'list' ? value : key]];
  return [
    [node.iterVar, key],
    [node.iterVar2, value],
  ];
}

/** `cel.bind` is a loop without rounds, whose result reads its variable. */
function isBinding({ range, condition, accuVar }: Fold): boolean {
  const isEmpty = range.kind === 'list' && range.elements.length === 0;
  return isEmpty && condition.kind === 'literal' && condition.value === false && accuVar !== accumulator;
}

function costOfBinding(estimator: Estimator, node: Node & Fold, scope: Scope): CostRange {
  const range = costOf(estimator, node.range, scope);
  const value = costOf(estimator, node.accuInit, scope);
  const result = costOf(estimator, node.result, new Map(scope).set(node.accuVar, localOf(estimator, node.accuInit)));
  copySizes(estimator, node, node.result);
  return add(range, value, result);
}
