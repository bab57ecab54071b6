/** Pieces from this length on are written by themselves; shorter ones are joined with their neighbours. */
const longPiece = 256;

/**
 * A text in the making whose longer pieces are known already. They go into the bytes one by one: joined first, the whole text
 * would be copied once more. Lives as long as it takes to write it.
 */
export class LongText {
  readonly #pieces: string[] = [];
  /** Short pieces behind the last long one. */
  #short = '';

  /** Adds a piece at the end. */
  add(piece: string): void {
    if (piece.length < longPiece) {
      this.#short += piece;
      return;
    }
    this.#close();
    this.#pieces.push(piece);
  }

  /** The text in UTF-8, behind so many bytes that are still to be written. */
  toBytes(headBytes: number): Buffer {
    this.#close();
    const lengths = this.#pieces.map((piece) => Buffer.byteLength(piece));
    const bytes = Buffer.allocUnsafe(lengths.reduce((sum, length) => sum + length, headBytes));
    let at = headBytes;
    for (const [index, piece] of this.#pieces.entries()) {
      const length = lengths[index] ?? 0;
      // As many bytes as characters: all of it is ASCII, which is copied as it is.
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
