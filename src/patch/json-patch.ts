import { performance } from 'node:perf_hooks';
import { type MaybeAsync, type MaybePromise, runMaybeAsync } from '../async/maybe-promise.ts';
import { yieldIfLong } from '../async/yield-if-long.ts';
import { getOwn, type JsonObject, type JsonValue, setOwn } from '../meta/json-value.ts';
import {
  cutPointer,
  type JsonPatchOperation,
  operationLimit,
  type PatchBudget,
  type Pointer,
  readJsonPatch,
} from './json-patch-operation.ts';
import { checkDepth, copyBounded, type CopyBudget, newCopyBudget } from './patch-limits.ts';
import { PatchError } from './patch-error.ts';

type Container = JsonValue[] | JsonObject;

/**
 * A document while it is patched. The original is never changed: a container is copied before its
 * first change.
 */
interface Draft {
  root: JsonValue;
  /** Containers that were created by this patch and may be changed in place. */
  readonly owned: Set<Container>;
  readonly copies: CopyBudget;
  /** The number of list items that inserts and removals have moved so far. */
  shifts: number;
}

/**
 * The limit of `shifts`. Without it, thousands of inserts at the head of a huge list would take
 * seconds.
 */
const shiftLimit = 100_000_000;

function fail(message: string): never {
  throw new PatchError('failed', message);
}

/** The role of a pointer in an operation, for its errors. */
type Role = 'add' | 'remove' | 'replace' | 'test' | 'move from' | 'move to' | 'copy from' | 'copy to';

/** The error messages of an operation, as in kube-apiserver. */
interface ErrorWords {
  /** The message for a pointer whose container does not exist. */
  readonly path: (text: string) => string;
  /** The message for a pointer whose container exists, but not its member. */
  readonly member: (text: string, key: string) => string;
}

const quotedPath = (op: string): ErrorWords => ({
  path: (text) => `${op} operation does not apply: doc is missing path: "${text}"`,
  member: (text) => `error in ${op} for path: '${text}': `,
});

const errorWords: Readonly<Record<Role, ErrorWords>> = {
  add: quotedPath('add'),
  remove: quotedPath('remove'),
  replace: {
    path: (text) => `replace operation does not apply: doc is missing path: ${text}`,
    member: (text) => `replace operation does not apply: doc is missing key: ${text}: `,
  },
  test: {
    path: (text) => `test operation does not apply: is missing path: ${text}`,
    member: (text) => `error in test for path: '${text}': `,
  },
  'move from': {
    path: (text) => `move operation does not apply: doc is missing from path: ${text}`,
    member: (_, key) => `error in move for path: '${key}': `,
  },
  'move to': {
    path: (text) => `move operation does not apply: doc is missing destination path: ${text}`,
    member: (text) => `error in move for path: '${text}': `,
  },
  'copy from': {
    path: (text) => `copy operation does not apply: doc is missing from path: ${text}`,
    member: (text) => `error in copy for from: '${text}': `,
  },
  'copy to': {
    path: (text) => `copy operation does not apply: doc is missing destination path: ${text}`,
    member: () => 'error while adding value during copy: ',
  },
};

function missing(role: Role, { text }: Pointer): never {
  fail(`${errorWords[role].path(cutPointer(text))}: missing value`);
}

/** The parent exists, but not its member. */
function missingItem(role: Role, { text }: Pointer, isList: boolean, step: string): never {
  const key = cutPointer(step);
  const why =
    role === 'replace'
      ? 'missing value'
      : isList
        ? badIndex(role, key)
        : `Unable to remove nonexistent key: ${key}: missing value`;
  fail(`${errorWords[role].member(cutPointer(text), key)}${why}`);
}

function badIndex(role: Role, key: string): string {
  const index = indexOf(key);
  if (index !== undefined) return `Unable to access invalid index: ${index}: invalid index referenced`;
  const why = `strconv.Atoi: parsing "${key}": invalid syntax`;
  const adds = role === 'add' || role === 'move to' || role === 'copy to';
  return adds ? `value was not a proper array index: '${key}': ${why}` : why;
}

function isContainer(value: JsonValue | undefined): value is Container {
  return typeof value === 'object' && value !== null;
}

