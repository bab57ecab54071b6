import type { FieldRow, MessageRow } from '../gen/schema.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { memoizeText } from '../meta/memoize.ts';
import { type FieldPart, type FieldTree, visitFields } from './field-tree.ts';
import { isKnown, rowOf } from './schema-of.ts';

type NamedField = Pick<FieldRow, 'name'>;

/**
 * Returns a function that drops, in place, the fields of a built-in message that are of other
 * releases, as kube-apiserver does with an object that another release has stored.
 */
export function unknownFieldsOf(messageName: string, release: string): (object: JsonObject) => void {
  const rows = memoizeText(rowOf, { most: Infinity });
  const tree = treeOf(messageName, { release, rows, known: new Map() });
  if (isEmpty(tree)) return () => {};
  return (object) => visitFields(tree, object, (message, { name }) => delete message[name]);
}

interface TreeMaking {
  readonly release: string;
  readonly rows: (messageName: string) => MessageRow;
  readonly known: Map<string, FieldTree<NamedField>>;
}

/** A message that contains itself has the tree that is being made. */
function treeOf(messageName: string, making: TreeMaking): FieldTree<NamedField> {
  const { release, rows, known } = making;
  const found = known.get(messageName);
  if (found) return found;
  const fields: NamedField[] = [];
  const parts: FieldPart<NamedField>[] = [];
  const tree: FieldTree<NamedField> = { fields, parts };
  known.set(messageName, tree);
  for (const row of rows(messageName).fields) {
    const { name, message, kind, inline } = row;
    if (!isKnown(row, release)) fields.push({ name });
    else if (message !== undefined && rows(message).releases) {
      const inner = treeOf(message, making);
      if (inline) {
        fields.push(...inner.fields);
        parts.push(...inner.parts);
      } else if (!isEmpty(inner)) parts.push({ name, isMap: kind === 'map', tree: inner });
    }
  }
  return tree;
}

function isEmpty({ fields, parts }: FieldTree<NamedField>): boolean {
  return fields.length === 0 && parts.length === 0;
}
