import { StatusError } from '../../status/status-error.ts';
import { ClientGone, type HttpExchange } from './http-exchange.ts';
import { askForBody } from './expect-continue.ts';
import type { DirectRequest } from '../messages/direct-request.ts';
import type { HttpRequest } from '../messages/http-message.ts';
import { tooManyRequests } from './byte-budget.ts';

/**
 * The overhead charged for each chunk of a body, in addition to its bytes. Without it a body sent
 * byte by byte would use a hundred times the memory that is charged for it.
 */
const pieceBytes = 256;

/**
 * Reads a request body of at most `limitBytes`. Throws 413 if the declared length or the received
 * bytes exceed the limit, 415 for an encoded body, 429 if the bodies in memory leave no room for
 * it, and `ClientGone` if the exchange ends first. The bytes are charged to the exchange as they
 * arrive.
 */
export function readBody(exchange: HttpExchange, limitBytes: number): Promise<Buffer> {
  const { headers } = exchange.request;
  refuseEncoding(headers['content-encoding']);
  const declared = Number(headers['content-length'] ?? 0);
  if (declared > limitBytes) return Promise.reject(tooLarge(limitBytes));
  if (!exchange.hasRoomForBody(declared)) return Promise.reject(tooManyRequests());
  if ('content' in exchange.request) return takeWhole(exchange, exchange.request.content);
  askForBody(exchange.request);
  return collect(exchange, exchange.request, limitBytes);
}

/**
 * Refuses encoded bodies, because a small one can decompress to any size (promise B23). Throws 415.
 */
function refuseEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding.trim().toLowerCase() === 'identity') return;
  throw new StatusError(
    'UnsupportedMediaType',
    `the body of the request has an unsupported content encoding ${JSON.stringify(encoding.slice(0, 64))} - accepted: identity`,
  );
}

function tooLarge(limitBytes: number): StatusError {
  return new StatusError('RequestEntityTooLarge', `Request entity too large: limit is ${limitBytes}`);
}

/** A body that has arrived as a whole, whose declared length has been checked. */
async function takeWhole(exchange: HttpExchange, content: Buffer): Promise<Buffer> {
  if (content.length > 0 && !exchange.chargeBody(content.length + pieceBytes)) throw tooManyRequests();
  return content;
}

/**
 * Collects the chunks of a body. After a refusal the stream keeps flowing, so that the rest of the
 * body is discarded: the client may send all of it before it reads the response.
 */
function collect(
  exchange: HttpExchange,
  request: Exclude<HttpRequest, DirectRequest>,
  limitBytes: number,
): Promise<Buffer> {
  const source = 'stream' in request ? request.stream : request;
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limitBytes) finish(() => reject(tooLarge(limitBytes)));
      else if (!exchange.chargeBody(chunk.length + pieceBytes)) finish(() => reject(tooManyRequests()));
      else chunks.push(chunk);
    };
    const onEnd = (): void =>
      finish(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    let settled = false;
    const finish = (settle: () => void): void => {
      if (settled) return;
      settled = true;
      source.removeListener('data', onData);
      source.removeListener('end', onEnd);
      settle();
    };
    source.on('data', onData);
    source.on('end', onEnd);
    // Not the events of the stream: an HTTP/1.1 request that was already answered, for example by
    // its deadline, emits no `close` when its connection ends.
    exchange.onEnd(() => finish(() => reject(new ClientGone())));
  });
}
