import type { Secret } from '../../../gen/stored/core-v1.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, textColumn } from '../../columns/column.ts';
import { setOwn } from '../../../meta/json-value.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { checkImmutable, checkImmutableMark } from '../../rules/fields/immutable.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';
import { base64Size } from '../../rules/fields/field-checks.ts';

/** MaxSecretSize: the total size of all values must be below it (spec 2.4, section 8). */
const maxSecretSizeBytes = 1_048_576;

/** The errors of a Secret that its schema does not report: size, and the rules of its type. */
function validateSecret(secret: Secret, { identifiers }: StrategyContext): readonly FieldError[] {
  const size = Object.values(secret.data ?? {}).reduce((sum, value) => sum + base64Size(value), 0);
  return [
    ...(size >= maxSecretSizeBytes ? [tooLong('data', maxSecretSizeBytes - 1)] : []),
    ...(typeRules(identifiers).get(secret.type)?.(secret) ?? []),
  ];
}

type TypeRule = (secret: Secret) => FieldError[];

/** The rules of types. Other types have no rule. */
function typeRules({ labelDomain }: Identifiers): ReadonlyMap<string, TypeRule> {
  return new Map<string, TypeRule>([
    [`${labelDomain}/service-account-token`, needsAnnotation(`${labelDomain}/service-account.name`)],
    [`${labelDomain}/dockercfg`, needsJsonKey('.dockercfg')],
    [`${labelDomain}/dockerconfigjson`, needsJsonKey('.dockerconfigjson')],
    [`${labelDomain}/basic-auth`, needsOneKey(['username', 'password'])],
    [`${labelDomain}/ssh-auth`, needsValue('ssh-privatekey')],
    [`${labelDomain}/tls`, needsKeys(['tls.crt', 'tls.key'])],
  ]);
}

function needsAnnotation(name: string): TypeRule {
  return ({ metadata }) => (metadata.annotations?.[name] ? [] : [required(`metadata.annotations[${name}]`)]);
}

function needsKeys(keys: readonly string[]): TypeRule {
  return ({ data }) => keys.filter((key) => data?.[key] === undefined).map((key) => required(`data[${key}]`));
}

function needsOneKey(keys: readonly string[]): TypeRule {
  return ({ data }) =>
    keys.some((key) => data?.[key] !== undefined) ? [] : keys.map((key) => required(oddField(key)));
}

function needsValue(key: string): TypeRule {
  return ({ data }) => (data?.[key] ? [] : [required(oddField(key))]);
}

/** The field of some errors, in the odd format of kube-apiserver. */
function oddField(key: string): string {
  return `data[%s][${key}]`;
}

function needsJsonKey(key: string): TypeRule {
  return ({ data }) => {
    const text = data?.[key];
    if (text === undefined) return [required(`data[${key}]`)];
    // The value is a secret, and the Status reaches logs.
    const shown = '<secret contents redacted>';
    return isJsonDocument(text) ? [] : [invalid(`data[${key}]`, shown, 'must be a JSON object')];
  };
}

function isJsonDocument(base64: string): boolean {
  try {
    const value: unknown = JSON.parse(Buffer.from(base64, 'base64').toString('utf8'));
    return typeof value === 'object' && !Array.isArray(value);
  } catch (error) {
    if (error instanceof SyntaxError) return false;
    throw error;
  }
}

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
