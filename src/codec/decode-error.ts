/**
 * The error of a body that a codec cannot parse or does not accept. The message is sent to the
 * client.
 */
export class DecodeError extends SyntaxError {
  override readonly name: string = 'DecodeError';
}

/**
 * The error of a body that is not valid JSON, or that exceeds a limit of this server. The message
 * is sent to the client.
 */
export class JsonDecodeError extends DecodeError {
  override readonly name = 'JsonDecodeError';
}
