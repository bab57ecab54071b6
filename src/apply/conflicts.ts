import { cutText } from '../status/shown-value.ts';
import type { StatusCause } from '../status/status-error.ts';
import { type FieldSet, pathsInOrder } from './field-set.ts';
import type { Manager } from './managed-fields.ts';
import { pathText } from './path-text.ts';

/** The fields of another manager that an apply would change. */
export interface Conflict {
  readonly manager: Manager;
  readonly fields: FieldSet;
}

/** Returns the message of a refused apply; clients print it unchanged. */
export function conflictMessage(conflicts: readonly Conflict[]): string {
  const found = inOrder(conflicts).map(({ manager, fields }) => ({
    manager: managerText(manager),
    paths: paths(fields),
  }));
  const count = found.reduce((sum, { paths: { length } }) => sum + length, 0);
  const [first] = found;
  if (count === 1 && first) return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.paths[0]}`;
  const lines = found.flatMap(({ manager, paths: list }) => [
    `conflicts with ${manager}:`,
    ...list.slice(0, shownLimit).map((path) => `- ${path}`),
    ...(list.length > shownLimit ? [`- and ${list.length - shownLimit} more`] : []),
  ]);
  return `Apply failed with ${count} conflicts: ${lines.join('\n')}`;
}

/** The number of fields of one manager in a message, and the number of causes in a Status. */
const shownLimit = 100;

/** Returns a cause for each field of each manager, at most `shownLimit` causes. */
export function conflictCauses(conflicts: readonly Conflict[]): readonly StatusCause[] {
  const causes: StatusCause[] = [];
  for (const { manager, fields } of inOrder(conflicts)) {
    const message = `conflict with ${managerText(manager)}`;
    for (const field of paths(fields).slice(0, shownLimit - causes.length)) {
      causes.push({ reason: 'FieldManagerConflict', message, field });
    }
  }
  return causes;
}

function paths(fields: FieldSet): readonly string[] {
  return Array.from(pathsInOrder(fields), (path) => cutText(pathText(path)));
}

function inOrder(conflicts: readonly Conflict[]): readonly Conflict[] {
  const key = ({ manager: { name, operation, apiVersion, subresource } }: Conflict): string =>
    JSON.stringify([name, operation, apiVersion, subresource]);
  return conflicts.toSorted((a, b) => (key(a) < key(b) ? -1 : 1));
}

/**
 * Formats a manager for a message. The version is shown for Update managers only: an Apply manager
 * is the same in all versions.
 */
function managerText({ name, operation, apiVersion, subresource }: Manager): string {
  const within = subresource === '' ? '' : ` with subresource ${JSON.stringify(subresource)}`;
  return `${JSON.stringify(name)}${within}${operation === 'Update' ? ` using ${apiVersion}` : ''}`;
}
