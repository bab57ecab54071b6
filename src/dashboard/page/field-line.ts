import { isNode, LineCounter, parseDocument } from 'yaml';

/** A part of the path of a field: the name of a member, or the index of an item. */
type PathPart = string | number;

/**
 * The line of a YAML text, from 1 on, that has a field which the server names
 * (`spec.ports[0].port`, `metadata.labels[a.b/c]`), or the nearest field above it that the text
 * has. Undefined if it has none of these.
 */
export function lineOfField(text: string, field: string): number | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines });
  for (let parts = partsOf(field); parts.length > 0; parts = parts.slice(0, -1)) {
    const node = nodeAt(document.contents, parts);
    if (node !== undefined) return lines.linePos(node).line;
  }
  return undefined;
}

/** The offset of a member or item; of a member it is the one of its key. */
function nodeAt(contents: unknown, parts: readonly PathPart[]): number | undefined {
  let node = contents;
  let offset: number | undefined;
  for (const part of parts) {
    const pair = itemsOf(node).find((item, index) => isPart(item, index, part));
    if (pair === undefined) return undefined;
    offset = offsetOf(isPair(pair) ? pair.key : pair);
    node = isPair(pair) ? pair.value : pair;
  }
  return offset;
}

function isPart(item: unknown, index: number, part: PathPart): boolean {
  if (!isPair(item)) return index === part;
  return isNode(item.key) && 'value' in item.key && String(item.key.value) === String(part);
}

function isPair(item: unknown): item is { readonly key: unknown; readonly value: unknown } {
  return typeof item === 'object' && item !== null && 'key' in item;
}

function itemsOf(node: unknown): readonly unknown[] {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items) ? node.items : [];
}

function offsetOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}

/** `spec.ports[0].port` is `spec`, `ports`, 0, `port`. */
function partsOf(field: string): PathPart[] {
  return [...field.matchAll(/\[([^\]]*)\]|([^.[\]]+)/g)].map(([, inside, name = '']) => {
    if (inside === undefined) return name;
    return /^\d+$/.test(inside) ? Number(inside) : inside.replaceAll(/^"|"$/g, '');
  });
}
