import type { Identifiers } from '../identifiers/identifiers.ts';
import { formatApiVersion } from '../meta/group-version-kind.ts';
import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { metaText } from '../meta/object-meta.ts';
import { type MetaVersion, partialObjectMetadata } from './partial-object-metadata.ts';

/** The content of `object` in the rows of a Table: null, the metadata, or the whole object. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

const includeObjects: readonly IncludeObject[] = ['None', 'Metadata', 'Object'];

/** Parses `includeObject`; the default is `Metadata`. Undefined for an invalid value. */
export function parseIncludeObject(text: string): IncludeObject | undefined {
  return text === '' ? 'Metadata' : includeObjects.find((value) => value === text);
}

/** The values besides the object that cells are computed from. */
export interface CellContext {
  /** The time from which ages are counted, in milliseconds since 1970. */
  readonly nowMs: number;
  readonly identifiers: Identifiers;
  /** The work that is left for the cells of this row. */
  readonly work: RowWork;
}

/**
 * The limits of the columns of a row whose definition is a client's. A row is made in one turn of
 * the event loop.
 */
export interface RowWork {
  /** The values that its paths may still visit. */
  visits: number;
  /** The characters that its cells may still have: a column can show the whole object. */
  characters: number;
}

const rowLimits: Readonly<RowWork> = Object.freeze({ visits: 200_000, characters: 2 * 1024 * 1024 });

/** A column of a Table; `cell` computes its value from an object in its storage version. */
export interface Column<T = JsonObject> {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** 0 for columns that are always shown, 1 for columns of wide output. */
  readonly priority: number;
  /** The first release with the column, of a built-in resource. */
  readonly since?: string;
  /** The first release without the column, for built-in resources. */
  readonly until?: string;
  cell(object: T, context: CellContext): JsonValue;
}

/** The sort key of a row: first the number, then the text. */
export type RowKey = readonly [number, string];

/** How the objects of a resource appear in Tables. */
export interface TableDefinition {
  readonly columns: readonly Column[];
  /** Returns the conditions of a row; undefined if it has none. */
  readonly rowConditions?: ((object: JsonObject) => readonly JsonObject[] | undefined) | undefined;
  /** Returns the key of a row, if the rows of a list are not in the order of the list. */
  readonly rowKey?: ((object: JsonObject) => RowKey) | undefined;
}

const timestampDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not ' +
  'guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is ' +
  'represented in RFC3339 form and is in UTC.';

/** The column with the name of an object. */
export const nameColumn: Column = Object.freeze({
  name: 'Name',
  type: 'string',
  format: 'name',
  description: 'Name of the object; unique within a namespace, and fixed once the object exists.',
  priority: 0,
  cell: (object: JsonObject) => metaText(object, 'name'),
});

/** The Table of a kind without its own. */
export const defaultTable: TableDefinition = Object.freeze({
  columns: Object.freeze([
    nameColumn,
    {
      name: 'Created At',
      type: 'date',
      format: '',
      description: timestampDescription,
      priority: 0,
      cell: (object: JsonObject) => metaText(object, 'creationTimestamp'),
    },
  ]),
});

/** The properties of a Table that do not depend on its objects. */
export interface TableFormat {
  readonly meta: MetaVersion;
  readonly includeObject: IncludeObject;
  readonly table: TableDefinition;
  /** Adds what an object that another program stored lacks; returns its argument for others. */
  readonly complete: (object: JsonObject) => JsonObject;
  /** Returns the storage version of a complete object, from which cells are computed. */
  readonly stored: (object: JsonObject) => JsonObject;
  readonly context: Omit<CellContext, 'work'>;
}

/**
 * Returns a Table without rows (spec 4.7). `metadata` is the metadata of the list; for a single
 * object, its resourceVersion. Only the first event of a watch has `definitions`.
 */
export function tableHead(
  { meta, table }: Pick<TableFormat, 'meta' | 'table'>,
  metadata: JsonObject,
  definitions = true,
): JsonObject {
  return {
    kind: 'Table',
    apiVersion: formatApiVersion(meta.group, meta.version),
    metadata,
    columnDefinitions: definitions ? table.columns.map(definitionOf) : null,
  };
}

function definitionOf({ name, type, format, description, priority }: Column): JsonObject {
  return { name, type, format, description, priority };
}

/**
 * Returns the row of an object, which has apiVersion and kind if rows contain objects. The row
 * shares parts with the object.
 */
export function tableRow(format: TableFormat, object: JsonObject): JsonObject {
  return { ...rowWithoutObject(format, object), object: rowObject(format, object) };
}

/** Returns the cells and conditions of a row. No column shows the managed fields. */
export function rowWithoutObject({ table, context, stored }: TableFormat, object: JsonObject): JsonObject {
  const source = stored(object);
  const rowContext: CellContext = { ...context, work: { ...rowLimits } };
  const conditions = table.rowConditions?.(source);
  return {
    cells: table.columns.map((column) => column.cell(source, rowContext)),
    ...(conditions ? { conditions: [...conditions] } : {}),
  };
}

/** Returns the object of a row. */
export function rowObject({ meta, includeObject }: TableFormat, object: JsonObject): JsonValue {
  if (includeObject === 'None') return null;
  return includeObject === 'Object' ? object : partialObjectMetadata(meta, object);
}
