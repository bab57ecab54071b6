import { libraryTypes } from '../../identifiers/expression-types.ts';
import type { Environment } from '../functions/environment.ts';
import { functionKey, type Overload } from '../functions/library.ts';
import type { Fold, Node, StructField } from '../syntax/syntax-tree.ts';
import { qualifiedName } from '../syntax/parse.ts';
import { type Problem, problemLimit } from '../syntax/problem.ts';
import {
  type CelType,
  formatType,
  listOf,
  mapOf,
  type ObjectField,
  type ObjectType,
  types,
} from '../types/cel-type.ts';
import {
  assign,
  attempt,
  type Bindings,
  makeBindings,
  mapParts,
  resolveType,
  sameType,
  widerType,
} from '../types/unify.ts';
import { namedTypes } from '../types/named-types.ts';

/** The functions, variables and messages that expressions may use. */
export interface Declarations {
  readonly environment: Environment;
  /** The types of variables. */
  readonly variables: ReadonlyMap<string, CelType>;
  /** True if lists and maps may have values of several types. */
  readonly mixedLiterals?: boolean;
  /**
   * Returns the type of a message that expressions may construct, by name; absent: there are none.
   */
  readonly messages?: (name: string) => ObjectType | undefined;
}

/** An expression whose types are known. */
export interface CheckedExpression {
  readonly root: Node;
  /** Free variables of types are dyn. */
  readonly typeOf: (node: Node) => CelType;
  /** The signatures that a call may have; none for operators that are no calls. */
  readonly overloadsOf: (node: Node) => readonly Overload[];
  /** True if the name of a call is qualified, so that its target is no value. */
  readonly isQualified: (node: Node) => boolean;
}

/** The state of a check. */
interface Checker {
  readonly declarations: Declarations;
  readonly problems: Problem[];
  readonly typesOf: Map<Node, CelType>;
  readonly overloadsOf: Map<Node, readonly Overload[]>;
  readonly qualified: Set<Node>;
  readonly bindings: Bindings;
  freeVariables: number;
}

type Scope = ReadonlyMap<string, CelType>;

/** Finds the types of all parts of an expression, or the reasons why it has none. */
export function check(root: Node, declarations: Declarations): CheckedExpression | readonly Problem[] {
  const checker: Checker = {
    declarations,
    problems: [],
    typesOf: new Map(),
    overloadsOf: new Map(),
    qualified: new Set(),
    bindings: makeBindings(),
    freeVariables: 0,
  };
  checkNode(checker, root, new Map());
  if (checker.problems.length > 0) return checker.problems;
  const { typesOf, overloadsOf, qualified, bindings } = checker;
  return {
    root,
    typeOf: (node) => resolveType(bindings, typesOf.get(node) ?? types.dyn, 'dyn'),
    overloadsOf: (node) => overloadsOf.get(node) ?? [],
    isQualified: (node) => qualified.has(node),
  };
}

function report({ problems }: Checker, at: number, message: string): CelType {
  if (problems.length < problemLimit) problems.push({ at, message });
  return types.error;
}

function undeclared(checker: Checker, at: number, name: string): CelType {
  return report(checker, at, `undeclared reference to '${name}' (in container '')`);
}

function freeVariable(checker: Checker): CelType {
  return { kind: 'variable', name: `_var${checker.freeVariables++}` };
}

/** The type of an expression, recorded. */
function checkNode(checker: Checker, node: Node, scope: Scope): CelType {
  const type = findType(checker, node, scope);
  checker.typesOf.set(node, type);
  return type;
}

function findType(checker: Checker, node: Node, scope: Scope): CelType {
  if (node.kind === 'literal') return literalType(node.value);
  if (node.kind === 'ident') {
    return variableType(checker, node.name, scope) ?? undeclared(checker, node.at, node.name);
  }
  if (node.kind === 'select') return checkSelect(checker, node, scope);
  if (node.kind === 'call') return checkCall(checker, node, scope);
  if (node.kind === 'list') return checkList(checker, node, scope);
  if (node.kind === 'map') return checkMap(checker, node, scope);
  return node.kind === 'fold' ? checkFold(checker, node, scope) : checkStruct(checker, node, scope);
}

