import { performance } from 'node:perf_hooks';
import type { MaybePromise } from '../async/maybe-promise.ts';
import { nextTurn } from '../async/yield-if-long.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';

/** Selected fields of a message, and the fields that lead to messages with selected fields. */
export interface FieldTree<Found extends { readonly name: string }> {
  readonly fields: readonly Found[];
  readonly parts: readonly FieldPart<Found>[];
}

/** A field whose values are messages with selected fields. */
export interface FieldPart<Found extends { readonly name: string }> {
  readonly name: string;
  /** True if the field is a map; its values may be lists, too. */
  readonly isMap: boolean;
  readonly tree: FieldTree<Found>;
}

type OnFound<Found> = (message: JsonObject, field: Found) => void;

/** A message that has still to be visited. */
type Visit<Found extends { readonly name: string }> = readonly [tree: FieldTree<Found>, message: JsonObject];

/** Calls `found` for each selected field that is set in an object, and visits nothing else. */
export function visitFields<Found extends { readonly name: string }>(
  tree: FieldTree<Found>,
  message: JsonObject,
  found: OnFound<Found>,
): void {
  const left: Visit<Found>[] = [[tree, message]];
  for (let next = left.pop(); next; next = left.pop()) visitOne(next, left, found);
}

/** The number of messages between two reads of the clock, and the time after which it yields. */
const looked = 256;
const turnMs = 4;

/** Like `visitFields`, but yields to other requests when it takes long. */
export function visitFieldsYielding<Found extends { readonly name: string }>(
  tree: FieldTree<Found>,
  message: JsonObject,
  found: OnFound<Found>,
): MaybePromise<void> {
  return visitYielding([[tree, message]], found);
}

function visitYielding<Found extends { readonly name: string }>(
  left: Visit<Found>[],
  found: OnFound<Found>,
): MaybePromise<void> {
  let [count, startMs] = [0, 0];
  for (let next = left.pop(); next; next = left.pop()) {
    visitOne(next, left, found);
    if (++count % looked > 0) continue;
    if (startMs === 0) startMs = performance.now();
    else if (performance.now() - startMs > turnMs) return nextTurn().then(() => visitYielding(left, found));
  }
}

/**
 * The most names that are looked up one by one. Larger trees are searched by the message's keys.
 */
const fewNames = 6;

function visitOne<Found extends { readonly name: string }>(
  [tree, message]: Visit<Found>,
  left: Visit<Found>[],
  found: OnFound<Found>,
): void {
  const { fields, parts } = tree;
  if (fields.length + parts.length > fewNames) return visitMembers(membersOf(tree), message, left, found);
  for (const field of fields) if (getOwn(message, field.name) !== undefined) found(message, field);
  for (const part of parts) addPart(part, getOwn(message, part.name), left);
}

/** The fields and parts of a tree by their names. */
type Members<Found extends { readonly name: string }> = ReadonlyMap<
  string,
  { readonly field?: Found; readonly part?: FieldPart<Found> }
>;

const known = new WeakMap<object, ReadonlyMap<string, unknown>>();

function membersOf<Found extends { readonly name: string }>(tree: FieldTree<Found>): Members<Found> {
  // The cached members belong to the tree that is their key.
  const made = known.get(tree) as Members<Found> | undefined;
  if (made) return made;
  const parts = new Map(tree.parts.map((part) => [part.name, part]));
  const fields = new Map(tree.fields.map((field) => [field.name, field]));
  const names = new Set([...fields.keys(), ...parts.keys()]);
  const members = new Map(
    Array.from(names, (name) => {
      const [field, part] = [fields.get(name), parts.get(name)];
      return [name, { ...(field ? { field } : {}), ...(part ? { part } : {}) }] as const;
    }),
  );
  known.set(tree, members);
  return members;
}

function visitMembers<Found extends { readonly name: string }>(
  members: Members<Found>,
  message: JsonObject,
  left: Visit<Found>[],
  found: OnFound<Found>,
): void {
  for (const name of Object.keys(message)) {
    const member = members.get(name);
    if (!member) continue;
    const value = message[name];
    if (member.field && value !== undefined) found(message, member.field);
    if (member.part) addPart(member.part, value, left);
  }
}

function addPart<Found extends { readonly name: string }>(
  { isMap, tree }: FieldPart<Found>,
  value: JsonValue | undefined,
  left: Visit<Found>[],
): void {
  if (value === undefined || value === null) return;
  if (!isMap) addAll(tree, value, left);
  else if (isJsonObject(value)) for (const name of Object.keys(value)) addAll(tree, value[name] ?? null, left);
}

/** Adds the messages of a list, or a single message. */
function addAll<Found extends { readonly name: string }>(
  tree: FieldTree<Found>,
  value: JsonValue,
  left: Visit<Found>[],
): void {
  if (Array.isArray(value)) for (const item of value) addAll(tree, item, left);
  else if (isJsonObject(value)) left.push([tree, value]);
}
