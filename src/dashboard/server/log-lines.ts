/** The most lines of a log, and the most characters of them. */
const most = { lines: 2000, characters: 2 * 1024 * 1024 };

/** Longer lines are cut. */
const longestLine = 32 * 1024;

/** The last lines of a log, within limits. */
export class LogLines {
  readonly #lines: string[] = [];
  #characters = 0;

  add(line: string): void {
    const kept = line.length > longestLine ? `${line.slice(0, longestLine)}…` : line;
    this.#lines.push(kept);
    this.#characters += kept.length;
    while (this.#lines.length > most.lines || this.#characters > most.characters) {
      this.#characters -= this.#lines.shift()?.length ?? 0;
    }
  }

  toString(): string {
    return this.#lines.join('\n');
  }
}