function checkStruct(checker: Checker, node: Node & { kind: 'struct' }, scope: Scope): CelType {
  const name = node.name.replace(/^\./, '');
  const type = checker.declarations.messages?.(name);
  if (!type) {
    return namedTypes.has(name)
      ? report(checker, node.at, `'${name}' is not a message type`)
      : undeclared(checker, node.at, name);
  }
  for (const field of node.fields) checkField(checker, type, field, checkNode(checker, field.value, scope));
  return type;
}

/** Checks that the value of a field has the type that the message declares. */
function checkField(checker: Checker, type: ObjectType, field: StructField, given: CelType): void {
  const { at, name } = field;
  if (!type.fields.has(name) && !type.otherFields) {
    const shown = formatType(resolveType(checker.bindings, given));
    report(checker, at, `expected type of field '${name}' is '' but provided type is '${shown}'`);
    return;
  }
  const wanted = fieldType(checker, { at, field: name }, type);
  const value = field.optional ? optionalValue(checker, field.value, given) : given;
  if (tryAssign(checker, wanted, value)) return;
  const [left, right] = [wanted, value].map((one) => formatType(resolveType(checker.bindings, one)));
  report(checker, at, `expected type of field '${name}' is '${left}' but provided type is '${right}'`);
}

function literalType(value: (Node & { kind: 'literal' })['value']): CelType {
  if (value === null) return types.null;
  if (value instanceof Uint8Array) return types.bytes;
  return literalTypes[typeof value] ?? types.uint;
}

const literalTypes: Readonly<Record<string, CelType>> = {
  bigint: types.int,
  boolean: types.bool,
  number: types.double,
  string: types.string,
};

function variableType({ declarations }: Checker, name: string, scope: Scope): CelType | undefined {
  const global = name.replace(/^\./, '');
  const known = scope.get(name) ?? declarations.variables.get(global) ?? namedTypes.get(global);
  if (known) return known;
  const message = declarations.messages?.(global);
  return message && { kind: 'type', of: message };
}

/** Fields of objects, values of maps, and the parts of an optional value. */
function checkSelect(checker: Checker, node: Node & { kind: 'select' }, scope: Scope): CelType {
  const name = qualifiedName(node);
  const global = name === undefined || isLocal(name, scope) ? undefined : variableType(checker, name, new Map());
  if (global) {
    checker.qualified.add(node);
    return global;
  }
  const operand = checkNode(checker, node.operand, scope);
  const type = fieldType(checker, node, operand);
  return node.testOnly ? types.bool : type;
}

/** Reports whether the first part of a qualified name is a variable of a loop. */
function isLocal(name: string, scope: Scope): boolean {
  return scope.has(name.split('.', 1)[0] ?? '');
}

function fieldType(checker: Checker, node: { readonly at: number; readonly field: string }, operand: CelType): CelType {
  const type = resolveType(checker.bindings, operand);
  if (type.kind === 'map') return type.value;
  if (type.kind === 'object') {
    const field = type.fields.get(node.field) ?? keywordField(checker, type, node.field);
    return field?.type ?? type.otherFields ?? report(checker, node.at, `undefined field '${node.field}'`);
  }
  if (type.kind === 'optional') return optionalOf(fieldType(checker, node, type.value));
  if (type.kind === 'variable') assign(checker.bindings, types.dyn, type);
  if (isOpen(type)) return types.dyn;
  // cel-go has another message for library types, which its type provider does not know.
  const problem =
    type.kind === 'opaque' && type.name.startsWith(libraryTypes)
      ? `unexpected failed resolution of '${type.name}'`
      : `type '${formatType(type)}' does not support field selection`;
  return report(checker, node.at, problem);
}

/** The field of a keyword. Among the declared fields its name is escaped. */
function keywordField({ declarations }: Checker, { fields }: ObjectType, name: string): ObjectField | undefined {
  return declarations.environment.readsKeywords ? fields.get(`__${name}__`) : undefined;
}

/** Reports whether nothing is known of a type. */
function isOpen({ kind }: CelType): boolean {
  return kind === 'variable' || kind === 'dyn' || kind === 'error';
}

