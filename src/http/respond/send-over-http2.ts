import type { OutgoingHttpHeaders, ServerHttp2Stream } from 'node:http2';

/**
 * Sends a complete answer on a stream of HTTP/2, past Node's compatibility layer, which takes half as much CPU again for it. `headers` are
 * names and values in turn. Does nothing on a stream that the client has closed.
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
  // Has nothing left to send, but only a response that was ended says when it is closed.
  response.end();
}

/** Headers by name, in lower case as HTTP/2 wants them; values of a repeated one stand together. */
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
