import { DecodeError } from './decode-error.ts';

/** A body that is no JSON document, or one that this server does not take. The message is shown to the client. */
export class JsonDecodeError extends DecodeError {
  override readonly name = 'JsonDecodeError';
}
