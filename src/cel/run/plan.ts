import type { CheckedExpression } from '../check/check.ts';
import { makeCost, readCost } from '../cost/factors.ts';
import { resultPriceOf, runPriceOf } from '../cost/run-price.ts';
import { failures } from '../functions/failures.ts';
import type { Overload } from '../functions/library.ts';
import { optionalPart, partOf } from '../functions/optionals.ts';
import { accumulator, type LiteralValue, type Node } from '../syntax/syntax-tree.ts';
import { qualifiedName } from '../syntax/parse.ts';
import { namedTypes, typeValueName } from '../types/named-types.ts';
import { type CelType, types } from '../types/cel-type.ts';
import {
  CelList,
  CelMap,
  CelObject,
  type CelValue,
  Failure,
  keyIdentity,
  listFrom,
  mapFrom,
  Optional,
  TypeValue,
  typeNameOf,
  Uint,
} from '../values/cel-value.ts';
import { ExpressionError } from '../values/expression.ts';
import { meterFor, spend } from '../values/work-meter.ts';
import { acceptorOf } from './accepts.ts';
import { charge } from './frame.ts';
import { GrowingList } from './growing-list.ts';
import { planFold } from './plan-fold.ts';
import type { Evaluate, Planner } from './planner.ts';

/** Compiles a checked expression. The first values of a frame are the values of `variables`. */
export function plan(
  checked: CheckedExpression,
  variables: readonly string[],
): { readonly evaluate: Evaluate; readonly size: number } {
  const places = new Map(variables.map((name, index) => [name, index]));
  const planner: Planner = { checked, places, size: { count: variables.length }, constants: new Map(), planNode };
  return { evaluate: planNode(planner, checked.root), size: planner.size.count };
}

function planNode(planner: Planner, node: Node): Evaluate {
  if (node.kind === 'literal') return planConstant(planner, constantOf(node.value));
  if (node.kind === 'ident') return planIdent(planner, node.name);
  if (node.kind === 'select') return planSelect(planner, node);
  if (node.kind === 'call') return planCall(planner, node);
  if (node.kind === 'list') return planList(planner, node);
  if (node.kind === 'map') return planMap(planner, node);
  return node.kind === 'fold' ? planFold(planner, node) : planStruct(planner, node);
}

function planConstant({ constants }: Planner, value: CelValue): Evaluate {
  const evaluate: Evaluate = () => value;
  constants.set(evaluate, value);
  return evaluate;
}

function constantOf(value: LiteralValue): CelValue {
  return value !== null && typeof value === 'object' && 'uint' in value ? new Uint(value.uint) : value;
}

function planIdent(planner: Planner, name: string): Evaluate {
  const { places } = planner;
  const place = places.get(name) ?? places.get(name.replace(/^\./, ''));
  if (place === undefined) {
    const value = new TypeValue(typeValueName(name.replace(/^\./, '')));
    return planConstant(planner, value);
  }
  return (frame) => {
    charge(frame, readCost);
    return frame.values[place] ?? null;
  };
}

function planSelect(planner: Planner, node: Node & { kind: 'select' }): Evaluate {
  if (planner.checked.isQualified(node)) {
    const name = qualifiedName(node) ?? '';
    return namedTypes.has(name) ? planConstant(planner, new TypeValue(typeValueName(name))) : planIdent(planner, name);
  }
  const operand = planNode(planner, node.operand);
  const { field } = node;
  if (node.testOnly) {
    const cost = isPath(node.operand) ? 0 : readCost;
    return (frame) => {
      const value = operand(frame);
      if (value instanceof Failure) return value;
      charge(frame, cost);
      return hasField(value, field);
    };
  }
  const cost = partCost(node.operand);
  return (frame) => {
    const value = operand(frame);
    if (value instanceof Failure) return value;
    charge(frame, cost);
    return fieldOf(value, field);
  };
}

/**
 * The cost of selecting a field or index. An operand that is not itself a path costs one more read.
 */
function partCost(container: Node): number {
  return isPath(container) ? readCost : 2 * readCost;
}

