import { type JsonValue, setOwn } from '../meta/json-value.ts';
import { PatchError } from './patch-error.ts';

/**
 * The number of bytes that the `copy` operations of one patch may copy in total, as in Kubernetes.
 * Each operation can double the document.
 */
const copyLimitBytes = 3 * 1024 * 1024;

/** The maximum nesting depth of a patched document, as for a request body. */
const depthLimit = 1000;

/**
 * The number of JSON values that the `copy` operations of one patch may copy in total. Many small
 * values cost more than their bytes suggest.
 */
const copyLimitValues = 100_000;

/** The bytes and values that `copy` operations may still copy. */
export interface CopyBudget {
  bytes: number;
  values: number;
}

/** Returns the full budget of one patch. */
export function newCopyBudget(): CopyBudget {
  return { bytes: copyLimitBytes, values: copyLimitValues };
}

function spend(budget: CopyBudget, bytes: number): void {
  budget.bytes -= bytes;
  if (budget.bytes >= 0) return;
  throw new PatchError('tooLarge', `the copy operations of a JSON patch may copy at most ${copyLimitBytes} bytes`);
}

function tooDeep(): never {
  throw new PatchError('failed', `the patched document is nested deeper than ${depthLimit} levels`);
}

/** Makes a deep copy of a value and deducts it from the budget. Throws `PatchError`. */
export function copyBounded(value: JsonValue, budget: CopyBudget, depth = 0): JsonValue {
  if (depth > depthLimit) tooDeep();
  if (--budget.values < 0) {
    throw new PatchError('tooLarge', `the copy operations of a JSON patch may copy at most ${copyLimitValues} values`);
  }
  if (typeof value === 'string') spend(budget, value.length + 2);
  else spend(budget, 2);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => copyBounded(item, budget, depth + 1));
  const copy = {};
  for (const [key, item] of Object.entries(value)) {
    spend(budget, key.length + 4);
    setOwn(copy, key, copyBounded(item, budget, depth + 1));
  }
  return copy;
}

/**
 * Refuses a document that is too deep for recursion in later steps. This check recurses no deeper
 * than the limit. Throws `PatchError` `failed`.
 */
export function checkDepth(value: JsonValue, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > depthLimit) tooDeep();
  if (Array.isArray(value)) for (const item of value) checkDepth(item, depth + 1);
  else for (const key in value) checkDepth(value[key] ?? null, depth + 1);
}
