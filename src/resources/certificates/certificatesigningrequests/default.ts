import type { JsonObject } from '../../../meta/json-value.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { makeObjectAt, setDefault } from '../../../meta/read-field.ts';

/**
 * Fills in the usages of a TLS key in v1beta1. v1 requires usages. The default of the signer is in
 * the conversion from v1beta1. Mutates.
 */
export function defaultRequest(request: JsonObject, { version }: StrategyContext): void {
  if (version === 'v1beta1') {
    setDefault(makeObjectAt(request, 'spec'), 'usages', ['digital signature', 'key encipherment']);
  }
}