/** Reports whether an expression is a variable, or a selection from one. */
function isPath(node: Node): boolean {
  if (node.kind === 'select') return !node.testOnly;
  return node.kind === 'ident' || (node.kind === 'call' && pathSteps.has(node.name));
}

const pathSteps: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._', '_?_:_']);

function fieldOf(value: CelValue, field: string): CelValue {
  if (value instanceof Optional) return hasParts(value.value) ? optionalPart(value, field) : failures.noOverload;
  if (value instanceof CelList) return new Failure("unsupported index type 'string' in list");
  // Values of other types have no fields.
  const found = value instanceof CelObject || value instanceof CelMap ? value.get(field) : undefined;
  return found === undefined ? new Failure(`no such key: ${field}`) : found;
}

/** Reports whether a value, possibly missing, can have fields. */
function hasParts(value: CelValue | undefined): boolean {
  return value === undefined || value instanceof Optional || value instanceof CelObject || value instanceof CelMap;
}

function hasField(value: CelValue, field: string): CelValue {
  if (value instanceof Optional) return value.value !== undefined && hasField(value.value, field);
  if (value instanceof CelList) return new Failure("unsupported index type 'string' in list");
  // Values of other types have no fields.
  return (value instanceof CelObject || value instanceof CelMap) && value.get(field) !== undefined;
}

type CallNode = Node & { readonly kind: 'call' };

/** Calls that do not evaluate all of their arguments, or look at values of any type. */
const specialCalls: Readonly<Record<string, (planner: Planner, args: readonly Node[]) => Evaluate>> = {
  '_&&_': (planner, args) => planLogical(planner, args, false),
  '_||_': (planner, args) => planLogical(planner, args, true),
  '_?_:_': planConditional,
  '@not_strictly_false': planLoopCondition,
  '_[_]': (planner, args) => planPart(planner, args, partOf),
  '_[?_]': (planner, args) => planPart(planner, args, optionalPart),
  '_?._': (planner, args) => planPart(planner, args, optionalPart),
};

function planCall(planner: Planner, node: CallNode): Evaluate {
  const { name, target, args } = node;
  const special = target ? undefined : specialCalls[name];
  if (special) return special(planner, args);
  const values = target && !planner.checked.isQualified(node) ? [target, ...args] : args;
  const added = appendedItem(node);
  if (added) return planAppend(planner, added);
  const alternative = planAlternative(planner, node);
  if (alternative) return alternative;
  const overloads = planner.checked.overloadsOf(node);
  const run = planDispatch(
    overloads,
    values.map((value) => planner.checked.typeOf(value)),
  );
  const operands = values.map((value) => planNode(planner, value));
  const known = foldConversion(planner, name, operands, run) ?? foldMembership(planner, name, operands);
  // The function name may be qualified: `sets.contains`.
  const full = overloads[0]?.name ?? name;
  return known ?? planOperands(operands, run, { before: runPriceOf(full), after: resultPriceOf(full) });
}

const conversions: ReadonlySet<string> = new Set(
  'bool bytes double duration dyn int string timestamp type uint'.split(' '),
);

/** Converts a constant at compile time. Throws ExpressionError if the conversion fails. */
function foldConversion(
  planner: Planner,
  name: string,
  [operand, ...others]: readonly Evaluate[],
  run: Overload['run'],
): Evaluate | undefined {
  const value = operand && planner.constants.get(operand);
  if (value === undefined || others.length > 0 || !conversions.has(name)) return undefined;
  const converted = run(meterFor(foldingLimit), value);
  if (converted instanceof Failure) {
    throw new ExpressionError(`program instantiation failed: ${converted.message}`);
  }
  return planConstant(planner, converted);
}

/** The cost limit of the conversion of a constant. */
const foldingLimit = 1_000_000;

