import type { ColumnInfo } from '../registry/resource-definition.ts';

/** The name of an object. */
export const name: ColumnInfo = { name: 'Name', type: 'string', format: 'name' };

/** How long an object has been there. */
export const age: ColumnInfo = text('Age');

/** The time from which an object has been there. */
export const createdAt: ColumnInfo = { name: 'Created At', type: 'date' };

/** What runs in the pods of a workload. */
export const workload: readonly ColumnInfo[] = [wide('Containers'), wide('Images')];

/** The same of a workload that selects its pods by labels. */
export const workloadWithSelector: readonly ColumnInfo[] = [...workload, wide('Selector')];

/** A column of texts. */
export function text(title: string): ColumnInfo {
  return { name: title, type: 'string' };
}

/** A column of texts that is shown only when asked for more (`-o wide`). */
export function wide(title: string): ColumnInfo {
  return { name: title, type: 'string', priority: 1 };
}

/** A column of whole numbers. */
export function integer(title: string): ColumnInfo {
  return { name: title, type: 'integer' };
}

/** A column of true and false. */
export function flag(title: string): ColumnInfo {
  return { name: title, type: 'boolean' };
}
