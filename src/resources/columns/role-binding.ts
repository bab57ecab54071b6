import type { Column } from '../../codec/table.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { objectAt, objectsAt, stringAt } from '../../meta/read-field.ts';
import { age, name, text, wide } from './column.ts';

/** The columns of role bindings, of one namespace or of all. */
export const roleBinding: readonly Column[] = [
  name,
  text('Role', 'Kind and name of the role that is granted.', (object) => {
    const role = objectAt(object, 'roleRef');
    return `${stringAt(role, 'kind')}/${stringAt(role, 'name')}`;
  }),
  age,
  wide('Users', 'Users that are granted the role.', (object) => subjects(object, 'User', nameOf)),
  wide('Groups', 'Groups that are granted the role.', (object) => subjects(object, 'Group', nameOf)),
  wide('ServiceAccounts', 'Service accounts that are granted the role.', (object) =>
    subjects(object, 'ServiceAccount', (subject) => `${stringAt(subject, 'namespace')}/${nameOf(subject)}`),
  ),
];

function nameOf(subject: JsonObject): string {
  return stringAt(subject, 'name');
}

function subjects(binding: JsonObject, kind: string, format: (subject: JsonObject) => string): string {
  const ofKind = objectsAt(binding, 'subjects').filter((subject) => stringAt(subject, 'kind') === kind);
  return ofKind.map(format).join(', ');
}