/** Plans `in` over a constant list, which costs nothing in kube-apiserver. */
function foldMembership(planner: Planner, name: string, [item, list]: readonly Evaluate[]): Evaluate | undefined {
  const values = list && planner.constants.get(list);
  if (name !== '@in' || !item || !(values instanceof CelList)) return undefined;
  if (values.size === 0) return planConstant(planner, false);
  const known = new Set<string>();
  for (let index = 0; index < values.size; index++) {
    const identity = constantIdentity(values.at(index));
    if (identity === undefined) return undefined;
    known.add(identity);
  }
  return (frame) => {
    const value = item(frame);
    return value instanceof Failure ? value : known.has(constantIdentity(value) ?? '');
  };
}

/** The identity of a constant: the identity of a map key, or a double. */
function constantIdentity(value: CelValue): string | undefined {
  return keyIdentity(value) ?? (typeof value === 'number' && !Number.isNaN(value) ? `d${value}` : undefined);
}

/** The prices of a call, and of its result. */
interface CallPrice {
  readonly before: ReturnType<typeof runPriceOf>;
  readonly after: ReturnType<typeof resultPriceOf>;
}

/**
 * Evaluates operands, charges and calls a function. Most have one or two operands, which need no
 * list.
 */
function planOperands(operands: readonly Evaluate[], run: Overload['run'], { before, after }: CallPrice): Evaluate {
  const [first, second] = operands;
  if (first && second && operands.length === 2) {
    return (frame) => {
      const left = first(frame);
      if (left instanceof Failure) return left;
      const right = second(frame);
      if (right instanceof Failure) return right;
      charge(frame, before(frame.meter, left, right));
      const result = run(frame.meter, left, right);
      if (after) charge(frame, after(result));
      return result;
    };
  }
  return (frame) => {
    const given: CelValue[] = [];
    for (const evaluate of operands) {
      const value = evaluate(frame);
      if (value instanceof Failure) return value;
      given.push(value);
    }
    charge(frame, before(frame.meter, given[0], given[1]));
    const result = run(frame.meter, ...given);
    if (after) charge(frame, after(result));
    return result;
  };
}

/** Calls the one signature that fits, or the first one that accepts the values. */
function planDispatch(overloads: readonly Overload[], given: readonly CelType[]): Overload['run'] {
  const [only] = overloads;
  const isFree = only?.parameters.every(({ kind }) => kind === 'variable') === true;
  if (only && overloads.length === 1 && (isFree || given.every(isStatic))) return only.run;
  const tested = overloads.map(({ parameters, run }) => ({ tests: parameters.map(acceptorOf), run }));
  return (meter, ...args) => {
    const found = tested.find(({ tests }) => tests.every((accepts, index) => accepts(args[index] ?? null)));
    return found ? found.run(meter, ...args) : failures.noOverload;
  };
}

/** Reports whether every value of a type is known to have it. */
function isStatic(type: CelType): boolean {
  if (type.kind === 'list') return isStatic(type.element);
  if (type.kind === 'map') return isStatic(type.key) && isStatic(type.value);
  if (type.kind === 'optional') return isStatic(type.value);
  return type.kind !== 'dyn' && type.kind !== 'error' && type.kind !== 'variable';
}

/** The item that a step of a loop adds to its result. */
function appendedItem({ name, args }: CallNode): Node | undefined {
  const [result, list] = args;
  if (name !== '_+_' || result?.kind !== 'ident' || result.name !== accumulator) return undefined;
  return list?.kind === 'list' && list.elements.length === 1 && list.optional.size === 0 ? list.elements[0] : undefined;
}

/** Adds an item in place: nothing but the loop sees its list yet. */
function planAppend(planner: Planner, item: Node): Evaluate {
  const evaluate = planNode(planner, item);
  const cost = (planner.constants.has(evaluate) ? 0 : makeCost.list) + 2 * readCost;
  const place = planner.places.get(accumulator) ?? 0;
  return (frame) => {
    const value = evaluate(frame);
    if (value instanceof Failure) return value;
    charge(frame, cost);
    const list = frame.values[place];
    if (list instanceof GrowingList) {
      list.add(value);
      return list;
    }
    return list instanceof Failure ? list : failures.noOverload;
  };
}

