import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { shownValue } from '../status/shown-value.ts';
import { PatchError } from './patch-error.ts';

/** The values of `$patch`. `merge` is the default. */
type Directive = 'merge' | 'replace' | 'delete';

/** The directives of a patch for one list. */
interface ListDirectives {
  /** `$setElementOrder/<list>`: items, or their merge keys, in the wanted order. */
  readonly order?: readonly JsonValue[];
  /** `$deleteFromPrimitiveList/<list>`: scalars to remove. May be of a wrong type. */
  readonly removed?: JsonValue;
}

/** An object of a patch, with its directives separated from its fields. */
export interface ReadPatch {
  /** `$retainKeys`: all other keys of the original are removed. */
  readonly retainKeys: ReadonlySet<JsonValue> | undefined;
  readonly lists: ReadonlyMap<string, ListDirectives>;
  readonly fields: readonly (readonly [string, JsonValue])[];
}

const patchDirective = '$patch';
const retainKeysDirective = '$retainKeys';
const orderDirective = '$setElementOrder';
const removalDirective = '$deleteFromPrimitiveList';

/**
 * Reads an object of a patch that is merged. Throws `PatchError` `malformed` for an invalid
 * directive.
 */
export function readDirectives(patch: JsonObject): ReadPatch {
  const keys = Object.keys(patch);
  const fields: (readonly [string, JsonValue])[] = [];
  const lists = new Map<string, ListDirectives>();
  for (const key of keys) {
    const value = patch[key] ?? null;
    if (key.startsWith(orderDirective)) {
      add(lists, listNamed(key, orderDirective, formats.order), { order: listOf(value, formats.order) });
    } else if (key.startsWith(removalDirective)) {
      add(lists, listNamed(key, removalDirective, formats.removal), { removed: value });
    } else if (key !== patchDirective && key !== retainKeysDirective) fields.push([key, value]);
  }
  return { retainKeys: retainKeysOf(patch, fields), lists, fields };
}

/** True if an object of a patch has a `$patch`, valid or not. */
export function hasDirective(patch: JsonObject): boolean {
  return Object.hasOwn(patch, patchDirective);
}

/**
 * Returns the directive of an object; `merge` if it has none. Throws `PatchError` `malformed` for
 * an unknown directive.
 */
export function directiveOf(patch: JsonObject): Directive {
  if (!hasDirective(patch)) return 'merge';
  const directive = patch[patchDirective];
  if (directive === 'merge' || directive === 'replace' || directive === 'delete') return directive;
  throw new PatchError(
    'malformed',
    `unknown patch type: ${shownValue(directive ?? null)} in map: ${shownValue(patch)}`,
  );
}

/** Returns an object of a patch without its `$patch`. */
export function withoutDirective(patch: JsonObject): JsonObject {
  if (!hasDirective(patch)) return patch;
  const { [patchDirective]: _, ...rest } = patch;
  return rest;
}

/** Messages for directives that are not lists or name none, the same as in kube-apiserver. */
const formats = {
  order: 'invalid patch format of setElementOrder list',
  removal: 'invalid patch format of primitive list',
  retainKeys: 'invalid patch format of retainKeys',
} as const;

/** Returns the list that a key `<directive>/<list>` names. */
function listNamed(key: string, directive: string, problem: string): string {
  if (key[directive.length] !== '/') throw new PatchError('malformed', problem);
  return key.slice(directive.length + 1);
}

function listOf(value: JsonValue, problem: string): readonly JsonValue[] {
  if (!Array.isArray(value)) throw new PatchError('malformed', problem);
  return value;
}

function add(lists: Map<string, ListDirectives>, name: string, directives: ListDirectives): void {
  lists.set(name, { ...lists.get(name), ...directives });
}

/**
 * Reads `$retainKeys`. Every field that the patch sets must be in it. Throws `PatchError`
 * `malformed`.
 */
function retainKeysOf(
  patch: JsonObject,
  fields: readonly (readonly [string, JsonValue])[],
): ReadonlySet<JsonValue> | undefined {
  if (!Object.hasOwn(patch, retainKeysDirective)) return undefined;
  const keys = new Set(listOf(patch[retainKeysDirective] ?? null, formats.retainKeys));
  if (fields.every(([key, value]) => value === null || keys.has(key))) return keys;
  throw new PatchError('malformed', formats.retainKeys);
}
