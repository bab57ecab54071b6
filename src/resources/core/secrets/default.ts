import { type JsonObject, setOwn } from '../../../meta/json-value.ts';
import { makeObjectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';

/** The type of a Secret that names none. */
const opaqueType = 'Opaque';

/** Merges the write-only `stringData` into `data`, whose keys it overwrites, and fills in the type (spec 2.4). */
export function defaultSecret(secret: JsonObject): void {
  const entries = stringEntriesAt(secret, 'stringData');
  delete secret['stringData'];
  if (entries.length > 0) {
    const data = makeObjectAt(secret, 'data');
    for (const [key, value] of entries) setOwn(data, key, Buffer.from(value, 'utf8').toString('base64'));
  }
  if (stringAt(secret, 'type') === '') secret['type'] = opaqueType;
}
