import type { Secret } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { setOwn } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { checkImmutable, checkImmutableMark } from '../../rules/fields/immutable.ts';
import { validateSecret } from './validate.ts';

/** The strategy of Secrets (spec 2.4, 4.4). */
const strategy: Strategy<Secret> = {
  default: mergeTexts,
  validate: validateSecret,
  validateUpdate: (secret, old) => [
    ...checkImmutable('type', secret.type, old.type),
    ...checkImmutableMark(secret, old, ['data']),
  ],
  selectableFields: ['type'],
  fieldsOf: ({ type }) => ({ type }),
};

/**
 * Merges the write-only `stringData` into `data`, where it replaces equal keys (spec 2.4).
 * Mutates.
 */
function mergeTexts(secret: Secret): void {
  const { stringData = {}, data = {} } = secret;
  delete secret.stringData;
  for (const [key, value] of Object.entries(stringData)) {
    setOwn(data, key, Buffer.from(value, 'utf8').toString('base64'));
    secret.data = data;
  }
}

/** The resource `secrets` of the core group. */
export const secrets = builtIn<Secret>({
  group: '',
  resource: 'secrets',
  kind: 'Secret',
  namespaced: true,
  versions: { v1: {} },
  columns: [
    nameColumn,
    textColumn('Type', 'Type of the secret, which tells what its data is for.', ({ type }) => type),
    textColumn('Data', 'Number of keys.', ({ data = {} }) => Object.keys(data).length),
    ageColumn,
  ],
  strategy,
});
