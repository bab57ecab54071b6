import type { Column } from '../../codec/table.ts';
import type { RoleBinding, Subject } from '../../gen/stored/rbac-authorization-v1.ts';
import { age, name, text, wide } from './column.ts';

/** The columns of role bindings, of one namespace or of all. */
export const roleBinding: readonly Column<Pick<RoleBinding, 'roleRef' | 'subjects'>>[] = [
  name,
  text('Role', 'Kind and name of the role that is granted.', ({ roleRef }) => `${roleRef.kind}/${roleRef.name}`),
  age,
  wide('Users', 'Users that are granted the role.', ({ subjects }) => subjectsOf('User', subjects)),
  wide('Groups', 'Groups that are granted the role.', ({ subjects }) => subjectsOf('Group', subjects)),
  wide('ServiceAccounts', 'Service accounts that are granted the role.', ({ subjects }) =>
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
