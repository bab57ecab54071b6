import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { validateDnsSubdomain, validateWholePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { makeObjectAt, objectAt, objectsAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { checkEach, checkRequiredString, checkString } from '../fields/check.ts';

/**
 * The strategy of RoleBindings and ClusterRoleBindings. A RoleBinding may refer to a Role or a
 * ClusterRole.
 */
export function roleBindingStrategy(scope: 'namespace' | 'cluster'): Strategy {
  const kinds = scope === 'cluster' ? ['ClusterRole'] : ['Role', 'ClusterRole'];
  return {
    validateName: validateWholePathSegment,
    default: (binding, { identifiers }) => defaultBinding(binding, identifiers),
    validate: (binding, { identifiers }) => [
      ...referenceErrors(objectAt(binding, 'roleRef'), kinds, identifiers),
      ...checkEach('subjects', objectsAt(binding, 'subjects'), (subject, path) =>
        subjectErrors(subject, path, scope, identifiers),
      ),
    ],
    validateUpdate: (binding, old) =>
      sameValue(getOwn(binding, 'roleRef'), getOwn(old, 'roleRef'))
        ? []
        : [invalid('roleRef', objectAt(binding, 'roleRef'), 'cannot change roleRef')],
    allowCreateOnUpdate: true,
  };
}

function rbacGroup({ apiDomain }: Identifiers): string {
  return `rbac.authorization.${apiDomain}`;
}

/**
 * Fills in the API groups. Users and groups are in the RBAC group; service accounts are in the core
 * group, whose name is empty. Mutates.
 */
function defaultBinding(binding: JsonObject, identifiers: Identifiers): void {
  const roleRef = makeObjectAt(binding, 'roleRef');
  if (stringAt(roleRef, 'apiGroup') === '') roleRef['apiGroup'] = rbacGroup(identifiers);
  for (const subject of objectsAt(binding, 'subjects')) {
    const named = ['User', 'Group'].includes(stringAt(subject, 'kind'));
    if (named && stringAt(subject, 'apiGroup') === '') subject['apiGroup'] = rbacGroup(identifiers);
  }
}

function referenceErrors(
  roleRef: JsonObject,
  kinds: readonly string[],
  identifiers: Identifiers,
): readonly FieldError[] {
  const group = stringAt(roleRef, 'apiGroup');
  const kind = stringAt(roleRef, 'kind');
  return [
    ...(group === rbacGroup(identifiers) ? [] : [notSupported('roleRef.apiGroup', group, [rbacGroup(identifiers)])]),
    ...(kinds.includes(kind) ? [] : [notSupported('roleRef.kind', kind, kinds)]),
    ...checkRequiredString('roleRef.name', stringAt(roleRef, 'name'), validateWholePathSegment),
  ];
}

function subjectErrors(
  subject: JsonObject,
  path: string,
  scope: string,
  identifiers: Identifiers,
): readonly FieldError[] {
  const kind = stringAt(subject, 'kind');
  const expected = subjectGroups(identifiers).get(kind);
  const group = stringAt(subject, 'apiGroup');
  const nameless = stringAt(subject, 'name') === '' ? [required(`${path}.name`)] : [];
  if (expected === undefined) {
    return [...nameless, notSupported(`${path}.kind`, kind, [...subjectGroups(identifiers).keys()])];
  }
  const wrongGroup = group === expected ? [] : [notSupported(`${path}.apiGroup`, group, [expected])];
  if (kind !== 'ServiceAccount') return [...nameless, ...wrongGroup];
  return [
    ...nameless,
    ...accountNameErrors(`${path}.name`, stringAt(subject, 'name')),
    ...wrongGroup,
    ...(scope === 'cluster' && stringAt(subject, 'namespace') === '' ? [required(`${path}.namespace`)] : []),
  ];
}

function subjectGroups(identifiers: Identifiers): ReadonlyMap<string, string> {
  return new Map([
    ['ServiceAccount', ''],
    ['User', rbacGroup(identifiers)],
    ['Group', rbacGroup(identifiers)],
  ]);
}

function accountNameErrors(field: string, name: string): readonly FieldError[] {
  return name === '' ? [] : checkString(field, name, validateDnsSubdomain);
}
