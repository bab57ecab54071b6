import { isJsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { textAt, valueAt } from '../json-paths.ts';
import { causesOf, type Exchange } from './known-difference.ts';
import { documentOf, liveBefore } from './live-object.ts';
import { ownedEmpties } from './owned-maps.ts';
import { isConflictOfUndeclaredList } from './undeclared-lists.ts';

/** The rows that explain why an apply to an object of a random kind has other conflicts in the reference. */
export const conflictRows = [
  'conflict-paths',
  'replaced-parts',
  'empty-map-ownership',
  'release-applied-order',
  'release-typed-kinds',
] as const;

/** One of them. */
export type ConflictRow = (typeof conflictRows)[number];

/**
 * The row that explains the conflicts of an apply to an object of a random kind, where those of all managers are
 * explained. A manager has as many conflicts in the reference as here, though not always with the right paths; it has
 * fewer where an apply replaces a value in which it owns something or orders a list, and more where it owns a map or a list with nothing in
 * it. An answer without conflicts has none.
 */
export function conflictRow(exchange: Exchange): ConflictRow | undefined {
  const { step, reference, ours } = exchange;
  if (step.object === undefined || ![reference, ours].some(({ status }) => status === 409)) return undefined;
  const [theirs, own] = [reference, ours].map(({ status, body }) => conflictsByManager(status === 409 ? body : null));
  const rows = [...new Set([...(theirs?.keys() ?? []), ...(own?.keys() ?? [])])].map((manager) =>
    rowOfManager(exchange, manager, theirs?.get(manager) ?? [], own?.get(manager) ?? []),
  );
  if (rows.includes(undefined)) return undefined;
  return rows.find((row) => row !== 'conflict-paths') ?? 'conflict-paths';
}

function rowOfManager(
  exchange: Exchange,
  manager: string,
  theirs: readonly string[],
  own: readonly string[],
): ConflictRow | undefined {
  const missing = own.length - theirs.length;
  if (missing === 0) return 'conflict-paths';
  if (missing > 0) {
    const isOfList = (path: string): boolean => isConflictOfUndeclaredList(exchange, manager, keysOf(path));
    const replaced = own.filter((path) => isReplaced(exchange, path) || isOfList(path)).length;
    if (replaced >= missing) return 'replaced-parts';
    const reordered = own.filter((path) => isReordered(exchange, path)).length;
    return replaced + reordered >= missing ? 'release-applied-order' : undefined;
  }
  if (ownsEmpty(liveBefore(exchange).reference, manager)) return 'empty-map-ownership';
  // A path that is named again stands for another one, of a value beside it.
  const structs = theirs.filter((path, index) =>
    theirs.indexOf(path) < index ? hasStructBeside(exchange, path) : isAppliedStruct(exchange, keysOf(path)),
  );
  const isUntyped = exchange.step.path.startsWith('/apis/untyped.');
  return isUntyped && structs.length >= -missing ? 'release-typed-kinds' : undefined;
}

function isAppliedStruct({ step }: Exchange, keys: readonly string[]): boolean {
  return isJsonObject(itemAt(documentOf(step), keys) ?? null);
}

function hasStructBeside({ step }: Exchange, path: string): boolean {
  const around = itemAt(documentOf(step), keysOf(path).slice(0, -1)) ?? null;
  return isJsonObject(around) && Object.values(around).some(isJsonObject);
}

/** The fields in which an apply conflicts with each manager, by its name and what it used. */
function conflictsByManager(body: JsonValue): ReadonlyMap<string, readonly string[]> {
  const byManager = new Map<string, string[]>();
  for (const cause of causesOf(body)) {
    const [, manager = ''] = /^conflict with "([^"]+)"/.exec(textAt(cause, ['message'])) ?? [];
    byManager.set(manager, [...(byManager.get(manager) ?? []), textAt(cause, ['field'])]);
  }
  return byManager;
}

/** Whether the live object has an object at a field, or above it, in whose place an apply puts something else. */
function isReplaced(exchange: Exchange, path: string): boolean {
  const live = liveBefore(exchange).ours;
  const keys = keysOf(path);
  return keys.some((_, index) => {
    const above = keys.slice(0, index + 1);
    const applied = itemAt(documentOf(exchange.step), above);
    return applied !== undefined && !isJsonObject(applied) && isJsonObject(itemAt(live, above) ?? null);
  });
}

/** Whether an apply puts the items of a set into another order: in a version in which the list is atomic, it changes. */
function isReordered(exchange: Exchange, path: string): boolean {
  const [applied, live] = [documentOf(exchange.step), liveBefore(exchange).ours].map((value) =>
    itemAt(value, keysOf(path)),
  );
  return Array.isArray(applied) && Array.isArray(live) && applied.every((item) => live.includes(item));
}

/** `.spec.k1[name="a"].s1` is spec, k1, the key of an item, s1. */
function keysOf(path: string): readonly string[] {
  return path.split(/\.|(?=\[)/).filter((key) => key !== '');
}

/** The value at some keys, of fields and of items of keyed lists. */
function itemAt(value: JsonValue, keys: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = value;
  for (const key of keys) {
    const [, name] = /^\[name="(.*)"\]$/.exec(key) ?? [];
    if (name === undefined) at = valueAt(at, [key]);
    else at = Array.isArray(at) ? at.find((item) => textAt(item, ['name']) === name) : undefined;
  }
  return at;
}

/** Whether a manager owns a map, a list or an item of one without anything in it, although there is something. */
function ownsEmpty(live: JsonValue, manager: string): boolean {
  return ownedEmpties(live, (entry) => textAt(entry, ['manager']) === manager).length > 0;
}
