import type { JsonObject } from '../../../meta/json-value.ts';
import type { StrategyContext } from '../../../registry/strategy.ts';
import { isSet, makeObjectAt, setDefault } from '../../../meta/read-field.ts';

/**
 * Fills in the defaults of v1beta1: the usages of a TLS key, and the signer `legacy-unknown`. v1
 * requires both fields. Mutates.
 */
export function defaultRequest(request: JsonObject, { identifiers, version }: StrategyContext): void {
  if (version !== 'v1beta1') return;
  const spec = makeObjectAt(request, 'spec');
  if (!isSet(spec, 'usages')) spec['usages'] = ['digital signature', 'key encipherment'];
  setDefault(spec, 'signerName', `${identifiers.labelDomain}/legacy-unknown`);
}
