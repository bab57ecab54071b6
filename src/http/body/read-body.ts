import { StatusError } from '../../status/status-error.ts';
import { ClientGone, type Exchange } from '../request/exchange.ts';
import { askForBody } from '../request/expect-continue.ts';
import { tooManyRequests } from '../request/too-many-requests.ts';

/**
 * Charged for each piece of a body besides its bytes: what keeping it costs. Without it a body that comes byte by byte would
 * take a hundred times the memory that it is charged for.
 */
const pieceBytes = 256;

/**
 * Reads a request body of at most `limitBytes`. Throws 413 from the declared length before a byte is read, or as soon as more
 * has come; 415 for an encoded body; 429 when the bodies that are being handled leave no room for it; and `ClientGone` when the
 * exchange ends first. The bytes are charged to the exchange as they come.
 */
export function readBody(exchange: Exchange, limitBytes: number): Promise<Buffer> {
  const { headers } = exchange.request;
  refuseEncoding(headers['content-encoding']);
  const declared = Number(headers['content-length'] ?? 0);
  if (declared > limitBytes) return Promise.reject(tooLarge(limitBytes));
  if (!exchange.hasRoomForBody(declared)) return Promise.reject(tooManyRequests());
  askForBody(exchange.request);
  return collect(exchange, limitBytes);
}

/** Encoded bodies are not taken: a small one can unpack to any size (promise B23). */
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

/** What comes of a refused body is thrown away: the client may send all of it before it reads its answer. */
function collect(exchange: Exchange, limitBytes: number): Promise<Buffer> {
  const { request } = exchange;
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
    const onGone = (): void => finish(() => reject(new ClientGone()));
    let settled = false;
    const finish = (settle: () => void): void => {
      if (settled) return;
      settled = true;
      request.removeListener('data', onData);
      request.removeListener('end', onEnd);
      request.removeListener('close', onGone);
      request.removeListener('error', onGone);
      settle();
    };
    request.on('data', onData);
    request.on('end', onEnd);
    request.on('close', onGone);
    request.on('error', onGone);
    // A request of HTTP/1.1 that was answered, by its deadline for example, emits no `close` event
    // when its connection ends.
    exchange.onEnd(onGone);
  });
}
