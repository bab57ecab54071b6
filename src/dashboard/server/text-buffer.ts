/**
 * The part of Node's Buffer that the client uses, for browsers; the bundle has it in the place of
 * the global (`hack/bundle-dashboard.ts`).
 */
class TextBuffer extends Uint8Array {
  static override from(source: unknown, offset?: unknown, length?: unknown): TextBuffer {
    if (typeof source === 'string') return new TextBuffer(new TextEncoder().encode(source));
    // The client passes memory with the place and the length of a piece of it.
    return new TextBuffer(source as ArrayBuffer, offset as number, length as number);
  }

  static concat(parts: readonly Uint8Array[]): TextBuffer {
    const whole = new TextBuffer(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }

  override toString(): string {
    return new TextDecoder().decode(this);
  }
}

export { TextBuffer as Buffer };