function planLogical(planner: Planner, [left, right]: readonly Node[], decisive: boolean): Evaluate {
  if (!left || !right) return planConstant(planner, failures.noOverload);
  const [first, second] = [planNode(planner, left), planNode(planner, right)];
  return (frame) => {
    const one = first(frame);
    if (one === decisive) return decisive;
    const two = second(frame);
    if (two === decisive) return decisive;
    if (typeof one === 'boolean' && typeof two === 'boolean') return !decisive;
    if (one instanceof Failure) return one;
    return two instanceof Failure ? two : failures.noOverload;
  };
}

function planConditional(planner: Planner, [condition, whenTrue, whenFalse]: readonly Node[]): Evaluate {
  if (!condition || !whenTrue || !whenFalse) return planConstant(planner, failures.noOverload);
  const test = planNode(planner, condition);
  const [yes, no] = [planBranch(planner, whenTrue), planBranch(planner, whenFalse)];
  return (frame) => {
    const value = test(frame);
    if (value === true) return yes(frame);
    if (value === false) return no(frame);
    return value instanceof Failure ? value : failures.noOverload;
  };
}

/** Plans a branch of a condition. If it is a path, reading its variable is free. */
function planBranch(planner: Planner, node: Node): Evaluate {
  const evaluate = planNode(planner, node);
  const isConditional = node.kind === 'call' && node.name === '_?_:_';
  if (isConditional || !isPath(node)) return evaluate;
  return (frame) => {
    frame.cost -= readCost;
    return evaluate(frame);
  };
}

/**
 * Plans `or` and `orValue`, which are free. They evaluate the argument only if the value is
 * missing.
 */
function planAlternative(planner: Planner, { name, target, args }: CallNode): Evaluate | undefined {
  const [other] = args;
  if (!target || !other || planner.checked.typeOf(target).kind !== 'optional') return undefined;
  if (name !== 'or' && name !== 'orValue') return undefined;
  const [first, second] = [planNode(planner, target), planNode(planner, other)];
  return (frame) => {
    const value = first(frame);
    if (value instanceof Failure) return value;
    if (!(value instanceof Optional)) return failures.noOverload;
    if (value.value === undefined) return second(frame);
    return name === 'or' ? value : value.value;
  };
}

/** A loop goes on after an error, which a later item may decide. */
function planLoopCondition(planner: Planner, [condition]: readonly Node[]): Evaluate {
  if (!condition) return planConstant(planner, failures.noOverload);
  const evaluate = planNode(planner, condition);
  return (frame) => {
    const value = evaluate(frame);
    charge(frame, readCost);
    return value !== false;
  };
}

function planPart(
  planner: Planner,
  [container, key]: readonly Node[],
  read: (value: CelValue, key: CelValue) => CelValue,
): Evaluate {
  if (!container || !key) return planConstant(planner, failures.noOverload);
  const [outer, inner] = [planNode(planner, container), planNode(planner, key)];
  const cost = partCost(container);
  return (frame) => {
    const value = outer(frame);
    if (value instanceof Failure) return value;
    const part = inner(frame);
    if (part instanceof Failure) return part;
    charge(frame, cost);
    return read(value, part);
  };
}

/** The units for an item and for an entry of a literal: the price of one has nothing for them. */
const [listItemWork, entryWork] = [16, 64];

function planList(planner: Planner, { elements, optional }: Node & { kind: 'list' }): Evaluate {
  const planned = elements.map((element) => planNode(planner, element));
  const known = planned.map((evaluate) => planner.constants.get(evaluate));
  const values = known.filter((value) => value !== undefined);
  if (values.length === planned.length && optional.size === 0) return planConstant(planner, listFrom(values));
  return listMaker(planned, optional);
}

/**
 * A separate function, because a closure inside `planList` would keep the syntax tree in memory.
 */
