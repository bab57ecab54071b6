/** How the value of a label is compared. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | '>' | '<';

/** Everything that a selector demands of one label, however often it says so. */
export class LabelDemand {
  #allowed: ReadonlySet<string> | undefined;
  #refused: Set<string> | undefined;
  #present = false;
  #absent = false;
  #above: bigint | undefined;
  #below: bigint | undefined;

  /** Whether an object without the label cannot match. */
  get present(): boolean {
    return this.#present;
  }

  /** Takes a requirement of this label; `values` are as its operator needs them. */
  add(operator: LabelOperator, values: readonly string[]): void {
    switch (operator) {
      case 'in':
      case '=':
      case '==':
        this.#allowed = new Set(values.filter((value) => this.#allowed?.has(value) ?? true));
        break;
      case 'notin':
      case '!=':
        this.#refused ??= new Set();
        for (const value of values) this.#refused.add(value);
        return;
      case '!':
        this.#absent = true;
        return;
      case '>':
      case '<':
        this.#addBound(operator, parseInt64(values[0] ?? ''));
        break;
      case 'exists':
        break;
    }
    this.#present = true;
  }

  #addBound(operator: '>' | '<', bound: bigint | undefined): void {
    // What is not a number is neither above nor below anything.
    if (bound === undefined) this.#absent = true;
    else if (operator === '>') this.#above = this.#above === undefined || bound > this.#above ? bound : this.#above;
    else this.#below = this.#below === undefined || bound < this.#below ? bound : this.#below;
  }

  /** Whether an object matches that has this value of the label; undefined where it has not the label. */
  holds(value: string | undefined): boolean {
    if (value === undefined) return !this.#present;
    if (this.#absent || this.#refused?.has(value) || this.#allowed?.has(value) === false) return false;
    return (this.#above === undefined && this.#below === undefined) || this.#inOrder(value);
  }

  #inOrder(value: string): boolean {
    const label = parseInt64(value);
    if (label === undefined) return false;
    return (this.#above === undefined || label > this.#above) && (this.#below === undefined || label < this.#below);
  }
}

/** An integer of 64 bits as Go reads it, or undefined. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
