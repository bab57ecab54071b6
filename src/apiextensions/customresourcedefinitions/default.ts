import type { JsonObject } from '../../meta/json-value.ts';
import { isSet, makeObjectAt, objectAt, setDefault, stringAt, stringsAt } from '../../meta/read-field.ts';

/** Fills in the defaults of a CustomResourceDefinition that depend on other fields. Mutates. */
export function defaultDefinition(crd: JsonObject): void {
  const spec = makeObjectAt(crd, 'spec');
  const names = makeObjectAt(spec, 'names');
  const kind = stringAt(names, 'kind');
  if (stringAt(names, 'singular') === '') names['singular'] = kind.toLowerCase();
  if (stringAt(names, 'listKind') === '' && kind !== '') names['listKind'] = `${kind}List`;
  const conversion = makeObjectAt(spec, 'conversion');
  setDefault(conversion, 'strategy', 'None');
  dropEmptyWebhook(conversion);
  const client = objectAt(conversion, 'webhook', 'clientConfig');
  if (isSet(client, 'service')) setDefault(makeObjectAt(client, 'service'), 'port', 443);
}

/** Removes a webhook without content, which kube-apiserver's storage version cannot express. */
function dropEmptyWebhook(conversion: JsonObject): void {
  const webhook = objectAt(conversion, 'webhook');
  if (!isSet(webhook, 'clientConfig') && stringsAt(webhook, 'conversionReviewVersions').length === 0) {
    delete conversion['webhook'];
  }
}
