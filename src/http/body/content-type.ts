import { StatusError } from '../../status/status-error.ts';

/** 415 that names what would be taken, in the words that clients know. */
export function unsupportedMediaType(accepted: readonly string[]): StatusError {
  const list = accepted.join(', ');
  return new StatusError(
    'UnsupportedMediaType',
    `the body of the request was in an unknown format - accepted media types include: ${list}`,
  );
}

/**
 * The media type of a body in lower case, '' where no type was sent, undefined where its charset is not UTF-8. Other
 * parameters say nothing about JSON and are ignored.
 */
export function mediaTypeOf(header: string | undefined): string | undefined {
  if (header === undefined) return '';
  const [type = '', ...parameters] = header.split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='));
  return charset === undefined || /^charset="?utf-?8"?$/.test(charset) ? type : undefined;
}
