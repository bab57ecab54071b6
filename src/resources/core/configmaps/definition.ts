import type { ConfigMap } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { checkImmutableMark } from '../../rules/fields/immutable.ts';
import { validateConfigKey } from '../../../meta/validate-name.ts';
import { allErrors, errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, invalid, tooLong } from '../../../status/field-error.ts';
import { base64Size, checkString } from '../../rules/fields/field-checks.ts';

/**
 * Maximum size of all values of a ConfigMap, in bytes (reference: wire, "Names, labels, sizes").
 */
const sizeLimitBytes = 1_048_576;

/** The errors of a ConfigMap that its schema does not report: keys in both maps, and size. */
function validateConfigMap({ data = {}, binaryData = {} }: ConfigMap): readonly FieldError[] {
  const repeated = Object.keys(data).filter((key) => Object.hasOwn(binaryData, key));
  const size =
    Object.values(data).reduce((sum, value) => sum + Buffer.byteLength(value), 0) +
    Object.values(binaryData).reduce((sum, value) => sum + base64Size(value), 0);
  return allErrors(
    errorsOfEach(repeated, repeatedKeyErrors),
    size > sizeLimitBytes ? [tooLong('', sizeLimitBytes)] : noErrors,
  );
}

/** The errors of a key in both maps, which replace the errors of the schema. */
function repeatedKeyErrors(key: string): readonly FieldError[] {
  const field = `data[${key}]`;
  return [...checkString(field, key, validateConfigKey), invalid(field, key, 'duplicate of key present in binaryData')];
}

/** The resource `configmaps` of the core group. */
export const configMaps = builtIn<ConfigMap>({
  group: '',
  resource: 'configmaps',
  kind: 'ConfigMap',
  namespaced: true,
  versions: { v1: {} },
  shortNames: ['cm'],
  columns: [
    nameColumn,
    textColumn(
      'Data',
      'Number of keys, of texts and of binary values.',
      ({ data = {}, binaryData = {} }) => Object.keys(data).length + Object.keys(binaryData).length,
    ),
    ageColumn,
  ],
  strategy: {
    validate: validateConfigMap,
    validateUpdate: (configMap, old) => checkImmutableMark(configMap, old, ['data', 'binaryData']),
  },
});
