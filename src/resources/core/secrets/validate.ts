import { errorsOfEach } from '../../../status/all-errors.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateConfigKey } from '../../../meta/validate-name.ts';
import { type FieldError, invalid, required, tooLong } from '../../../status/field-error.ts';
import { isSet, objectAt, stringAt, stringEntriesAt } from '../../../meta/read-field.ts';
import { base64Size } from '../../rules/fields/base64-size.ts';
import { checkString } from '../../rules/fields/check.ts';
import { checkImmutable, checkImmutableMark } from '../../rules/fields/immutable.ts';

/** MaxSecretSize: the total size of all values must be below it (spec 2.4, section 8). */
const maxSecretSizeBytes = 1_048_576;

/** All errors of a Secret: forbidden changes, keys, size, and the rules of its type. */
export function validateSecret(secret: JsonObject, identifiers: Identifiers, old?: JsonObject): FieldError[] {
  const entries = stringEntriesAt(secret, 'data');
  const size = entries.reduce((sum, [, value]) => sum + base64Size(value), 0);
  return [
    ...(old ? changeErrors(secret, old) : []),
    ...errorsOfEach(entries, ([key]) => checkString(`data[${key}]`, key, validateConfigKey)),
    ...(size >= maxSecretSizeBytes ? [tooLong('data', maxSecretSizeBytes - 1)] : []),
    ...(typeRules(identifiers).get(stringAt(secret, 'type'))?.(secret) ?? []),
  ];
}

/** The errors of an update: the type is immutable, and so are the data of an immutable Secret. */
function changeErrors(secret: JsonObject, old: JsonObject): FieldError[] {
  return [
    ...checkImmutable('type', getOwn(secret, 'type'), getOwn(old, 'type')),
    ...checkImmutableMark(secret, old, ['data']),
  ];
}

type TypeRule = (secret: JsonObject) => FieldError[];

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
  return (secret) =>
    stringAt(objectAt(secret, 'metadata', 'annotations'), name) === ''
      ? [required(`metadata.annotations[${name}]`)]
      : [];
}

function needsKeys(keys: readonly string[]): TypeRule {
  return (secret) => keys.filter((key) => !isSet(objectAt(secret, 'data'), key)).map((key) => required(`data[${key}]`));
}

function needsOneKey(keys: readonly string[]): TypeRule {
  return (secret) => {
    const data = objectAt(secret, 'data');
    return keys.some((key) => isSet(data, key)) ? [] : keys.map((key) => required(oddField(key)));
  };
}

function needsValue(key: string): TypeRule {
  return (secret) => (stringAt(objectAt(secret, 'data'), key) === '' ? [required(oddField(key))] : []);
}

/** The field of some errors, in the odd format of kube-apiserver. */
function oddField(key: string): string {
  return `data[%s][${key}]`;
}

function needsJsonKey(key: string): TypeRule {
  return (secret) => {
    const data = objectAt(secret, 'data');
    if (!isSet(data, key)) return [required(`data[${key}]`)];
    return isJsonDocument(stringAt(data, key))
      ? []
      : // The value is a secret, and the Status reaches logs.
        [invalid(`data[${key}]`, '<secret contents redacted>', 'must be a JSON object')];
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
