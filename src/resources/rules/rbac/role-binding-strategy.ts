import type { RoleBinding, RoleRef, Subject } from '../../../gen/stored/rbac-authorization-v1.ts';
import type { Identifiers } from '../../../identifiers/identifiers.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { validateDnsSubdomain, validateWholePathSegment } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { invalid, notSupported } from '../../../status/field-error.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, nameColumn, textColumn, wideColumn } from '../../columns/column.ts';

/** The columns of role bindings, of one namespace or of all. */
export const roleBinding: readonly Column<Pick<RoleBinding, 'roleRef' | 'subjects'>>[] = [
  nameColumn,
  textColumn('Role', 'Kind and name of the role that is granted.', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
  ageColumn,
  wideColumn('Users', 'Users that are granted the role.', ({ subjects }) => subjectsOf('User', subjects)),
  wideColumn('Groups', 'Groups that are granted the role.', ({ subjects }) => subjectsOf('Group', subjects)),
  wideColumn('ServiceAccounts', 'Service accounts that are granted the role.', ({ subjects }) =>
    subjectsOf('ServiceAccount', subjects, ({ namespace = '', name: account }) => `${namespace}/${account}`),
  ),
];

function subjectsOf(
  kind: string,
  subjects: readonly Subject[] = [],
  format: (subject: Subject) => string = (subject) => subject.name,
): string {
  return subjects
    .filter((subject) => subject.kind === kind)
    .map(format)
    .join(', ');
}

type Scope = 'namespace' | 'cluster';

/**
 * The strategy of RoleBindings and ClusterRoleBindings. A RoleBinding may refer to a Role or a
 * ClusterRole.
 */
export function roleBindingStrategy(scope: Scope): Strategy<RoleBinding> {
  return {
    validateName: validateWholePathSegment,
    default: (binding, { identifiers }) => defaultBinding(binding, rbacGroup(identifiers)),
    validate: (binding, { identifiers }) => {
      const cursor = new FieldCursor(binding);
      checkReference(cursor.at('roleRef'), scope, rbacGroup(identifiers));
      for (const subject of cursor.each('subjects')) checkSubject(subject, scope, rbacGroup(identifiers));
      return cursor.errors;
    },
    validateUpdate: ({ roleRef }, old) =>
      sameValue(roleRef, old.roleRef) ? [] : [invalid('roleRef', roleRef, 'cannot change roleRef')],
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
function defaultBinding({ roleRef, subjects = [] }: RoleBinding, group: string): void {
  roleRef.apiGroup ||= group;
  for (const subject of subjects) {
    if (['User', 'Group'].includes(subject.kind)) subject.apiGroup ||= group;
  }
}

function checkReference(reference: FieldCursor<RoleRef>, scope: Scope, group: string): void {
  const { apiGroup, kind } = reference.value;
  const kinds = scope === 'cluster' ? ['ClusterRole'] : ['Role', 'ClusterRole'];
  if (apiGroup !== group) reference.report(notSupported('roleRef.apiGroup', apiGroup, [group]));
  if (!kinds.includes(kind)) reference.report(notSupported('roleRef.kind', kind, kinds));
  reference.at('name').mustBe(validateWholePathSegment);
}

function checkSubject(subject: FieldCursor<Subject>, scope: Scope, group: string): void {
  const { kind, apiGroup = '' } = subject.value;
  const groups: Readonly<Record<string, string>> = { ServiceAccount: '', User: group, Group: group };
  const expected = getOwn(groups, kind);
  if (expected === undefined) {
    subject.report(notSupported(`${subject.path}.kind`, kind, Object.keys(groups)));
    return;
  }
  if (apiGroup !== expected) subject.report(notSupported(`${subject.path}.apiGroup`, apiGroup, [expected]));
  if (kind !== 'ServiceAccount') return;
  subject.at('name').mustBe(validateDnsSubdomain);
  if (scope === 'cluster') subject.at('namespace').mustBeSet();
}
