/** A body that a codec cannot read, or does not accept. The message is shown to the client. */
export class DecodeError extends SyntaxError {
  override readonly name: string = 'DecodeError';
}
