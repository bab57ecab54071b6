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

/** A column of a Table; `cell` computes its value from an object. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  readonly priority: number;
  cell(object: JsonObject): JsonValue;
}

const timestampDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not ' +
  'guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is ' +
  'represented in RFC3339 form and is in UTC.';

/** The columns of a kind without its own. */
export const defaultColumns: readonly Column[] = Object.freeze([
  {
    name: 'Name',
    type: 'string',
    format: 'name',
    description: 'Name of the object; unique within a namespace, and fixed once the object exists.',
    priority: 0,
    cell: (object: JsonObject) => metaText(object, 'name'),
  },
  {
    name: 'Created At',
    type: 'date',
    format: '',
    description: timestampDescription,
    priority: 0,
    cell: (object: JsonObject) => metaText(object, 'creationTimestamp'),
  },
]);

/** The input of `tableOf`. */
interface TableSource {
  readonly meta: MetaVersion;
  /** The metadata of the list; for a single object, its resourceVersion. */
  readonly metadata: JsonObject;
  /** Whole objects; with apiVersion and kind if rows contain objects. */
  readonly objects: readonly JsonObject[];
  readonly includeObject: IncludeObject;
  readonly columns: readonly Column[];
  /** True if the column definitions are omitted: in all events of a watch after the first. */
  readonly withoutDefinitions?: boolean;
}

function rowObject({ meta, includeObject }: TableSource, object: JsonObject): JsonValue {
  if (includeObject === 'None') return null;
  return includeObject === 'Object' ? object : partialObjectMetadata(meta, object);
}

/** Formats objects as a Table (spec 4.7). The Table shares parts with the objects. */
export function tableOf(source: TableSource): JsonObject {
  const { meta, metadata, objects, columns, withoutDefinitions = false } = source;
  return {
    kind: 'Table',
    apiVersion: formatApiVersion(meta.group, meta.version),
    metadata,
    columnDefinitions: withoutDefinitions
      ? null
      : columns.map(({ name, type, format, description, priority }) => ({ name, type, format, description, priority })),
    rows: objects.map((object) => ({
      cells: columns.map((column) => column.cell(object)),
      object: rowObject(source, object),
    })),
  };
}
