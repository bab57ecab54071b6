import type { Codec } from '../../codec/codec.ts';
import type { Exchange } from '../request/exchange.ts';
import { StatusError } from '../../status/status-error.ts';

/**
 * Returns the codec for the body of a request. Throws 415 with a list of the accepted media types.
 */
export function bodyCodec({ formats, request }: Exchange): Codec {
  const type = mediaTypeOf(request.headers['content-type']);
  const codec = type === undefined ? undefined : formats.all.ofBody(type);
  if (!codec) throw unsupportedMediaType(formats.all.mediaTypes);
  return codec;
}

/** Returns a 415 that lists the accepted media types, with the message of kube-apiserver. */
export function unsupportedMediaType(
  accepted: readonly string[],
  options: ConstructorParameters<typeof StatusError>[2] = {},
): StatusError {
  const list = accepted.join(', ');
  return new StatusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${list}`,
    options,
  );
}

/**
 * Returns the media type of a body in lower case: '' if there is no Content-Type, undefined if the
 * charset is not UTF-8. Other parameters do not affect JSON and are ignored.
 */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined) return '';
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset) ? type : undefined;
}
