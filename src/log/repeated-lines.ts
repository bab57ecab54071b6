/** The most lines with the same text in a window. */
const mostInWindow = 10;

/**
 * The most texts that are counted; further ones are not limited. Texts are constants of the
 * program.
 */
const mostTexts = 500;

/** The length of a window in milliseconds. */
export const windowMs = 10_000;

/** The suppressed lines of a window with the same text. */
interface Suppressed {
  readonly text: string;
  readonly count: number;
}

/**
 * Limits repeated lines: only the first lines of a window with the same text are written. The owner
 * ends each window and logs how many were suppressed.
 */
export class RepeatedLines {
  readonly #counts = new Map<string, number>();

  /** Counts a line. Returns false if it must be suppressed. */
  take(text: string): boolean {
    const count = (this.#counts.get(text) ?? 0) + 1;
    if (count === 1 && this.#counts.size >= mostTexts) return true;
    this.#counts.set(text, count);
    return count <= mostInWindow;
  }

  /** Ends the window; returns the suppressed lines. */
  next(): readonly Suppressed[] {
    const suppressed = [...this.#counts]
      .filter(([, count]) => count > mostInWindow)
      .map(([text, count]) => ({ text, count: count - mostInWindow }));
    this.#counts.clear();
    return suppressed;
  }
}