/**
 * Parses a step as a list index; undefined if it is not a number. A sign and leading zeros are
 * accepted as in kube-apiserver, although RFC 6901 forbids them.
 */
function indexOf(step: string): number | undefined {
  return /^[+-]?[0-9]+$/.test(step) ? Number(step) : undefined;
}

/**
 * Resolves a step to an index from 0 up to, but not including, `end`; undefined if it is out of
 * range. A negative index counts back from `end`.
 */
function placeBelow(end: number, step: string): number | undefined {
  const index = indexOf(step);
  const place = index === undefined || index >= 0 ? index : index + end;
  return place !== undefined && place >= 0 && place < end ? place : undefined;
}

function child(container: Container, step: string): JsonValue | undefined {
  if (!Array.isArray(container)) return getOwn(container, step);
  const place = placeBelow(container.length, step);
  return place === undefined ? undefined : container[place];
}

/** The value of a pointer; undefined for a member that its object lacks. */
function find(draft: Draft, role: Role, pointer: Pointer): JsonValue | undefined {
  const { steps } = pointer;
  const last = steps.at(-1);
  if (last === undefined) return draft.root;
  let value = draft.root;
  for (const step of steps.slice(0, -1)) {
    const next = isContainer(value) ? child(value, step) : undefined;
    if (next === undefined) missing(role, pointer);
    value = next;
  }
  if (!isContainer(value)) missing(role, pointer);
  const found = child(value, last);
  if (found === undefined && Array.isArray(value)) missingItem(role, pointer, true, last);
  return found;
}

function writable(draft: Draft, container: Container): Container {
  if (draft.owned.has(container)) return container;
  const copy = Array.isArray(container) ? [...container] : { ...container };
  draft.owned.add(copy);
  return copy;
}

function assign(container: Container, step: string, value: JsonValue): void {
  if (!Array.isArray(container)) setOwn(container, step, value);
  else container[placeBelow(container.length, step) ?? container.length] = value;
}

/**
 * Returns the container of the last step. It and all containers above it are copied if necessary,
 * so that the caller may change it in place.
 */
function findParent(draft: Draft, role: Role, pointer: Pointer): Container {
  if (pointer.steps.length === 0 || !isContainer(draft.root)) missing(role, pointer);
  let parent = writable(draft, draft.root);
  draft.root = parent;
  for (const step of pointer.steps.slice(0, -1)) {
    const next = child(parent, step);
    if (!isContainer(next)) missing(role, pointer);
    const copy = writable(draft, next);
    if (copy !== next) assign(parent, step, copy);
    parent = copy;
  }
  return parent;
}

/**
 * Inserts and deletes list items, within the budget of `shiftLimit`. Throws `PatchError`
 * `tooLarge`.
 */
function splice(draft: Draft, list: JsonValue[], index: number, deleteCount: number, ...items: JsonValue[]): void {
  draft.shifts += list.length - index;
  if (draft.shifts > shiftLimit) throw new PatchError('tooLarge', 'the patch moves too many list items');
  list.splice(index, deleteCount, ...items);
}

function add(draft: Draft, role: Role, pointer: Pointer, value: JsonValue): void {
  const parent = findParent(draft, role, pointer);
  const step = pointer.steps.at(-1) ?? '';
  if (!Array.isArray(parent)) {
    setOwn(parent, step, value);
    return;
  }
  const index = step === '-' ? parent.length : placeBelow(parent.length + 1, step);
  if (index === undefined) missingItem(role, pointer, true, step);
  splice(draft, parent, index, 0, value);
}

function remove(draft: Draft, role: Role, pointer: Pointer): JsonValue {
  const parent = findParent(draft, role, pointer);
  const step = pointer.steps.at(-1) ?? '';
  const value = child(parent, step);
  if (value === undefined) missingItem(role, pointer, Array.isArray(parent), step);
  if (Array.isArray(parent)) splice(draft, parent, placeBelow(parent.length, step) ?? 0, 1);
  else delete parent[step];
  return value;
}

