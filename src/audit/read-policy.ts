import { getOwn, isJsonObject, type JsonObject, type JsonValue } from '../meta/json-value.ts';
import { isTrue, objectsAt, stringAt, stringsAt } from '../meta/read-field.ts';
import { validateDnsSubdomain } from '../meta/validate-name.ts';
import { type FieldError, invalid, notSupported, required } from '../status/field-error.ts';
import { type AuditLevel, auditLevels, type AuditStage, auditStages } from './audit-event.ts';
import type { AuditedResources, AuditPolicy, AuditRule } from './policy.ts';

/** The kind and the versions of policies, which have the same fields. */
export const policyKind = { kind: 'Policy', versions: ['v1', 'v1beta1', 'v1alpha1'] } as const;

const policyFields = new Set(['apiVersion', 'kind', 'metadata', 'rules', 'omitStages', 'omitManagedFields']);
const ruleFields = new Set([
  'level',
  'users',
  'userGroups',
  'verbs',
  'resources',
  'namespaces',
  'nonResourceURLs',
  'omitStages',
  'omitManagedFields',
]);

/** The types of fields, by name. Other fields are objects or are not known. */
const fieldTypes: Readonly<Record<string, FieldType>> = {
  ...typed('texts', ['users', 'userGroups', 'verbs', 'namespaces', 'nonResourceURLs', 'omitStages', 'resourceNames']),
  ...typed('objects', ['rules']),
  ...typed('text', ['level', 'group']),
  ...typed('boolean', ['omitManagedFields']),
};

type FieldType = 'text' | 'texts' | 'objects' | 'boolean';

function typed(type: FieldType, names: readonly string[]): Readonly<Record<string, FieldType>> {
  return Object.fromEntries(names.map((name) => [name, type]));
}

/**
 * Returns all errors of a policy, with the paths and words of kube-apiserver. A value of another
 * type than its field is an error too: without it a rule would match more requests.
 */
export function policyErrors(document: JsonObject): readonly FieldError[] {
  const ofTypes = [
    ...typeErrors('', document, fieldTypes),
    ...objectsAt(document, 'rules').flatMap((rule, index) => [
      ...typeErrors(`rules[${index}].`, rule, { ...fieldTypes, resources: 'objects' }),
      ...objectsAt(rule, 'resources').flatMap((entry, at) =>
        typeErrors(`rules[${index}].resources[${at}].`, entry, { ...fieldTypes, resources: 'texts' }),
      ),
    ]),
  ];
  return ofTypes.length > 0 ? ofTypes : valueErrors(document);
}

function typeErrors(
  prefix: string,
  object: JsonObject,
  types: Readonly<Record<string, FieldType>>,
): readonly FieldError[] {
  return Object.entries(object).flatMap(([name, value]) => {
    const type = types[name];
    if (!type || value === null || isOfType(value, type)) return [];
    return [invalid(`${prefix}${name}`, value, `must be ${shownTypes[type]}`)];
  });
}

const shownTypes: Readonly<Record<FieldType, string>> = {
  text: 'a string',
  texts: 'a list of strings',
  objects: 'a list of objects',
  boolean: 'true or false',
};

function isOfType(value: JsonValue, type: FieldType): boolean {
  if (type === 'text') return typeof value === 'string';
  if (type === 'boolean') return typeof value === 'boolean';
  const isItem = type === 'texts' ? (item: JsonValue) => typeof item === 'string' : isJsonObject;
  return Array.isArray(value) && value.every(isItem);
}

function valueErrors(document: JsonObject): readonly FieldError[] {
  return [
    ...stageErrors('omitStages', document),
    ...objectsAt(document, 'rules').flatMap((rule, index) => ruleErrors(`rules[${index}]`, rule)),
  ];
}

/** Returns the paths of unknown fields. kube-apiserver ignores them with a warning. */
export function unknownPolicyFields(document: JsonObject): readonly string[] {
  return [
    ...unknown(document, policyFields),
    ...objectsAt(document, 'rules').flatMap((rule, index) =>
      unknown(rule, ruleFields).map((name) => `rules[${index}].${name}`),
    ),
  ];
}

