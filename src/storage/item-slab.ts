import { itemFront } from './list-item.ts';

/** Bytes of a slab: as much of a list as is written at a time. What is longer than the half of it stands alone. */
export const slabBytes = 512 * 1024;

/** An object whose list item may be in a slab. */
export interface SlabMember {
  /** The slab that has the object's bytes now, and where the comma of its item is there. */
  readonly slab: ItemSlab | undefined;
  readonly slabStart: number;
  /** Bytes of the item with its comma. */
  readonly itemLength: number;
  /** The document before `"metadata"`: `{"kind":...,"apiVersion":...,` */
  readonly head: Buffer;
  /** Adopts its bytes in a slab, into which they were copied; does nothing where the object was replaced meanwhile. */
  moveInto(slab: ItemSlab, start: number): void;
  /** Takes the bytes out of the slab, which has let go of the object already. */
  standAlone(): void;
}

/**
 * The items of neighbouring objects in one buffer, as a list sends them: `,{"metadata":...}`, one behind the other. So a list is
 * sent as it lies there, and thousands of objects cost one buffer. An object that is replaced takes its bytes out; when less
 * than the half is in use all others do so too. So a slab never keeps alive much more than is asked for.
 */
export class ItemSlab {
  #bytes: Buffer;
  /** In the order of their places. Of an object that has left, the place stays. */
  readonly #objects: (SlabMember | number)[] = [];
  #used = 0;

  /** The same of all its objects. */
  readonly head: Buffer;
  /** The same, as a text of one character a byte. */
  readonly headText: string;

  constructor(head: Buffer, bytes: Buffer) {
    this.head = head;
    this.headText = head.toString('latin1');
    this.#bytes = bytes;
  }

  get bytes(): Buffer {
    return this.#bytes;
  }

  /** The document behind its head, without a copy. */
  tailAt(start: number, itemLength: number): Buffer {
    return this.#bytes.subarray(start + itemFront.length, start + itemLength);
  }

  /** Takes in an object whose item stands behind those that are here already. */
  add(object: SlabMember): void {
    this.#objects.push(object);
    this.#used += object.itemLength;
  }

  /** Lets go of an object that has its bytes elsewhere from now on. */
  remove(object: SlabMember): void {
    this.#objects[this.#placeOf(object.slabStart)] = object.slabStart;
    this.#used -= object.itemLength;
    this.check();
  }

  /** Gives itself up if it holds too little. */
  check(): void {
    if (this.#used * 2 < this.#bytes.length) this.#dissolve();
  }

  /** Gives back what lies behind `length`, where no item is. */
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

/** Fills one slab after the other with the items of objects that come in the order of their keys. */
export class SlabWriter {
  #slab: ItemSlab | undefined;
  #head: Buffer | undefined;
  #end = 0;

  /** Room for the item of an object whose document begins with `head`; undefined where it is too long for a slab. */
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

  /** Gives back what is left of the last slab. */
  close(): void {
    if (this.#end < slabBytes) this.#slab?.shrink(this.#end);
    this.#slab = undefined;
    this.#end = 0;
  }
}

/**
 * Moves neighbours into the copy of their items that was made for a list. Does nothing where all of them are in slabs: then
 * the list only begins or ends inside of these.
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
