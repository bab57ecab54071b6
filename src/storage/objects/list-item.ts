/** The beginning of each list item, before `"metadata"`: a comma and the opening brace. */
export const itemFront = ',{';

const comma = 0x2c;
const openBrace = 0x7b;

/** An object that can be written as an item of a list. */
export interface ListItem {
  /** Bytes of the item with its leading comma. */
  readonly itemLength: number;
  /** Writes the item with its leading comma; returns the end offset. */
  copyItem(target: Buffer, at: number): number;
}

/** A document as a list item: `{` and its JSON from `itemStart` on; all of it if that is 0. */
export class DocumentItem implements ListItem {
  readonly #json: Buffer;
  readonly #itemStart: number;

  constructor(json: Buffer, itemStart: number) {
    this.#json = json;
    this.#itemStart = itemStart;
  }

  get itemLength(): number {
    const whole = this.#itemStart < itemFront.length;
    return this.#json.length + (whole ? 1 : itemFront.length - this.#itemStart);
  }

  copyItem(target: Buffer, at: number): number {
    return copyDocument(this.#json, this.#itemStart, target, at);
  }
}

/**
 * Writes a document as a list item with a comma before it; returns the end offset. Takes one copy:
 * it starts two bytes before `itemStart`, and the comma and the brace overwrite these two.
 */
export function copyDocument(json: Buffer, itemStart: number, target: Buffer, at: number): number {
  const whole = itemStart < itemFront.length;
  const copied = json.copy(target, whole ? at + 1 : at, whole ? 0 : itemStart - itemFront.length);
  target[at] = comma;
  if (whole) return at + copied + 1;
  target[at + 1] = openBrace;
  return at + copied;
}
