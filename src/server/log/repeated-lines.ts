/** The lines with one text that are written in a window. */
const mostInWindow = 10;

/** The texts that are counted; further ones are written. Each is a text of the program. */
const mostTexts = 500;

/** The length of a window in milliseconds. */
export const windowMs = 10_000;

/** The lines of a text that were not written in a window. */
interface Suppressed {
  readonly text: string;
  readonly count: number;
}

/**
 * Limits lines that repeat themselves: of lines with one text only the first of a window are
 * written. The owner ends each window, and writes how many were left out.
 */
export class RepeatedLines {
  readonly #counts = new Map<string, number>();

  /** Counts a line. Returns false if it must not be written. */
  take(text: string): boolean {
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count === 1 && this.#counts.size >= mostTexts) return true;
    this.#counts.set(text, count);
    return count <= mostInWindow;
  }

  /** Ends the window; returns the texts of which lines were left out. */
  next(): readonly Suppressed[] {
    const suppressed = [...this.#counts]
      .filter(([, count]) => count > mostInWindow)
      .map(([text, count]) => ({ text, count: count - mostInWindow }));
    this.#counts.clear();
    return suppressed;
  }

  /** True if no line was counted in this window. */
  get isEmpty(): boolean {
    return this.#counts.size === 0;
  }
}
