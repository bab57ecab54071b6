import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';

/**
 * Sends a complete response on an HTTP/2 stream without Node's compatibility layer, which needs
 * half as much CPU again. `headers` contains names and values alternately. Does nothing if the
 * client has closed the stream.
 */
export function sendOverHttp2(
  response: { end(): unknown },
  stream: ServerHttp2Stream,
  status: number,
  headers: readonly string[],
  body: Buffer | undefined,
): void {
  if (stream.destroyed || stream.closed) return;
  stream.respond({ ':status': status, ...named(headers) }, { endStream: body === undefined });
  if (body) stream.end(body);
  // Nothing is left to send, but a response emits `close` only after `end`.
  response.end();
}

/**
 * Converts headers to an object. Names are in lower case, as HTTP/2 requires; values of repeated
 * headers are joined in an array.
 */
function named(headers: readonly string[]): OutgoingHttpHeaders {
  const byName: Record<string, string | string[]> = {};
  for (let index = 0; index < headers.length; index += 2) {
    const name = (headers[index] ?? '').toLowerCase();
    const value = headers[index + 1] ?? '';
    const before = byName[name];
    byName[name] = before === undefined ? value : [before, value].flat();
  }
  return byName;
}
