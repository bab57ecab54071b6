import type { Codec } from '../../codec/codec.ts';
import type { Exchange } from '../request/exchange.ts';
import { mediaTypeOf, unsupportedMediaType } from './content-type.ts';

/**
 * Returns the codec for the body of a request. Throws 415 with a list of the accepted media types.
 */
export function bodyCodec({ formats, request }: Exchange): Codec {
  const type = mediaTypeOf(request.headers['content-type']);
  const codec = type === undefined ? undefined : formats.all.ofBody(type);
  if (!codec) throw unsupportedMediaType(formats.all.mediaTypes);
  return codec;
}
