import { isJsonObject, type JsonObject } from '../../meta/json-value.ts';
import { badRequest } from '../../status/status-error.ts';
import type { Exchange } from '../request/exchange.ts';
import { decodeDocument, DocumentError, documentFormat } from './decode-document.ts';
import { readBody } from './read-body.ts';

const kind = 'DeleteOptions';

/** Reads the optional body of a delete; undefined where there is none. Throws 400, 413, 415, 429. */
export async function readDeleteOptions(exchange: Exchange, limitBytes: number): Promise<JsonObject | undefined> {
  const bytes = await readBody(exchange, limitBytes);
  if (bytes.length === 0) return undefined;
  const format = documentFormat(exchange.request.headers['content-type']);
  try {
    const { value } = await decodeDocument(bytes, format, false);
    if (!isJsonObject(value)) throw new DocumentError('the document is not an object');
    const sent = value['kind'];
    if (sent !== undefined && sent !== null && sent !== kind) {
      throw badRequest(
        `the body of a delete must be of kind ${kind}, not ${JSON.stringify(typeof sent === 'string' ? sent.slice(0, 64) : typeof sent)}`,
      );
    }
    return value;
  } catch (error) {
    if (error instanceof DocumentError) throw badRequest(`error decoding ${kind}: ${error.message}`);
    throw error;
  }
}
