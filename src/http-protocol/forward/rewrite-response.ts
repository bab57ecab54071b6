import { pipeline, Readable } from 'node:stream';
import { createGunzip, createInflate } from 'node:zlib';
import { lazyModule } from '../../package/lazy-module.ts';
import type { PassedHeaders } from './forwarded-headers.ts';
import type { PassedResponse } from './respond-from.ts';
import { rewriteUrl, type RewriteRule } from './rewrite-url.ts';

/**
 * Changes the links in responses of a proxied server that lead to the server itself, so that they
 * lead through this server: in `Location`, and in the attributes of HTML.
 */
export function rewriteResponse(rule: RewriteRule): (response: PassedResponse) => Promise<PassedResponse> {
  return async (response) => {
    const { headers } = response;
    const location = headers.get('location');
    if (location) {
      headers.set('location', { ...location, values: location.values.map((url) => rewriteUrl(url, rule)) });
      return response;
    }
    const plain = isHtml(headers) ? decoded(response) : undefined;
    if (!plain) return response;
    headers.delete('content-length');
    const { rewriteLinks } = await loadRewriter();
    return { ...response, body: rewriteLinks(plain, (url) => rewriteUrl(url, rule)) };
  };
}

/** Used from the first page that is proxied on: most servers proxy none. */
const loadRewriter = lazyModule(() => import('./rewrite-links.ts'));

function isHtml(headers: PassedHeaders): boolean {
  const type = headers.get('content-type')?.values[0] ?? '';
  return type.split(';')[0]?.trim().toLowerCase() === 'text/html';
}

/** The body without compression; undefined for an encoding that is not known. */
function decoded({ headers, body }: PassedResponse): AsyncIterable<Buffer> | undefined {
  const encoding = headers.get('content-encoding')?.values.join(',').toLowerCase() ?? '';
  if (encoding === '' || encoding === 'identity') return body;
  const decoder = encoding === 'gzip' ? createGunzip() : encoding === 'deflate' ? createInflate() : undefined;
  if (!decoder) return undefined;
  headers.delete('content-encoding');
  // Errors of both reach the reader of the decoder.
  return pipeline(Readable.from(body), decoder, () => {});
}
