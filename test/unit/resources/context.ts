import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { StrategyContext } from '../../../src/registry/definition/strategy.ts';
import { completeObject } from '../../../src/scheme/complete-object.ts';
import { newestEmulated } from '../../../src/scheme/emulated-release.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';
import type { FieldError } from '../../../src/status/field-error.ts';

/** What a strategy sees of a request by `jane`, in v1. */
export const context: StrategyContext = {
  identifiers: identifiersOf('cluster'),
  user: { username: 'jane', uid: 'u1', groups: ['staff'], extra: { colour: ['blue'] } },
  namespace: 'default',
  group: '',
  version: 'v1',
  emulated: newestEmulated,
  warn: () => {},
};

/** Errors as stories tell them: `field: Reason`. */
export function summarize(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, reason }) => `${field}: ${reason.replace('FieldValue', '')}`);
}

/** An object as strategies get it: with all that is always present in a message. */
export function complete(message: string, object: JsonObject): JsonObject {
  return completeObject(schemaOf(message), object);
}
