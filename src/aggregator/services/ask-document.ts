import type { BackendSource } from '../forward/create-forward.ts';
import type { RemoteApiService } from '../../api/api-services/api-service.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { readBody } from '../../outbound/json-client.ts';
import { askBackend } from './ask-backend.ts';

/** A document of another server. */
export interface AskedDocument {
  readonly etag: string | undefined;
  /** The document; undefined if it has not changed. */
  readonly content: JsonObject | undefined;
}

/** Reads a JSON document, unless it still has the given tag. Rejects if the server has none. */
export type AskDocument = (service: RemoteApiService, path: string, etag?: string) => Promise<AskedDocument>;

const timeoutMs = 30_000;

/** A larger document is not merged: parsing it would block the event loop. */
const maxBytes = 6 * 1024 * 1024;

/** Creates the reader of documents. `headers` name the user. */
export function documentReader(source: BackendSource, headers: readonly string[], stopped: AbortSignal): AskDocument {
  return async (service, path, etag) => {
    const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), stopped]);
    const address = await source.addressOf(service, signal);
    const asked = [...headers, 'Accept', 'application/json', ...(etag ? ['If-None-Match', etag] : [])];
    const response = await askBackend(source, service, address, { path, headers: asked, signal });
    if (response.status === 304) {
      response.body.destroy();
      return { etag, content: undefined };
    }
    if (response.status !== 200) {
      response.body.destroy();
      throw new Error(`${path}: status ${response.status}`);
    }
    const bytes = await readBody(response.body, maxBytes);
    // JSON.parse returns values of this type.
    const value = JSON.parse(bytes?.toString('utf8') ?? '') as JsonValue;
    if (!isJsonObject(value)) throw new Error(`${path}: not an object`);
    return { etag: tagIn(response.headers), content: value };
  };
}

function tagIn(headers: readonly string[]): string | undefined {
  const index = headers.findIndex((text, at) => at % 2 === 0 && text.toLowerCase() === 'etag');
  return index < 0 ? undefined : headers[index + 1];
}
