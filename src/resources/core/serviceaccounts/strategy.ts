import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { isSet, objectsAt } from '../../../meta/read-field.ts';
import type { Strategy } from '../../../registry/strategy.ts';

/** Service accounts. Two writers add secrets to them, so an update must say what it saw. */
export const strategy: Strategy = {
  returnsDeletedObject: true,
  prepareForCreate: keepNamesOfSecrets,
  prepareForUpdate: keepNamesOfSecrets,
};

/** Secrets are referred to by name, in the namespace of the account; the rest of a reference is dropped. Mutates. */
function keepNamesOfSecrets(account: JsonObject): void {
  if (!isSet(account, 'secrets')) return;
  account['secrets'] = objectsAt(account, 'secrets').map(nameAlone);
}

function nameAlone(secret: JsonObject): JsonObject {
  const name = getOwn(secret, 'name');
  return name === undefined ? {} : { name };
}
