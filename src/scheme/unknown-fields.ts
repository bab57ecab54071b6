import type { MaybePromise } from '../async/maybe-promise.ts';
import type { FieldRow, MessageRow } from '../gen/schema.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { memoizeText } from '../meta/memoize.ts';
import { type FieldPart, type FieldTree, visitFields, visitFieldsYielding } from './field-tree.ts';
import { isInRelease, rowOf } from './schema-of.ts';

type NamedField = Pick<FieldRow, 'name'>;

/** Drops fields from an object in place: synchronously, or yielding to other requests. */
interface DropUnknown {
  readonly now: (object: JsonObject) => void;
  readonly yielding: (object: JsonObject) => MaybePromise<void>;
}

/**
 * Returns functions that drop the fields of a built-in message that a release does not have, as
 * kube-apiserver does when another release has stored the object.
 */
export function unknownFieldsOf(messageName: string, release: string): DropUnknown {
  const rows = memoizeText(rowOf, { most: Infinity });
  const tree = treeOf(messageName, { release, rows, known: new Map() });
  if (isEmpty(tree)) return { now: () => {}, yielding: () => {} };
  return {
    now: (object) => visitFields(tree, object, drop),
    yielding: (object) => visitFieldsYielding(tree, object, drop),
  };
}

function drop(message: JsonObject, { name }: NamedField): void {
  delete message[name];
}

interface TreeMaking {
  readonly release: string;
  readonly rows: (messageName: string) => MessageRow;
  readonly known: Map<string, FieldTree<NamedField>>;
}

/** The tree of a message. A recursive message refers to its own unfinished tree. */
function treeOf(messageName: string, making: TreeMaking): FieldTree<NamedField> {
  const { release, rows, known } = making;
  const found = known.get(messageName);
  if (found) return found;
  const fields: NamedField[] = [];
  const parts: FieldPart<NamedField>[] = [];
  const tree: FieldTree<NamedField> = { fields, parts };
  known.set(messageName, tree);
  for (const row of rows(messageName).fields) {
    const { name, message: given, kind, inline } = row;
    const message = given === undefined ? undefined : messageInside(given, rows);
    if (!isInRelease(row, release)) fields.push({ name });
    else if (message !== undefined && rows(message).releases) {
      const isOpen = known.has(message);
      const inner = treeOf(message, making);
      if (inline) {
        fields.push(...inner.fields);
        parts.push(...inner.parts);
      } else if (isOpen || !isEmpty(inner)) parts.push({ name, isMap: kind === 'map', tree: inner });
    }
  }
  return tree;
}

/**
 * The message in a field that holds a message or another JSON value: a schema, a list of schemas.
 */
function messageInside(messageName: string, rows: TreeMaking['rows']): string {
  const { scalar, fields } = rows(messageName);
  return scalar === 'any' ? (fields.find(({ message }) => message !== undefined)?.message ?? messageName) : messageName;
}

function isEmpty({ fields, parts }: FieldTree<NamedField>): boolean {
  return fields.length === 0 && parts.length === 0;
}
