/** The comparison of a label's value. */
export type LabelOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | '>' | '<';

/** All requirements of a selector for one label, combined. */
export class LabelDemand {
  #allowed: ReadonlySet<string> | undefined;
  #refused: Set<string> | undefined;
  #present = false;
  #absent = false;
  #above: bigint | undefined;
  #below: bigint | undefined;

  /** True if the object must have the label. */
  get present(): boolean {
    return this.#present;
  }

  /** Adds a requirement for this label; `values` fit the operator. */
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
    // A bound that is not an integer matches no value.
    if (bound === undefined) this.#absent = true;
    else if (operator === '>') this.#above = this.#above === undefined || bound > this.#above ? bound : this.#above;
    else this.#below = this.#below === undefined || bound < this.#below ? bound : this.#below;
  }

  /**
   * Reports whether an object with this value of the label matches; undefined if it has no such
   * label.
   */
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

/** Parses a 64-bit integer as Go does; undefined for any other text. */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,40}$/.test(text)) return undefined;
  const value = BigInt(text.replace(/^\+/, ''));
  return BigInt.asIntN(64, value) === value ? value : undefined;
}