function listMaker(planned: readonly Evaluate[], optional: ReadonlySet<number>): Evaluate {
  return (frame) => {
    charge(frame, makeCost.list);
    spend(frame.meter, planned.length * listItemWork);
    const items: CelValue[] = [];
    for (const [index, evaluate] of planned.entries()) {
      const value = evaluate(frame);
      if (value instanceof Failure) return value;
      if (!optional.has(index)) items.push(value);
      else if (!(value instanceof Optional)) return failures.noOverload;
      else if (value.value !== undefined) items.push(value.value);
    }
    return listFrom(items);
  };
}

/** An entry of a map literal. */
interface PlannedEntry {
  readonly key: Evaluate;
  readonly value: Evaluate;
  readonly optional: boolean;
}

function planMap(planner: Planner, { entries }: Node & { kind: 'map' }): Evaluate {
  const planned = entries.map(({ key, value, optional }) => ({
    key: planNode(planner, key),
    value: planNode(planner, value),
    optional,
  }));
  const known = constantMap(planner, planned);
  return known ? planConstant(planner, known) : mapMaker(planned);
}

function mapMaker(planned: readonly PlannedEntry[]): Evaluate {
  return (frame) => {
    charge(frame, makeCost.map);
    spend(frame.meter, planned.length * entryWork);
    const made = new Map<string, readonly [CelValue, CelValue]>();
    for (const { key, value, optional } of planned) {
      const failure = addEntry(made, [key(frame), value(frame)], optional);
      if (failure) return failure;
    }
    return mapFrom(made);
  };
}

/** The map of constant entries; undefined if an entry is not constant or is invalid. */
function constantMap({ constants }: Planner, planned: readonly PlannedEntry[]): CelMap | undefined {
  const made = new Map<string, readonly [CelValue, CelValue]>();
  for (const { key, value, optional } of planned) {
    const [name, part] = [constants.get(key), constants.get(value)];
    if (name === undefined || part === undefined || addEntry(made, [name, part], optional)) return undefined;
  }
  return mapFrom(made);
}

function planStruct(planner: Planner, node: Node & { kind: 'struct' }): Evaluate {
  const type = planner.checked.typeOf(node);
  if (type.kind !== 'object') return planConstant(planner, failures.noOverload);
  const planned = node.fields.map(({ name, value, optional }) => {
    const declared = type.fields.get(name)?.type ?? types.dyn;
    return { name, evaluate: planNode(planner, value), accepts: acceptorOf(declared), optional };
  });
  return structMaker(type, planned);
}

/** A field of a message literal. */
interface PlannedField {
  readonly name: string;
  readonly evaluate: Evaluate;
  readonly accepts: ReturnType<typeof acceptorOf>;
  readonly optional: boolean;
}

function structMaker(type: CelType, planned: readonly PlannedField[]): Evaluate {
  return (frame) => {
    charge(frame, makeCost.struct);
    spend(frame.meter, planned.length * entryWork);
    const made = new Map<string, CelValue>();
    for (const { name, evaluate, accepts, optional } of planned) {
      const given = evaluate(frame);
      if (given instanceof Failure) return given;
      if (optional && !(given instanceof Optional)) return failures.noOverload;
      const value = optional && given instanceof Optional ? given.value : given;
      if (value === undefined) continue;
      if (!accepts(value)) return new Failure(`unexpected type ${typeNameOf(value)} for field '${name}'`);
      made.set(name, value);
    }
    return new CelObject(
      type,
      (field) => made.get(field),
      () => [...made.keys()],
    );
  };
}

function addEntry(
  made: Map<string, readonly [CelValue, CelValue]>,
  [key, value]: readonly [CelValue, CelValue],
  optional: boolean,
): Failure | undefined {
  if (key instanceof Failure) return key;
  if (value instanceof Failure) return value;
  const identity = typeof key === 'number' ? undefined : keyIdentity(key);
  if (identity === undefined) return new Failure('unsupported key type');
  if (optional && !(value instanceof Optional)) return failures.noOverload;
  const kept = optional && value instanceof Optional ? value.value : value;
  if (kept === undefined) return undefined;
  if (made.has(identity)) return new Failure(`Failed with repeated key: ${identity.slice(1)}`);
  made.set(identity, [key, kept]);
  return undefined;
}
