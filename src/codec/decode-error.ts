/**
 * The error of a body that a codec cannot parse or does not accept. The message is sent to the
 * client.
 */
export class DecodeError extends SyntaxError {
  override readonly name: string = 'DecodeError';
}
