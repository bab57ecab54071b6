import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectsAt } from '../../../meta/read-field.ts';
import type { Strategy } from '../../../registry/strategy.ts';

/**
 * The strategy of service accounts. An update needs a resourceVersion, because several clients add
 * secrets.
 */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  prepareForCreate: keepNamesOfSecrets,
  prepareForUpdate: keepNamesOfSecrets,
  subresources: { token: { optionalName: true } },
};

/**
 * Reduces references to secrets to their names. Secrets are in the namespace of the account.
 * Mutates.
 */
function keepNamesOfSecrets(account: JsonObject): void {
  if (!isSet(account, 'secrets')) return;
  account['secrets'] = objectsAt(account, 'secrets').map(nameAlone);
}

function nameAlone(secret: JsonObject): JsonObject {
  const name = getOwn(secret, 'name');
  return name === undefined ? {} : { name };
}
