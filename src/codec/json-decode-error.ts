import { DecodeError } from './decode-error.ts';

/**
 * The error of a body that is not valid JSON, or that exceeds a limit of this server. The message
 * is sent to the client.
 */
export class JsonDecodeError extends DecodeError {
  override readonly name = 'JsonDecodeError';
}
