import { type JsonValue, setOwn } from '../meta/json-value.ts';
import { PatchError } from './patch-error.ts';

/** What the `copy` operations of one patch may copy in all, as in Kubernetes; each can double the document. */
const copyLimitBytes = 3 * 1024 * 1024;

/** The deepest nesting of a patched document, the same as that of a body. */
const depthLimit = 1000;

/** What the `copy` operations of one patch may copy in all, in JSON values: many small ones cost more than their bytes. */
const copyLimitValues = 100_000;

/** Bytes and values that may still be copied. */
export interface CopyBudget {
  bytes: number;
  values: number;
}

/** The budget of one patch. */
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

/** Copies a value as deep as it goes, within the budget. Throws `PatchError`. */
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

/** Refuses a document that later steps could not recurse into; itself it recurses no deeper than the limit. */
export function checkDepth(value: JsonValue, depth = 0): void {
  if (typeof value !== 'object' || value === null) return;
  if (depth > depthLimit) tooDeep();
  if (Array.isArray(value)) for (const item of value) checkDepth(item, depth + 1);
  else for (const key in value) checkDepth(value[key] ?? null, depth + 1);
}
