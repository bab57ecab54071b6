import type {
  FlowSchema,
  NonResourcePolicyRule,
  PolicyRulesWithSubjects,
  ResourcePolicyRule,
  Subject,
} from '../../../gen/stored/flowcontrol-v1.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid, notSupported, required } from '../../../status/field-error.ts';
import { checkEach, checkRequiredString, checkString } from '../../rules/fields/field-checks.ts';

const highestPrecedence = 10_000;
/** The flow schema of exempt requests. Only it may have `matchingPrecedence` 1. */
const exempt = 'exempt';

/** All errors of a flow schema. */
export function validateFlowSchema({ metadata, spec }: FlowSchema): readonly FieldError[] {
  return [
    ...precedenceErrors(spec.matchingPrecedence, metadata.name ?? ''),
    ...checkRequiredString(
      'spec.priorityLevelConfiguration.name',
      spec.priorityLevelConfiguration.name,
      validateDnsSubdomain,
      'must reference a priority level',
    ),
    ...checkEach('spec.rules', spec.rules ?? [], ruleErrors),
  ];
}

function precedenceErrors(precedence: number, name: string): readonly FieldError[] {
  const field = 'spec.matchingPrecedence';
  if (precedence <= 0) return [invalid(field, precedence, 'must be a positive value')];
  if (precedence > highestPrecedence) {
    return [invalid(field, precedence, `must not be greater than ${highestPrecedence}`)];
  }
  return precedence === 1 && name !== exempt
    ? [invalid(field, precedence, "only the schema named 'exempt' may have matchingPrecedence 1")]
    : [];
}

/** The field of each kind of subject. */
const subjectFields: ReadonlyMap<string, 'group' | 'serviceAccount' | 'user'> = new Map([
  ['Group', 'group'],
  ['ServiceAccount', 'serviceAccount'],
  ['User', 'user'],
]);

function ruleErrors(rule: PolicyRulesWithSubjects, path: string): readonly FieldError[] {
  const { subjects: given, resourceRules = [], nonResourceRules = [] } = rule;
  const subjects = given ?? [];
  return [
    ...(subjects.length === 0 ? [required(`${path}.subjects`, 'subjects must contain at least one value')] : []),
    ...checkEach(`${path}.subjects`, subjects, subjectErrors),
    ...(resourceRules.length + nonResourceRules.length === 0
      ? [required(path, 'at least one of resourceRules and nonResourceRules has to be non-empty')]
      : []),
    ...checkEach(`${path}.resourceRules`, resourceRules, resourceErrors),
    ...checkEach(`${path}.nonResourceRules`, nonResourceRules, pathErrors),
  ];
}

function subjectErrors(subject: Subject, path: string): readonly FieldError[] {
  const { kind } = subject;
  const field = subjectFields.get(kind);
  if (field === undefined) return [notSupported(`${path}.kind`, kind, [...subjectFields.keys()])];
  const others = [...subjectFields].filter(([, name]) => name !== field && subject[name]);
  const named = subject[field];
  return [
    ...(named
      ? namedErrors(named, `${path}.${field}`, kind)
      : [required(`${path}.${field}`, `${field} is required when subject kind is '${kind}'`)]),
    ...others.map(([other, name]) =>
      forbidden(`${path}.${name}`, `${name} is forbidden when subject kind is not '${other}'`),
    ),
  ];
}

function namedErrors(
  { name, namespace = '' }: { readonly name: string; readonly namespace?: string },
  path: string,
  kind: string,
): readonly FieldError[] {
  if (kind !== 'ServiceAccount') return name === '' ? [required(`${path}.name`)] : [];
  return [
    ...(name === '*' ? [] : checkRequiredString(`${path}.name`, name, validateDnsSubdomain)),
    ...checkRequiredString(
      `${path}.namespace`,
      namespace,
      validateDnsLabel,
      'must specify namespace for service account',
    ),
  ];
}

const verbs = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'proxy', 'update', 'watch'];

function verbErrors(field: string, given: readonly string[]): readonly FieldError[] {
  const errors = listErrors(field, given, 'verbs must contain at least one value', 'verbs');
  const unknown = !given.includes('*') && given.some((verb) => !verbs.includes(verb));
  return errors.length === 0 && unknown ? [notSupported(field, [...given], verbs)] : errors;
}

function listErrors(field: string, values: readonly string[], none: string, items: string): readonly FieldError[] {
  if (values.length === 0) return [required(field, none)];
  return values.length > 1 && values.includes('*')
    ? [invalid(field, [...values], `if '*' is present, must not specify other ${items}`)]
    : [];
}

function resourceErrors(rule: ResourcePolicyRule, path: string): readonly FieldError[] {
  const supply = 'resource rules must supply at least one';
  return [
    ...verbErrors(`${path}.verbs`, rule.verbs ?? []),
    ...listErrors(`${path}.apiGroups`, rule.apiGroups ?? [], `${supply} api group`, 'api groups'),
    ...listErrors(`${path}.resources`, rule.resources ?? [], `${supply} resource`, 'resources'),
    ...namespaceErrors(`${path}.namespaces`, rule.namespaces ?? [], rule.clusterScope),
  ];
}

function namespaceErrors(field: string, namespaces: readonly string[], clusterScope = false): readonly FieldError[] {
  if (namespaces.length === 0) {
    const none = 'resource rules that are not cluster scoped must supply at least one namespace';
    return clusterScope ? [] : [required(field, none)];
  }
  if (namespaces.includes('*')) return listErrors(field, namespaces, '', 'namespaces');
  return checkEach(field, namespaces, (namespace, path) => checkString(path, namespace, validateDnsLabel));
}

function pathErrors(rule: NonResourcePolicyRule, path: string): readonly FieldError[] {
  const [field, urls] = [`${path}.nonResourceURLs`, rule.nonResourceURLs ?? []];
  return [
    ...verbErrors(`${path}.verbs`, rule.verbs ?? []),
    ...listErrors(field, urls, 'nonResourceURLs must contain at least one value', 'non-resource URLs'),
    // A wildcard beside others is their only error.
    ...(urls.includes('*') ? [] : checkEach(field, urls, (url, at) => urlErrors(at, url))),
  ];
}

/** Rules of a path, in the order of the checks. The first that it breaks is reported. */
const pathRules: readonly (readonly [isWrong: (url: string) => boolean, detail: string])[] = [
  [(url) => url === '', 'must not be empty'],
  [(url) => !url.startsWith('/'), 'must start with slash'],
  [(url) => url.includes(' '), 'must not contain white-space'],
  [(url) => url.includes('//'), 'must not contain double slash'],
  [(url) => url.replace(/\/\*$/, '').includes('*'), 'wildcard can only do suffix matching'],
];

/** Checks a path. Its last segment may be a wildcard. */
function urlErrors(field: string, url: string): readonly FieldError[] {
  const rule = pathRules.find(([isWrong]) => isWrong(url));
  return rule ? [invalid(field, url, rule[1])] : noErrors;
}
