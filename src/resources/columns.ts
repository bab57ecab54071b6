import type { ColumnInfo } from '../registry/resource-definition.ts';

/** The column with the name of an object. */
export const name: ColumnInfo = { name: 'Name', type: 'string', format: 'name' };

/** The column with the age of an object. */
export const age: ColumnInfo = text('Age');

/** The column with the creation time of an object. */
export const createdAt: ColumnInfo = { name: 'Created At', type: 'date' };

/** The columns with the containers and images of a workload. */
export const workload: readonly ColumnInfo[] = [wide('Containers'), wide('Images')];

/** As `workload`, with the selector. */
export const workloadWithSelector: readonly ColumnInfo[] = [...workload, wide('Selector')];

/** A column of strings. */
export function text(title: string): ColumnInfo {
  return { name: title, type: 'string' };
}

/** A column of strings that is shown only with `-o wide`. */
export function wide(title: string): ColumnInfo {
  return { name: title, type: 'string', priority: 1 };
}

/** A column of integers. */
export function integer(title: string): ColumnInfo {
  return { name: title, type: 'integer' };
}

/** A column of booleans. */
export function flag(title: string): ColumnInfo {
  return { name: title, type: 'boolean' };
}

/** The columns of events, in both of their groups. */
export const eventColumns: readonly ColumnInfo[] = [
  text('Last Seen'),
  text('Type'),
  text('Reason'),
  text('Object'),
  wide('Subobject'),
  wide('Source'),
  text('Message'),
  wide('First Seen'),
  wide('Count'),
  { ...name, priority: 1 },
];

/** The columns of ingresses, in both of their groups. */
export const ingressColumns: readonly ColumnInfo[] = [
  name,
  text('Class'),
  text('Hosts'),
  text('Address'),
  text('Ports'),
  age,
];

/** The columns of replica sets and replication controllers. */
export const replicaColumns: readonly ColumnInfo[] = [
  name,
  integer('Desired'),
  integer('Current'),
  integer('Ready'),
  age,
  ...workloadWithSelector,
];

/** The columns of role bindings, of one namespace or of all. */
export const roleBindingColumns: readonly ColumnInfo[] = [
  name,
  text('Role'),
  age,
  wide('Users'),
  wide('Groups'),
  wide('ServiceAccounts'),
];

/** The columns of webhook configurations. */
export const webhookColumns: readonly ColumnInfo[] = [name, integer('Webhooks'), age];