function optionalOf(value: CelType): CelType {
  return value.kind === 'optional' ? value : { kind: 'optional', value };
}

type CallNode = Node & { readonly kind: 'call' };

function checkCall(checker: Checker, node: CallNode, scope: Scope): CelType {
  const { name, target, args } = node;
  if (name === '_&&_' || name === '_||_') return checkLogical(checker, node, scope);
  if (name === '_?._') return checkOptionalSelect(checker, node, scope);
  const { functions } = checker.declarations.environment;
  const qualifier = target && qualifiedName(target);
  const qualified = qualifier === undefined ? undefined : functions.get(`${qualifier.replace(/^\./, '')}.${name}`);
  if (qualified && !isLocal(qualifier ?? '', scope)) {
    checker.qualified.add(node);
    return resolveCall(checker, node, qualified, { types: args.map((arg) => checkNode(checker, arg, scope)) });
  }
  const receiver = target && checkNode(checker, target, scope);
  const given = args.map((arg) => checkNode(checker, arg, scope));
  const plain = name.replace(/^\./, '');
  const overloads = functions.get(functionKey(plain, receiver !== undefined));
  if (!overloads && !functions.has(functionKey(plain, receiver === undefined))) {
    return undeclared(checker, node.at, plain);
  }
  const all = receiver ? [receiver, ...given] : given;
  return resolveCall(checker, node, overloads ?? [], { types: all, ...(receiver ? { receiver } : {}) });
}

/** Both sides are conditions. */
function checkLogical(checker: Checker, node: CallNode, scope: Scope): CelType {
  for (const arg of node.args) {
    checkNode(checker, arg, scope);
    expectType(checker, arg, types.bool);
  }
  return types.bool;
}

function expectType(checker: Checker, node: Node, wanted: CelType): void {
  const given = checker.typesOf.get(node) ?? types.dyn;
  if (tryAssign(checker, wanted, given)) return;
  const [left, right] = [wanted, given].map((type) => formatType(resolveType(checker.bindings, type)));
  report(checker, node.at, `expected type '${left}' but found '${right}'`);
}

/** Assigns, and keeps the bindings only if that is possible. */
function tryAssign({ bindings }: Checker, wanted: CelType, given: CelType): boolean {
  return attempt(bindings, () => assign(bindings, wanted, given));
}

function checkOptionalSelect(checker: Checker, { args, at }: CallNode, scope: Scope): CelType {
  const [operand, field] = args;
  if (!operand || field?.kind !== 'literal' || typeof field.value !== 'string') return types.error;
  checkNode(checker, field, scope);
  const type = checkNode(checker, operand, scope);
  return optionalOf(fieldType(checker, { at, field: field.value }, type));
}

/** Chooses the signatures that fit. The result is dyn if they differ. */
function resolveCall(
  checker: Checker,
  node: CallNode,
  overloads: readonly Overload[],
  given: { readonly types: readonly CelType[]; readonly receiver?: CelType },
): CelType {
  const fitting: Overload[] = [];
  let result: CelType | undefined;
  for (const overload of overloads) {
    const found = fit(checker, overload, given.types);
    if (!found) continue;
    fitting.push(overload);
    if (result && !sameType(resolveType(checker.bindings, result), resolveType(checker.bindings, found))) {
      result = types.dyn;
    } else result ??= found;
  }
  checker.overloadsOf.set(node, fitting);
  return result ?? report(checker, node.at, noOverload(checker, node.name, given));
}

function fit(checker: Checker, overload: Overload, given: readonly CelType[]): CelType | undefined {
  if (overload.parameters.length !== given.length) return undefined;
  const fresh = new Map<string, CelType>();
  const parameters = overload.parameters.map((type) => instantiate(checker, type, fresh));
  const { bindings } = checker;
  const isFitting = attempt(bindings, () =>
    parameters.every((type, index) => assign(bindings, type, given[index] ?? types.dyn)),
  );
  if (!isFitting) return undefined;
  return resolveType(bindings, instantiate(checker, overload.result, fresh));
}

