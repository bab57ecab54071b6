import { itemFront } from './list-item.ts';

/**
 * Bytes of a slab, which a list sends in one write. An item longer than half of it gets a buffer of
 * its own.
 */
export const slabBytes = 512 * 1024;

/** An object whose list item may be in a slab. */
export interface SlabMember {
  /** The slab that contains the item now, and the offset of the item's leading comma in it. */
  readonly slab: ItemSlab | undefined;
  readonly slabStart: number;
  /** Bytes of the item with its leading comma. */
  readonly itemLength: number;
  /** The document before its item: `{"kind":...,"apiVersion":...,`, or its brace alone. */
  readonly head: Buffer;
  /**
   * Switches to a slab into which its bytes were copied; does nothing if the object was replaced
   * meanwhile.
   */
  moveInto(slab: ItemSlab, start: number): void;
  /** Copies the bytes out of the slab, which has already dropped the object. */
  standAlone(): void;
}

/**
 * The items of neighbouring objects in one buffer, as a list sends them: `,{"metadata":...}`, one
 * after another. So a list is sent without a copy, and thousands of objects use one buffer. A
 * replaced object copies its bytes out. When less than half of the slab is in use, all other
 * objects do so too, so that a slab never keeps much more memory alive than it needs.
 */
export class ItemSlab {
  #bytes: Buffer;
  /** The objects in the order of their offsets. A removed object leaves its offset. */
  readonly #objects: (SlabMember | number)[] = [];
  #used = 0;

  /** The head of the documents, which is the same for all objects of the slab. */
  readonly head: Buffer;
  /** The head as latin1: one character for each byte. */
  readonly headText: string;

  constructor(head: Buffer, bytes: Buffer) {
    this.head = head;
    this.headText = head.toString('latin1');
    this.#bytes = bytes;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The document after its head, without a copy. */
  tailAt(start: number, itemLength: number): Buffer {
    return this.#bytes.subarray(start + itemFront.length, start + itemLength);
  }

  /** Adds an object whose item is behind those of the other objects. */
  add(object: SlabMember): void {
    this.#objects.push(object);
    this.#used += object.itemLength;
  }

  /** Removes an object whose bytes are elsewhere from now on. */
  remove(object: SlabMember): void {
    this.#objects[this.#placeOf(object.slabStart)] = object.slabStart;
    this.#used -= object.itemLength;
    this.check();
  }

  /** Dissolves the slab if less than half of it is in use. */
  check(): void {
    if (this.#used * 2 < this.#bytes.length) this.#dissolve();
  }

  /** Frees the unused bytes after `length`. */
  shrink(length: number): void {
    const rest = Buffer.allocUnsafeSlow(length);
    this.#bytes.copy(rest, 0, 0, length);
    this.#bytes = rest;
  }

  #placeOf(start: number): number {
    let low = 0;
    let high = this.#objects.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const found = this.#objects[middle];
      if ((typeof found === 'number' ? found : (found?.slabStart ?? 0)) < start) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #dissolve(): void {
    for (const object of this.#objects.splice(0)) if (typeof object !== 'number') object.standAlone();
    this.#used = 0;
  }
}

/** Fills slabs with the items of objects that come in key order. */
export class SlabWriter {
  #slab: ItemSlab | undefined;
  #head: Buffer | undefined;
  #end = 0;

  /**
   * Reserves space for the item of an object whose document begins with `head`; undefined if it is
   * too long for a slab.
   */
  place(head: Buffer, itemLength: number): { readonly slab: ItemSlab; readonly start: number } | undefined {
    if (itemLength > slabBytes / 2) return undefined;
    if (!this.#slab || this.#end + itemLength > slabBytes || !this.#slab.head.equals(head)) {
      this.close();
      const known = this.#head?.equals(head) ? this.#head : Buffer.from(head);
      this.#head = known;
      this.#slab = new ItemSlab(known, Buffer.allocUnsafeSlow(slabBytes));
    }
    const start = this.#end;
    this.#end += itemLength;
    return { slab: this.#slab, start };
  }

  /** Frees the unused rest of the last slab. */
  close(): void {
    if (this.#end < slabBytes) this.#slab?.shrink(this.#end);
    this.#slab = undefined;
    this.#end = 0;
  }
}

/**
 * Moves neighbouring objects into the joined bytes that were made for a list. Does nothing if all
 * of them are in slabs already: the list then only begins or ends inside a slab.
 */
export function settleIn(bytes: Buffer, items: readonly SlabMember[]): void {
  const head = items.find(({ slab }) => !slab)?.head;
  if (!head) return;
  const slab = new ItemSlab(Buffer.from(head), bytes);
  let at = 0;
  for (const item of items) {
    item.moveInto(slab, at);
    at += item.itemLength;
  }
  slab.check();
}
