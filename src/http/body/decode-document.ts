import { decodeJsonBody, decodeYamlBody } from '../../codec/decode-large.ts';
import { JsonDecodeError } from '../../codec/json-decode-error.ts';
import type { JsonValue } from '../../meta/json-value.ts';
import { mediaTypeOf, unsupportedMediaType } from './content-type.ts';

/** A body as a value, with the paths of keys that stand in it twice. */
export interface Document {
  readonly value: JsonValue;
  readonly duplicateFields: readonly string[];
}

/** Formats that objects may come in. A body without a type is JSON. */
const formats: ReadonlyMap<string, 'json' | 'yaml'> = new Map([
  ['', 'json'],
  ['application/json', 'json'],
  ['application/yaml', 'yaml'],
]);

const accepted = [...formats.keys()].filter((type) => type !== '');

/** How a body of this type is read. Throws 415. */
export function documentFormat(contentType: string | undefined): 'json' | 'yaml' {
  const type = mediaTypeOf(contentType);
  const format = type === undefined ? undefined : formats.get(type);
  if (!format) throw unsupportedMediaType(accepted);
  return format;
}

/** Reads a document; the error's message is fit for the client. Throws `DocumentError`. */
export async function decodeDocument(bytes: Buffer, format: 'json' | 'yaml', duplicates: boolean): Promise<Document> {
  if (bytes.length === 0) throw new DocumentError('unexpected end of JSON input');
  try {
    const decoded = format === 'json' ? decodeJsonBody(bytes, duplicates) : decodeYamlBody(bytes);
    return decoded instanceof Promise ? await decoded : decoded;
  } catch (error) {
    if (error instanceof JsonDecodeError) throw new DocumentError(error.message, { cause: error });
    throw error;
  }
}

/** A body that cannot be read. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError';
}
