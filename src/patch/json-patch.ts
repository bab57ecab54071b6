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
  shownPointer,
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

function missing(op: string, { text }: Pointer): never {
  fail(`${op} operation does not apply: doc is missing path: ${shownPointer(text)}: missing value`);
}

/** The parent exists, but not its member. */
function missingItem(op: string, { text }: Pointer, isList: boolean, step: string): never {
  const why = isList
    ? `Unable to access invalid index: ${cutPointer(step)}: invalid index referenced`
    : `Unable to remove nonexistent key: ${cutPointer(step)}: missing value`;
  fail(`error in ${op} for path: '${cutPointer(text)}': ${why}`);
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
  const index = indexOf(step);
  return index === undefined ? undefined : container[index];
}

function find(draft: Draft, op: string, pointer: Pointer): JsonValue {
  let value = draft.root;
  for (const step of pointer.steps) {
    const next = isContainer(value) ? child(value, step) : undefined;
    if (next === undefined) missing(op, pointer);
    value = next;
  }
  return value;
}

function writable(draft: Draft, container: Container): Container {
  if (draft.owned.has(container)) return container;
  const copy = Array.isArray(container) ? [...container] : { ...container };
  draft.owned.add(copy);
  return copy;
}

function assign(container: Container, step: string, value: JsonValue): void {
  if (Array.isArray(container)) container[Number(step)] = value;
  else setOwn(container, step, value);
}

/**
 * Returns the container of the last step. It and all containers above it are copied if necessary,
 * so that the caller may change it in place.
 */
function findParent(draft: Draft, op: string, pointer: Pointer): Container {
  if (!isContainer(draft.root)) missing(op, pointer);
  let parent = writable(draft, draft.root);
  draft.root = parent;
  for (const step of pointer.steps.slice(0, -1)) {
    const next = child(parent, step);
    if (!isContainer(next)) missing(op, pointer);
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

function add(draft: Draft, op: string, pointer: Pointer, value: JsonValue): void {
  const step = pointer.steps.at(-1);
  if (step === undefined) {
    draft.root = value;
    return;
  }
  const parent = findParent(draft, op, pointer);
  if (!Array.isArray(parent)) {
    setOwn(parent, step, value);
    return;
  }
  const index = step === '-' ? parent.length : placeBelow(parent.length + 1, step);
  if (index === undefined) {
    fail(`${op} operation does not apply: invalid index in path ${shownPointer(pointer.text)}`);
  }
  splice(draft, parent, index, 0, value);
}

function remove(draft: Draft, op: string, pointer: Pointer): JsonValue {
  const step = pointer.steps.at(-1);
  if (step === undefined) fail(`${op} operation does not apply: the whole document cannot be removed`);
  const parent = findParent(draft, op, pointer);
  const place = Array.isArray(parent) ? String(placeBelow(parent.length, step)) : step;
  const value = child(parent, place);
  if (value === undefined) missingItem(op, pointer, Array.isArray(parent), step);
  if (Array.isArray(parent)) splice(draft, parent, Number(place), 1);
  else delete parent[place];
  return value;
}

function replace(draft: Draft, pointer: Pointer, value: JsonValue): void {
  const step = pointer.steps.at(-1);
  if (step === undefined) {
    draft.root = value;
    return;
  }
  const parent = findParent(draft, 'replace', pointer);
  // kube-apiserver adds a missing member, although RFC 6902 refuses it. Clients rely on this to
  // reset managedFields.
  if (Array.isArray(parent) && child(parent, step) === undefined) missing('replace', pointer);
  assign(parent, step, value);
}

/**
 * Removes the value and adds it, as kube-apiserver does, also if `to` is inside `from`: RFC 6902
 * refuses that, but in a list `to` is then inside the next item.
 */
function move(draft: Draft, from: Pointer, to: Pointer): void {
  find(draft, 'move', from);
  if (from.text !== to.text) add(draft, 'move', to, remove(draft, 'move', from));
}

/**
 * Returns a copy of the value. A missing member is copied as null, as in kube-apiserver, although
 * RFC 6902 refuses it.
 */
function copied(draft: Draft, from: Pointer): JsonValue {
  return lacksMember(draft, 'copy', from) ? null : copyBounded(find(draft, 'copy', from), draft.copies);
}

function test(draft: Draft, pointer: Pointer, expected: JsonValue): void {
  // A missing member equals null in kube-apiserver, although RFC 6902 fails the test. Clients use
  // this to guard a patch that adds the member.
  if (expected === null && lacksMember(draft, 'test', pointer)) return;
  if (!jsonEquals(find(draft, 'test', pointer), expected)) {
    throw new PatchError('untrue', `testing value ${cutPointer(pointer.text)} failed: test failed`);
  }
}

/** True if the pointer leads to an existing object that lacks the last step. */
function lacksMember(draft: Draft, op: string, { text, steps }: Pointer): boolean {
  const step = steps.at(-1);
  if (step === undefined) return false;
  const parent = find(draft, op, { text, steps: steps.slice(0, -1) });
  return isContainer(parent) && !Array.isArray(parent) && getOwn(parent, step) === undefined;
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
      return add(draft, 'copy', path, copied(draft, operation.from));
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
