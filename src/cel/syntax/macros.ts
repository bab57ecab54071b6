import { accumulator, type Fold, makeCall, makeIdent, makeLiteral, makeNode, type Node } from './syntax-tree.ts';
import { SyntaxProblem } from './problem.ts';

/** A call as it was written. `at` is the offset of its parenthesis. */
export interface MacroCall {
  readonly at: number;
  readonly name: string;
  readonly target: Node | undefined;
  readonly args: readonly Node[];
}

/** A call of a macro of a value, such as `list.all(...)`. */
interface ValueMacro {
  readonly at: number;
  readonly target: Node;
  readonly args: readonly [Node, ...Node[]];
}

type Expand = (call: ValueMacro) => Node;

/**
 * The expansion of a call if it is one of the allowed macros; otherwise undefined. Throws
 * SyntaxProblem.
 */
export function expandMacro({ at, name, target, args }: MacroCall, allowed: ReadonlySet<MacroName>): Node | undefined {
  if (name === 'has' && !target && args.length === 1) return presence(at, args[0]);
  const [first, ...rest] = args;
  if (!target || !first) return undefined;
  if (name === 'bind' && args.length === 3 && target.kind === 'ident' && target.name === 'cel') {
    return allowed.has('cel.bind/3') ? bind(at, variableOf(first), args.slice(1)) : undefined;
  }
  const key = `${name}/${args.length}`;
  return isMacro(key) && allowed.has(key) ? macros[key]({ at, target, args: [first, ...rest] }) : undefined;
}

function isMacro(key: string): key is keyof typeof macros {
  return Object.hasOwn(macros, key);
}

function presence(at: number, field: Node | undefined): Node {
  if (field?.kind !== 'select' || field.testOnly) {
    throw new SyntaxProblem(field?.at ?? at, 'invalid argument to has() macro');
  }
  return makeNode(at, { ...field, testOnly: true });
}

function bind(at: number, name: string, [value, result]: readonly Node[]): Node {
  if (!value || !result) throw new SyntaxProblem(at, 'cel.bind() needs a value and an expression');
  return fold(at, {
    range: makeNode(at, { kind: 'list', elements: [], optional: new Set() }),
    iterVar: '#unused',
    accuVar: name,
    accuInit: value,
    condition: makeLiteral(at, false),
    step: makeIdent(at, name),
    result,
  });
}

function fold(at: number, parts: Omit<Fold, 'kind' | 'iterVar2' | 'accuVar'> & Partial<Fold>): Node {
  return makeNode(at, { iterVar2: '', accuVar: accumulator, ...parts, kind: 'fold' });
}

/** The former name of the accumulator, which remains reserved. */
const publicAccumulator = '__result__';

function variableOf(node: Node): string {
  if (node.kind !== 'ident') throw new SyntaxProblem(node.at, 'argument is not an identifier');
  if (node.name === accumulator || node.name === publicAccumulator)
    throw new SyntaxProblem(node.at, 'iteration variable overwrites accumulator variable');
  return node.name;
}

/** One variable of a loop, or two; the other arguments follow. */
function variables(args: readonly Node[], count: number): Pick<Fold, 'iterVar' | 'iterVar2'> {
  const [first = '', second = ''] = args.slice(0, count).map(variableOf);
  const [one, two] = args;
  if (count === 2 && first === second && one && two) {
    throw new SyntaxProblem(two.at, `duplicate variable name: ${second}`);
  }
  return { iterVar: first, iterVar2: second };
}

function last(args: readonly [Node, ...Node[]], fromEnd = 1): Node {
  return args.at(-fromEnd) ?? args[0];
}

const accu = (at: number): Node => makeIdent(at, accumulator);

/** A fold over items with `&&`, which stops at the first false, or with `||`. */
function joinedItems(count: number, operator: '_&&_' | '_||_'): Expand {
  const isEvery = operator === '_&&_';
  return ({ at, target, args }) =>
    fold(at, {
      ...variables(args, count),
      range: target,
      accuInit: makeLiteral(at, isEvery),
      condition: makeCall(at, '@not_strictly_false', [isEvery ? accu(at) : makeCall(at, '!_', [accu(at)])]),
      step: makeCall(at, operator, [accu(at), last(args)]),
      result: accu(at),
    });
}

function oneItem(count: number): Expand {
  return ({ at, target, args }) =>
    fold(at, {
      ...variables(args, count),
      range: target,
      accuInit: makeLiteral(at, 0n),
      condition: makeLiteral(at, true),
      step: makeCall(at, '_?_:_', [last(args), makeCall(at, '_+_', [accu(at), makeLiteral(at, 1n)]), accu(at)]),
      result: makeCall(at, '_==_', [accu(at), makeLiteral(at, 1n)]),
    });
}

