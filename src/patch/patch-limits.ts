import { type JsonValue, setOwn } from '../meta/json-value.ts';
import { PatchError } from './patch-error.ts';

/** What the `copy` operations of one patch may copy in all, as in Kubernetes; each can double the document. */
const copyLimitBytes = 3 * 1024 * 1024;

/** The deepest nesting of a patched document, the same as that of a body. */
const depthLimit = 1000;

/** Bytes that may still be copied. */
export interface CopyBudget {
  bytes: number;
}

/** The budget of one patch. */
export function newCopyBudget(): CopyBudget {
  return { bytes: copyLimitBytes };
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
 * Refuses a document that later steps could not recurse into. Does not recurse itself: it looks at one level after the
 * other.
 */
export function checkDepth(value: JsonValue): void {
  let level: JsonValue[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthLimit) tooDeep();
    const next: JsonValue[] = [];
    for (const item of level) {
      if (typeof item !== 'object' || item === null) continue;
      for (const part of Array.isArray(item) ? item : Object.values(item)) {
        if (typeof part === 'object' && part !== null) next.push(part);
      }
    }
    level = next;
  }
}
