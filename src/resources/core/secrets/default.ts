import { type JsonObject, setOwn } from '../../../meta/json-value.ts';
import { makeObjectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';

/** The default type of a Secret. */
const opaqueType = 'Opaque';

/**
 * Fills in defaults of a Secret (spec 2.4): merges the write-only `stringData` into `data`, where
 * it replaces equal keys, and sets the type. Mutates.
 */
export function defaultSecret(secret: JsonObject): void {
  const entries = stringEntriesAt(secret, 'stringData');
  delete secret['stringData'];
  if (entries.length > 0) {
    const data = makeObjectAt(secret, 'data');
    for (const [key, value] of entries) setOwn(data, key, Buffer.from(value, 'utf8').toString('base64'));
  }
  if (stringAt(secret, 'type') === '') secret['type'] = opaqueType;
}
