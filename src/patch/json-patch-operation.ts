import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { PatchError, wrongType } from './patch-error.ts';

/** A JSON Pointer (RFC 6901) cut into its unescaped steps; the whole document has none. */
export interface Pointer {
  readonly text: string;
  readonly steps: readonly string[];
}

/** One operation of a JSON Patch (RFC 6902). */
export type JsonPatchOperation =
  | { readonly op: 'add' | 'replace' | 'test'; readonly path: Pointer; readonly value: JsonValue }
  | { readonly op: 'move' | 'copy'; readonly path: Pointer; readonly from: Pointer }
  | { readonly op: 'remove'; readonly path: Pointer };

/** The most operations that one patch may have, as in Kubernetes. */
const operationLimit = 10_000;

/** A `~` that starts no escape stands for itself, as in kube-apiserver. */
function unescapeStep(step: string): string {
  return step.replaceAll(/~[01]/g, (found) => (found === '~1' ? '/' : '~'));
}

/** The longest pointer that a message repeats. */
const shownLimit = 256;

/** A pointer as messages show it. */
export function shownPointer(text: string): string {
  return JSON.stringify(text.length > shownLimit ? `${text.slice(0, shownLimit)}...` : text);
}

function pointer(operation: JsonObject, field: 'path' | 'from', where: string): Pointer {
  const text = getOwn(operation, field);
  if (typeof text !== 'string') throw new PatchError('failed', `${where} needs a string "${field}"`);
  if (text !== '' && !text.includes('/')) {
    throw new PatchError('failed', `${where}: the pointer ${shownPointer(text)} must start with "/"`);
  }
  // Text before the first slash counts for nothing, as in kube-apiserver.
  const steps = text.split('/').slice(1);
  return { text, steps: text.includes('~') ? steps.map(unescapeStep) : steps };
}

/** Against RFC 6902, but as kube-apiserver does, a missing value is null where one is written. */
function valueOf(operation: JsonObject): JsonValue {
  return getOwn(operation, 'value') ?? null;
}

function expectedValue(operation: JsonObject, where: string): JsonValue {
  const value = getOwn(operation, 'value');
  if (value === undefined) throw new PatchError('failed', `${where} needs a "value"`);
  return value;
}

type Read = (operation: JsonObject, where: string) => JsonPatchOperation;

const readers: ReadonlyMap<string, Read> = new Map<string, Read>([
  ['add', (o, at) => ({ op: 'add', path: pointer(o, 'path', at), value: valueOf(o) })],
  ['replace', (o, at) => ({ op: 'replace', path: pointer(o, 'path', at), value: valueOf(o) })],
  ['test', (o, at) => ({ op: 'test', path: pointer(o, 'path', at), value: expectedValue(o, at) })],
  ['move', (o, at) => ({ op: 'move', path: pointer(o, 'path', at), from: pointer(o, 'from', at) })],
  ['copy', (o, at) => ({ op: 'copy', path: pointer(o, 'path', at), from: pointer(o, 'from', at) })],
  ['remove', (o, at) => ({ op: 'remove', path: pointer(o, 'path', at) })],
]);

const members: ReadonlySet<string> = new Set(['op', 'path', 'from', 'value']);

/** Paths of members that no operation has, such as `[0].zork`. RFC 6902 ignores them; strict clients want to know. */
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
  const read = typeof op === 'string' ? readers.get(op) : undefined;
  if (!read) {
    const shown = typeof op === 'string' ? shownPointer(op) : 'none';
    throw new PatchError('failed', `operation ${index} of the patch has an unknown "op": ${shown}`);
  }
  return read(operation, `operation ${index} of the patch`);
}

/**
 * Reads a JSON Patch; nothing here depends on the patched object. Throws `PatchError`: `malformed` for what is no list of
 * objects, `failed` for operations that cannot be run, `tooLarge` for too many.
 */
export function readJsonPatch(patch: JsonValue): readonly JsonPatchOperation[] {
  // Go reads null as a list without items.
  if (patch === null) return [];
  if (!Array.isArray(patch)) throw wrongType(patch, 'jsonpatch.Patch');
  if (patch.length > operationLimit) {
    const message = `The allowed maximum operations in a JSON patch is ${operationLimit}, got ${patch.length}`;
    throw new PatchError('tooLarge', message);
  }
  return patch.map(readOperation);
}