/** A loop that adds to a list or map: all items, or those that meet the condition. */
function collect(
  count: number,
  isFiltered: boolean,
  { init, add }: { readonly init: (at: number) => Node; readonly add: (at: number, args: ValueMacro['args']) => Node },
): Expand {
  return ({ at, target, args }) => {
    const step = add(at, args);
    const condition = args[count];
    return fold(at, {
      ...variables(args, count),
      range: target,
      accuInit: init(at),
      condition: makeLiteral(at, true),
      step: isFiltered && condition ? makeCall(at, '_?_:_', [condition, step, accu(at)]) : step,
      result: accu(at),
    });
  };
}

const emptyList = (at: number): Node => makeNode(at, { kind: 'list', elements: [], optional: new Set() });
const emptyMap = (at: number): Node => makeNode(at, { kind: 'map', entries: [] });

function addToList(at: number, item: Node): Node {
  const added = makeNode(at, { kind: 'list', elements: [item], optional: new Set() });
  return makeCall(at, '_+_', [accu(at), added]);
}

const toList = { init: emptyList, add: (at: number, args: ValueMacro['args']) => addToList(at, last(args)) };
const sameItems = {
  init: emptyList,
  add: (at: number, args: ValueMacro['args']) => addToList(at, makeIdent(at, variableOf(args[0]))),
};
const toMap = {
  init: emptyMap,
  add: (at: number, args: ValueMacro['args']) =>
    makeCall(at, 'cel.@mapInsert', [accu(at), makeIdent(at, variableOf(args[0])), last(args)]),
};
const toEntries = {
  init: emptyMap,
  add: (at: number, args: ValueMacro['args']) => makeCall(at, 'cel.@mapInsert', [accu(at), last(args)]),
};

/** The variable of an optional value. No text can name it. */
const optionalVariable = '@optional';

/**
 * `optional.optMap(x, expression)`: the expression over the value, if there is one. The optional
 * value is bound, so that it is computed once.
 */
function mapOptional(wrap: boolean): Expand {
  return ({ at, target, args }) => {
    const optional = makeIdent(at, optionalVariable);
    const value = bind(at, variableOf(args[0]), [makeCall(at, 'value', [], optional), last(args)]);
    const result = makeCall(at, '_?_:_', [
      makeCall(at, 'hasValue', [], optional),
      wrap ? makeCall(at, 'of', [value], makeIdent(at, 'optional')) : value,
      makeCall(at, 'none', [], makeIdent(at, 'optional')),
    ]);
    return bind(at, optionalVariable, [target, result]);
  };
}

/** The internal variable of the sorted list. Its name is not valid in an expression. */
const sortedVariable = '@sorted';

/** `list.sortBy(x, key)`. The list is bound to a variable, so that it is computed only once. */
function sortBy(call: ValueMacro): Node {
  const { at, target } = call;
  const sorted = makeIdent(at, sortedVariable);
  const keys = collect(1, false, toList)({ ...call, target: sorted });
  return bind(at, sortedVariable, [target, makeCall(at, '@sortByAssociatedKeys', [keys], sorted)]);
}

/** The macros by name and number of arguments. */
const macros = Object.freeze({
  'all/2': joinedItems(1, '_&&_'),
  'all/3': joinedItems(2, '_&&_'),
  'exists/2': joinedItems(1, '_||_'),
  'exists/3': joinedItems(2, '_||_'),
  'exists_one/2': oneItem(1),
  'exists_one/3': oneItem(2),
  'existsOne/2': oneItem(1),
  'existsOne/3': oneItem(2),
  'map/2': collect(1, false, toList),
  'map/3': collect(1, true, toList),
  'filter/2': collect(1, true, sameItems),
  'transformList/3': collect(2, false, toList),
  'transformList/4': collect(2, true, toList),
  'transformMap/3': collect(2, false, toMap),
  'transformMap/4': collect(2, true, toMap),
  'transformMapEntry/3': collect(2, false, toEntries),
  'transformMapEntry/4': collect(2, true, toEntries),
  'optMap/2': mapOptional(true),
  'optFlatMap/2': mapOptional(false),
  'sortBy/2': sortBy,
} satisfies Record<string, Expand>);

/** The name of a macro with the number of its arguments. `has` is always allowed. */
export type MacroName = keyof typeof macros | 'cel.bind/3';
