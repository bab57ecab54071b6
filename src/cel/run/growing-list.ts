import { CelList, type CelValue } from '../values/cel-value.ts';

/** A list that a loop adds items to. */
export class GrowingList extends CelList {
  readonly #items: CelValue[];

  constructor() {
    const items: CelValue[] = [];
    super(0, (index) => items[index] ?? null);
    this.#items = items;
  }

  add(item: CelValue): void {
    this.#items.push(item);
    this.size++;
  }
}
