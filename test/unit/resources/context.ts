import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { StrategyContext } from '../../../src/registry/strategy.ts';
import type { FieldError } from '../../../src/status/field-error.ts';

/** What a strategy sees of a request by `jane`, in v1. */
export const context: StrategyContext = {
  identifiers: identifiersOf('cluster'),
  user: { username: 'jane', uid: 'u1', groups: ['staff'], extra: { colour: ['blue'] } },
  namespace: 'default',
  group: '',
  version: 'v1',
  warn: () => {},
};

/** Errors as stories tell them: `field: Reason`. */
export function summarize(errors: readonly FieldError[]): string[] {
  return errors.map(({ field, reason }) => `${field}: ${reason.replace('FieldValue', '')}`);
}
