import type { JsonObject } from '../../../meta/json-value.ts';
import type { StrategyContext } from '../../../registry/strategy.ts';
import { isSet, makeObjectAt, stringAt } from '../../../meta/read-field.ts';

/** What v1beta1 fills in and v1 asks for: the usages of a plain TLS key, and the signer that takes everything. */
export function defaultRequest(request: JsonObject, { identifiers, version }: StrategyContext): void {
  if (version !== 'v1beta1') return;
  const spec = makeObjectAt(request, 'spec');
  if (!isSet(spec, 'usages')) spec['usages'] = ['digital signature', 'key encipherment'];
  if (stringAt(spec, 'signerName') === '') spec['signerName'] = `${identifiers.labelDomain}/legacy-unknown`;
}