function unknown(object: JsonObject, known: ReadonlySet<string>): readonly string[] {
  return Object.keys(object).filter((name) => !known.has(name));
}

/** Returns the rules of a policy without errors. */
export function readPolicy(document: JsonObject): AuditPolicy {
  const omitted = stagesAt(document);
  const withoutManagers = isTrue(document, 'omitManagedFields');
  return objectsAt(document, 'rules').map((rule) => readRule(rule, omitted, withoutManagers));
}

function readRule(rule: JsonObject, omitted: readonly AuditStage[], withoutManagers: boolean): AuditRule {
  const setOf = (name: string): ReadonlySet<string> => new Set(stringsAt(rule, name));
  const own = getOwn(rule, 'omitManagedFields');
  return {
    level: levelOf(rule) ?? 'None',
    omitStages: new Set([...omitted, ...stagesAt(rule)]),
    omitManagedFields: typeof own === 'boolean' ? own : withoutManagers,
    users: setOf('users'),
    userGroups: setOf('userGroups'),
    verbs: setOf('verbs'),
    namespaces: setOf('namespaces'),
    resources: objectsAt(rule, 'resources').map(readResources),
    nonResourceUrls: stringsAt(rule, 'nonResourceURLs'),
  };
}

function readResources(entry: JsonObject): AuditedResources {
  return {
    group: stringAt(entry, 'group'),
    resources: stringsAt(entry, 'resources'),
    resourceNames: new Set(stringsAt(entry, 'resourceNames')),
  };
}

function levelOf(rule: JsonObject): AuditLevel | undefined {
  return auditLevels.find((level) => level === stringAt(rule, 'level'));
}

function stagesAt(object: JsonObject): readonly AuditStage[] {
  const names = stringsAt(object, 'omitStages');
  return auditStages.filter((stage) => names.includes(stage));
}

function ruleErrors(at: string, rule: JsonObject): FieldError[] {
  const urls = stringsAt(rule, 'nonResourceURLs');
  const isForResources = objectsAt(rule, 'resources').length > 0 || stringsAt(rule, 'namespaces').length > 0;
  return [
    ...levelErrors(`${at}.level`, rule),
    ...urls.flatMap((url, index) => urlErrors(`${at}.nonResourceURLs[${index}]`, url)),
    ...objectsAt(rule, 'resources').flatMap((entry) => resourcesErrors(`${at}.resources`, entry)),
    ...stageErrors(`${at}.omitStages`, rule),
    ...(urls.length > 0 && isForResources
      ? [invalid(`${at}.nonResourceURLs`, urls, 'rules cannot apply to both regular resources and non-resource URLs')]
      : []),
  ];
}

function levelErrors(at: string, rule: JsonObject): FieldError[] {
  const level = stringAt(rule, 'level');
  if (level === '') return [required(at)];
  return levelOf(rule) ? [] : [notSupported(at, level, auditLevels)];
}

function urlErrors(at: string, url: string): FieldError[] {
  if (url === '*') return [];
  return [
    ...(url.startsWith('/') ? [] : [invalid(at, url, "non-resource URL rules must begin with a '/' character")]),
    ...(url.slice(0, -1).includes('*')
      ? [invalid(at, url, "non-resource URL wildcards '*' must be the final character of the rule")]
      : []),
  ];
}

function resourcesErrors(at: string, entry: JsonObject): FieldError[] {
  const group = stringAt(entry, 'group');
  const names = stringsAt(entry, 'resourceNames');
  const wrong = group === '' ? [] : validateDnsSubdomain(group);
  return [
    ...wrong.map((why) => invalid(`${at}.group`, group, why)),
    ...(names.length > 0 && stringsAt(entry, 'resources').length === 0
      ? [invalid(`${at}.resourceNames`, names, 'using resourceNames requires at least one resource')]
      : []),
  ];
}

function stageErrors(at: string, object: JsonObject): FieldError[] {
  return stringsAt(object, 'omitStages').flatMap((name, index) => {
    return auditStages.some((stage) => stage === name)
      ? []
      : [invalid(`${at}[${index}]`, name, `allowed stages are ${auditStages.join(',')}`)];
  });
}
