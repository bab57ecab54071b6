import { type CellContext, type Column, nameColumn } from '../../codec/table.ts';
import type { JsonObject, JsonValue } from '../../meta/json-value.ts';
import { metaText } from '../../meta/object-meta.ts';
import { ageSince } from '../../meta/human-duration.ts';

/** Computes a cell from an object in its storage version. */
type Cell<T> = (object: T, context: CellContext) => JsonValue;

/** The column with the name of an object. */
export const name: Column = nameColumn;

/** The column with the age of an object. */
export const age: Column = text('Age', 'Time since the object was created.', (object, { nowMs }) =>
  ageSince(metaText(object, 'creationTimestamp'), nowMs),
);

/** A column of type string. Its cells may be numbers: many columns of counts have this type. */
export function text<T = JsonObject>(title: string, description: string, cell: Cell<T>): Column<T> {
  return { name: title, type: 'string', format: '', description, priority: 0, cell };
}

/** A column of type string that is shown only in wide output. */
export function wide<T = JsonObject>(title: string, description: string, cell: Cell<T>): Column<T> {
  return { ...text(title, description, cell), priority: 1 };
}

/** A column of integers. */
export function integer<T = JsonObject>(title: string, description: string, cell: Cell<T>): Column<T> {
  return { ...text(title, description, cell), type: 'integer' };
}

/** A column of booleans. */
export function flag<T = JsonObject>(title: string, description: string, cell: Cell<T>): Column<T> {
  return { ...text(title, description, cell), type: 'boolean' };
}