/** A type with its parameters replaced by new variables. */
function instantiate(checker: Checker, type: CelType, fresh: Map<string, CelType>): CelType {
  if (type.kind !== 'variable') return mapParts(type, (part) => instantiate(checker, part, fresh));
  const variable = fresh.get(type.name) ?? freeVariable(checker);
  fresh.set(type.name, variable);
  return variable;
}

function noOverload(
  { bindings }: Checker,
  name: string,
  { types: given, receiver }: { readonly types: readonly CelType[]; readonly receiver?: CelType },
): string {
  const shown = given.map((type) => formatType(resolveType(bindings, type)));
  const args = receiver ? `${shown[0]}.(${shown.slice(1).join(', ')})` : `(${shown.join(', ')})`;
  return `found no matching overload for '${name.replace(/^\./, '')}' applied to '${args}'`;
}

function checkList(checker: Checker, { elements, optional }: Node & { kind: 'list' }, scope: Scope): CelType {
  let joined: CelType | undefined;
  for (const [index, element] of elements.entries()) {
    const given = checkNode(checker, element, scope);
    joined = joinTypes(checker, element, joined, optional.has(index) ? optionalValue(checker, element, given) : given);
  }
  return listOf(joined ?? freeVariable(checker));
}

function checkMap(checker: Checker, { entries }: Node & { kind: 'map' }, scope: Scope): CelType {
  let [keys, values]: (CelType | undefined)[] = [];
  for (const { key, value, optional } of entries) {
    keys = joinTypes(checker, key, keys, checkNode(checker, key, scope));
    const given = checkNode(checker, value, scope);
    values = joinTypes(checker, value, values, optional ? optionalValue(checker, value, given) : given);
  }
  return mapOf(keys ?? freeVariable(checker), values ?? freeVariable(checker));
}

/** The type of the value of an optional element. */
function optionalValue(checker: Checker, node: Node, given: CelType): CelType {
  const value = freeVariable(checker);
  const wanted: CelType = { kind: 'optional', value };
  if (tryAssign(checker, wanted, given)) return value;
  const shown = formatType(resolveType(checker.bindings, given));
  return report(checker, node.at, `expected type 'optional_type(${shown})' but found '${shown}'`);
}

function joinTypes(checker: Checker, node: Node, joined: CelType | undefined, given: CelType): CelType {
  if (!joined) return given;
  if (tryAssign(checker, joined, given)) {
    return widerType(resolveType(checker.bindings, joined), resolveType(checker.bindings, given));
  }
  if (checker.declarations.mixedLiterals || checker.declarations.environment.checksLiterals) return types.dyn;
  const [left, right] = [joined, given].map((type) => formatType(resolveType(checker.bindings, type)));
  report(checker, node.at, `expected type '${left}' but found '${right}'`);
  return joined;
}

function checkFold(checker: Checker, node: Node & Fold, scope: Scope): CelType {
  const range = checkNode(checker, node.range, scope);
  const [first, second] = loopTypes(checker, node, range);
  const accumulated = checkNode(checker, node.accuInit, scope);
  const outer = new Map(scope).set(node.accuVar, accumulated);
  const inner = new Map(outer).set(node.iterVar, first);
  if (node.iterVar2 !== '') inner.set(node.iterVar2, second);
  checkNode(checker, node.condition, inner);
  expectType(checker, node.condition, types.bool);
  checkNode(checker, node.step, inner);
  expectType(checker, node.step, accumulated);
  return resolveType(checker.bindings, checkNode(checker, node.result, outer));
}

/** The types of the variables of a loop. */
function loopTypes(checker: Checker, node: Fold, range: CelType): readonly [CelType, CelType] {
  const type = resolveType(checker.bindings, range);
  const hasTwo = node.iterVar2 !== '';
  if (type.kind === 'list') return hasTwo ? [types.int, type.element] : [type.element, types.dyn];
  if (type.kind === 'map') return [type.key, type.value];
  if (type.kind === 'variable') assign(checker.bindings, types.dyn, type);
  if (isOpen(type)) return [types.dyn, types.dyn];
  const why = 'cannot be range of a comprehension (must be list, map, or dynamic)';
  const failed = report(checker, node.range.at, `expression of type '${formatType(type)}' ${why}`);
  return [failed, failed];
}
