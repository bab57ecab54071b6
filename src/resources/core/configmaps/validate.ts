import { errorsOfEach } from '../../../status/all-errors.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { validateConfigKey } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, tooLong } from '../../../status/field-error.ts';
import { isSet, objectAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { base64Size } from '../../rules/fields/base64-size.ts';
import { checkString } from '../../rules/fields/check.ts';
import { checkImmutableMark } from '../../rules/fields/immutable.ts';

/**
 * Maximum size of all values of a ConfigMap, in bytes (reference: wire, "Names, labels, sizes").
 */
const sizeLimitBytes = 1_048_576;

/**
 * All errors of a ConfigMap: changes of an immutable one, invalid keys, keys in both maps, and
 * size.
 */
export function validateConfigMap(configMap: JsonObject, old?: JsonObject): FieldError[] {
  const data = stringEntriesAt(configMap, 'data');
  const binaryData = stringEntriesAt(configMap, 'binaryData');
  const size =
    data.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0) +
    binaryData.reduce((sum, [, value]) => sum + base64Size(value), 0);
  return [
    ...(old ? checkImmutableMark(configMap, old, ['data', 'binaryData']) : []),
    ...errorsOfEach(data, ([key]) => dataErrors(configMap, key)),
    ...errorsOfEach(binaryData, ([key]) => checkString(`binaryData[${key}]`, key, validateConfigKey)),
    ...(size > sizeLimitBytes ? [tooLong('', sizeLimitBytes)] : []),
  ];
}

/** A key that is in both maps is reported once, for `data`. */
function dataErrors(configMap: JsonObject, key: string): FieldError[] {
  const path = `data[${key}]`;
  return [
    ...checkString(path, key, validateConfigKey),
    ...(isSet(objectAt(configMap, 'binaryData'), key)
      ? [invalid(path, key, 'duplicate of key present in binaryData')]
      : []),
  ];
}
