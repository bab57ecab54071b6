/**
 * Pieces of at least this length are written separately; shorter ones are joined with their
 * neighbours.
 */
const longPiece = 256;

/**
 * Builds a text from pieces. Long pieces are written to the buffer one at a time, because
 * concatenating them first would copy the whole text once more. One instance builds one text.
 */
export class LongText {
  readonly #pieces: string[] = [];
  /** Short pieces after the last long one. */
  #short = '';

  /** Appends a piece. */
  add(piece: string): void {
    if (piece.length < longPiece) {
      this.#short += piece;
      return;
    }
    this.#close();
    this.#pieces.push(piece);
  }

  /** The text in UTF-8 after `headBytes` uninitialised bytes for the caller to fill. */
  toBytes(headBytes: number): Buffer {
    this.#close();
    const lengths = this.#pieces.map((piece) => Buffer.byteLength(piece));
    const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, headBytes));
    let at = headBytes;
    for (const [index, piece] of this.#pieces.entries()) {
      const length = lengths[index] ?? 0;
      // As many bytes as characters means ASCII, which latin1 writes faster.
      bytes.write(piece, at, length === piece.length ? 'latin1' : 'utf8');
      at += length;
    }
    return bytes;
  }

  #close(): void {
    if (this.#short !== '') this.#pieces.push(this.#short);
    this.#short = '';
  }
}
