import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { StrategyContext } from '../../../registry/definition/strategy.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { isSet, objectAt, objectsAt, stringAt, stringsAt } from '../../../meta/read-field.ts';
import { checkEach, checkString } from '../../rules/fields/check.ts';
import { checkHost, checkHostNotIp } from '../../rules/fields/host.ts';
import { type IngressFields, ingressFieldsOf, validateBackend } from './backend.ts';

/** All errors of an Ingress (spec 2.3), in the order of its fields. */
export function validateIngress(
  ingress: JsonObject,
  { version }: StrategyContext,
  old?: JsonObject,
): readonly FieldError[] {
  const checksSecrets = version === 'v1' && !(old && hasInvalidSecretName(old));
  const fields = ingressFieldsOf(version);
  const spec = objectAt(ingress, 'spec');
  const rules = objectsAt(spec, 'rules');
  return [
    ...(rules.length === 0 && !isSet(spec, 'defaultBackend')
      ? [invalid('spec', [], `either \`${fields.defaultBackend}\` or \`rules\` must be specified`)]
      : []),
    ...(isSet(spec, 'defaultBackend')
      ? validateBackend(objectAt(spec, 'defaultBackend'), `spec.${fields.defaultBackend}`, fields)
      : []),
    ...checkEach('spec.rules', rules, (rule, path) => ruleErrors(rule, path, fields)),
    ...checkEach('spec.tls', objectsAt(spec, 'tls'), (tls, path) => tlsErrors(tls, path, checksSecrets)),
    ...(isSet(spec, 'ingressClassName')
      ? checkString('spec.ingressClassName', stringAt(spec, 'ingressClassName'), validateDnsSubdomain)
      : []),
  ];
}

/**
 * Refuses a new Ingress that has both the class field and the deprecated annotation. Existing ones
 * may have both.
 */
export function validateIngressClassChoice(ingress: JsonObject, { labelDomain }: Identifiers): readonly FieldError[] {
  const name = `${labelDomain}/ingress.class`;
  const annotation = getOwn(objectAt(ingress, 'metadata', 'annotations'), name);
  return annotation !== undefined && isSet(objectAt(ingress, 'spec'), 'ingressClassName')
    ? [invalid(`annotations.${name}`, annotation, 'can not be set when the class field is also set')]
    : [];
}

function ruleErrors(rule: JsonObject, path: string, fields: IngressFields): readonly FieldError[] {
  const host = stringAt(rule, 'host');
  return [
    ...(host === '' ? [] : [...checkHostNotIp(`${path}.host`, host), ...checkHost(`${path}.host`, host)]),
    ...(isSet(rule, 'http') ? pathListErrors(objectAt(rule, 'http'), `${path}.http.paths`, fields) : []),
  ];
}

function pathListErrors(http: JsonObject, path: string, fields: IngressFields): readonly FieldError[] {
  const paths = objectsAt(http, 'paths');
  return paths.length === 0
    ? [required(path)]
    : checkEach(path, paths, (httpPath, at) => pathErrors(httpPath, at, fields));
}

/** The check of `path` for each path type, in the order in which messages list the types. */
const pathRules: ReadonlyMap<string, (path: string) => readonly string[]> = new Map([
  ['Exact', strictPathMessages],
  ['ImplementationSpecific', loosePathMessages],
  ['Prefix', strictPathMessages],
]);

function pathErrors(httpPath: JsonObject, path: string, fields: IngressFields): readonly FieldError[] {
  const type = stringAt(httpPath, 'pathType');
  if (!isSet(httpPath, 'pathType')) return [required(`${path}.pathType`, 'pathType must be specified')];
  const rule = pathRules.get(type);
  return [
    ...(rule
      ? checkString(`${path}.path`, stringAt(httpPath, 'path'), rule)
      : [notSupported(`${path}.pathType`, type, [...pathRules.keys()])]),
    ...validateBackend(objectAt(httpPath, 'backend'), `${path}.backend`, fields),
  ];
}

/** Sequences that proxies may interpret differently. */
const ambiguousSequences = ['//', '/./', '/../', '%2f', '%2F'];
const ambiguousEndings = ['/..', '/.'];

function strictPathMessages(path: string): string[] {
  return [
    ...(path.startsWith('/') ? [] : ['must be an absolute path']),
    ...ambiguousSequences.filter((part) => path.includes(part)).map((part) => `must not contain '${part}'`),
    ...ambiguousEndings.filter((part) => path.endsWith(part)).map((part) => `cannot end with '${part}'`),
  ];
}

function loosePathMessages(path: string): string[] {
  return path === '' || path.startsWith('/') ? [] : ['must be an absolute path'];
}

function tlsErrors(tls: JsonObject, path: string, checksSecrets: boolean): readonly FieldError[] {
  return [
    ...checkEach(`${path}.hosts`, stringsAt(tls, 'hosts'), (host, at) => checkHost(at, host)),
    ...(checksSecrets ? secretNameErrors(tls, path) : []),
  ];
}

function secretNameErrors(tls: JsonObject, path: string): readonly FieldError[] {
  const secretName = stringAt(tls, 'secretName');
  return secretName === '' ? [] : checkString(`${path}.secretName`, secretName, validateDnsSubdomain);
}

/**
 * Reports whether an Ingress was stored with the name of a secret that v1 refuses. Older versions
 * accept any name, and so does an update of an object that has one.
 */
function hasInvalidSecretName(ingress: JsonObject): boolean {
  return objectsAt(objectAt(ingress, 'spec'), 'tls').some((tls) => secretNameErrors(tls, '').length > 0);
}