function replace(draft: Draft, pointer: Pointer, value: JsonValue): void {
  const step = pointer.steps.at(-1);
  if (pointer.text === '') {
    draft.root = value;
    return;
  }
  const parent = findParent(draft, 'replace', pointer);
  // kube-apiserver adds a missing member, although RFC 6902 refuses it. Clients rely on this to
  // reset managedFields.
  if (Array.isArray(parent) && child(parent, step ?? '') === undefined)
    missingItem('replace', pointer, true, step ?? '');
  assign(parent, step ?? '', value);
}

/**
 * Removes the value and adds it, as kube-apiserver does, also if `to` is inside `from`: RFC 6902
 * refuses that, but in a list `to` is then inside the next item.
 */
function move(draft: Draft, from: Pointer, to: Pointer): void {
  add(draft, 'move to', to, remove(draft, 'move from', from));
}

/**
 * Returns a copy of the value. A missing member is copied as null, as in kube-apiserver, although
 * RFC 6902 refuses it.
 */
function copied(draft: Draft, from: Pointer): JsonValue {
  if (from.steps.length === 0) missing('copy from', from);
  const value = find(draft, 'copy from', from);
  return value === undefined ? null : copyBounded(value, draft.copies);
}

/**
 * A missing member equals null in kube-apiserver, although RFC 6902 fails the test. Clients use
 * this to guard a patch that adds the member.
 */
function test(draft: Draft, pointer: Pointer, expected: JsonValue): void {
  if (pointer.text !== '' && pointer.steps.length === 0) missing('test', pointer);
  const value = find(draft, 'test', pointer) ?? null;
  if (!jsonEquals(value, expected)) {
    throw new PatchError('untrue', `testing value ${cutPointer(pointer.text)} failed: test failed`);
  }
}

function apply(draft: Draft, operation: JsonPatchOperation): void {
  const { path } = operation;
  switch (operation.op) {
    case 'add':
      return add(draft, 'add', path, operation.value);
    case 'remove':
      remove(draft, 'remove', path);
      return;
    case 'replace':
      return replace(draft, path, operation.value);
    case 'move':
      return move(draft, operation.from, path);
    case 'copy':
      return add(draft, 'copy to', path, copied(draft, operation.from));
    case 'test':
      return test(draft, path, operation.value);
  }
}

/**
 * Applies a JSON Patch (RFC 6902) and returns the result. The value and the patch are not changed;
 * the result shares unchanged parts with them. Either all operations are applied or none. Throws
 * `PatchError`.
 */
export function applyJsonPatch(value: JsonValue, patch: JsonValue): JsonValue {
  const work = patchSteps(value, patch, { limit: operationLimit, rest: () => undefined });
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value;
  }
}

/** Applies a patch of any number of operations, as `applyJsonPatch`, and yields between them. */
export function applyLongPatch(value: JsonValue, patch: JsonValue): MaybePromise<JsonValue> {
  let startMs = performance.now();
  const rest = (): MaybePromise<void> => yieldIfLong(startMs)?.then(() => void (startMs = performance.now()));
  return runMaybeAsync(patchSteps(value, patch, { limit: Number.POSITIVE_INFINITY, rest }));
}

function* patchSteps(value: JsonValue, patch: JsonValue, budget: PatchBudget): MaybeAsync<void, JsonValue> {
  const operations = yield* readJsonPatch(patch, budget);
  const draft: Draft = { root: value, owned: new Set(), copies: newCopyBudget(), shifts: 0 };
  for (const operation of operations) {
    apply(draft, operation);
    yield budget.rest();
  }
  checkDepth(draft.root);
  return draft.root;
}

function objectEquals(a: JsonObject, b: JsonObject): boolean {
  const keys = Object.keys(a);
  if (keys.length !== Object.keys(b).length) return false;
  return keys.every((key) => {
    const [left, right] = [getOwn(a, key), getOwn(b, key)];
    return left !== undefined && right !== undefined && jsonEquals(left, right);
  });
}

/**
 * Compares two JSON values (RFC 6902, section 4.6). The order of keys does not matter, the order of
 * list items does, and numbers are compared by value. Takes time linear in the smaller value.
 */
function jsonEquals(a: JsonValue, b: JsonValue): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false;
    return a.every((item, i) => {
      const other = b[i];
      return other !== undefined && jsonEquals(item, other);
    });
  }
  return objectEquals(a, b);
}
