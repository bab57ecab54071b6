import type { MaybeAsync, MaybePromise } from '../async/maybe-promise.ts';
import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { PatchError, wrongType } from './patch-error.ts';

/**
 * A JSON Pointer (RFC 6901), split into its unescaped steps. The pointer to the whole document has
 * no steps.
 */
export interface Pointer {
  readonly text: string;
  readonly steps: readonly string[];
}

/** One operation of a JSON Patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: JsonValue }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer }
  | { readonly op: 'remove'; readonly path: Pointer };

/** The maximum number of operations in the patch of a client, as in Kubernetes. */
export const operationLimit = 10_000;

/** Unescapes `~0` and `~1`. Any other `~` is kept as it is, as in kube-apiserver. */
function unescapeStep(step: string): string {
  return step.replaceAll(/~[01]/g, (found) => (found === '~1' ? '/' : '~'));
}

/** Longer pointers are shortened to this number of characters in messages. */
const shownLimit = 256;

/** Shortens a pointer for a message to `shownLimit`. */
export function cutPointer(text: string): string {
  return text.length > shownLimit ? `${text.slice(0, shownLimit)}...` : text;
}

/** The operations whose errors do not say why a path cannot be read. */
const shortErrors: ReadonlySet<string> = new Set(['add', 'remove', 'copy']);

function pointer(operation: JsonObject, field: 'path' | 'from', op: string): Pointer {
  const text = getOwn(operation, field);
  if (typeof text !== 'string') {
    const lacking = field === 'path' ? 'operation missing path field: ' : 'operation, missing from field: ';
    const why = field === 'path' && shortErrors.has(op) ? '' : lacking;
    throw new PatchError('failed', `${op} operation failed to decode ${field}: ${why}missing value`);
  }
  // Text before the first slash is ignored, as in kube-apiserver; without one it leads nowhere.
  const steps = text.split('/').slice(1);
  return { text, steps: text.includes('~') ? steps.map(unescapeStep) : steps };
}

/**
 * Returns the value of an operation. A missing value is null, as in kube-apiserver; RFC
 * 6902 would refuse it.
 */
function valueOf(operation: JsonObject): JsonValue {
  return getOwn(operation, 'value') ?? null;
}

type Read = (operation: JsonObject, op: string) => JsonPatchOperation;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['add', (o, op) => ({ op: 'add', path: pointer(o, 'path', op), value: valueOf(o) })],
  ['replace', (o, op) => ({ op: 'replace', path: pointer(o, 'path', op), value: valueOf(o) })],
  ['test', (o, op) => ({ op: 'test', path: pointer(o, 'path', op), value: valueOf(o) })],
  ['move', (o, op) => ({ op: 'move', path: pointer(o, 'path', op), from: pointer(o, 'from', op) })],
  ['copy', (o, op) => ({ op: 'copy', path: pointer(o, 'path', op), from: pointer(o, 'from', op) })],
  ['remove', (o, op) => ({ op: 'remove', path: pointer(o, 'path', op) })],
]);

const members: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/**
 * Returns the paths of members that no operation has, such as `[0].zork`. RFC 6902 ignores such
 * members; they are reported by strict field validation.
 */
export function unknownMembers(patch: JsonValue): string[] {
  if (!Array.isArray(patch)) return [];
  return patch.flatMap((operation, i) =>
    isJsonObject(operation)
      ? Object.keys(operation)
          .filter((member) => !members.has(member))
          .map((member) => `[${i}].${member}`)
      : [],
  );
}

function readOperation(operation: JsonValue, index: number): JsonPatchOperation {
  if (operation === null) throw new PatchError('failed', `operation ${index} of the patch is null`);
  if (!isJsonObject(operation)) throw wrongType(operation, 'jsonpatch.Operation');
  const op = getOwn(operation, 'op');
  const name = typeof op === 'string' ? op : '';
  const read = readers.get(name);
  if (!read) {
    throw new PatchError('failed', `Unexpected kind: ${typeof op === 'string' ? cutPointer(op) : 'unknown'}`);
  }
  return read(operation, name);
}

/** The number of operations that a patch may have, and the pause after each. */
export interface PatchBudget {
  readonly limit: number;
  readonly rest: () => MaybePromise<void>;
}

/**
 * Parses a JSON Patch; independent of the patched object. Throws `PatchError`: `malformed` if the
 * patch is not a list of objects, `failed` for an invalid operation, `tooLarge` for too many
 * operations.
 */
export function* readJsonPatch(
  patch: JsonValue,
  { limit, rest }: PatchBudget,
): MaybeAsync<void, readonly JsonPatchOperation[]> {
  // A Go decoder reads null as an empty list.
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw wrongType(patch, 'jsonpatch.Patch');
  if (patch.length > limit) {
    const message = `The allowed maximum operations in a JSON patch is ${limit}, got ${patch.length}`;
    throw new PatchError('tooLarge', message);
  }
  const operations: JsonPatchOperation[] = [];
  for (const [index, operation] of patch.entries()) {
    operations.push(readOperation(operation, index));
    yield rest();
  }
  return operations;
}
