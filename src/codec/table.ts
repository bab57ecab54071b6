import { formatApiVersion } from '../meta/group-version-kind.ts';
import type { JsonObject, JsonValue } from '../meta/json-value.ts';
import { metaText } from '../meta/object-meta.ts';
import { type MetaVersion, partialObjectMetadata } from './partial-object-metadata.ts';

/** What stands in a row beside its cells: nothing, the metadata, or the whole object. */
export type IncludeObject = 'None' | 'Metadata' | 'Object';

const includeObjects: readonly IncludeObject[] = ['None', 'Metadata', 'Object'];

/** Reads `includeObject`; without it, rows carry metadata. Undefined for a value that is none. */
export function parseIncludeObject(text: string): IncludeObject | undefined {
  return text === '' ? 'Metadata' : includeObjects.find((value) => value === text);
}

/** A column and how its cells come out of an object. */
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

/** The columns of a kind that has none of its own. */
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

/** What a table is made of. */
interface TableSource {
  readonly meta: MetaVersion;
  /** Metadata of the list; of one object, its resourceVersion. */
  readonly metadata: JsonObject;
  /** Whole documents, each with its own apiVersion and kind where rows carry objects. */
  readonly objects: readonly JsonObject[];
  readonly includeObject: IncludeObject;
  readonly columns: readonly Column[];
  /** Without definitions: every event of a watch but the first. */
  readonly withoutDefinitions?: boolean;
}

function rowObject({ meta, includeObject }: TableSource, object: JsonObject): JsonValue {
  if (includeObject === 'None') return null;
  return includeObject === 'Object' ? object : partialObjectMetadata(meta, object);
}

/** Renders objects as a Table (spec 4.7). Shares what it shows with them. */
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
