import { StatusError } from '../../status/status-error.ts';
import { ClientGone } from '../request/exchange.ts';
import type { HttpRequest } from '../request/http-message.ts';

/**
 * Reads a request body of at most `limitBytes`. Throws 413 from the declared length before a byte is read, or as soon as more
 * has come; 415 for an encoded body; and `ClientGone` when the connection ends first.
 */
export function readBody(request: HttpRequest, limitBytes: number): Promise<Buffer> {
  refuseEncoding(request.headers['content-encoding']);
  if (Number(request.headers['content-length'] ?? 0) > limitBytes) return Promise.reject(tooLarge(limitBytes));
  return collect(request, limitBytes);
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

function collect(request: HttpRequest, limitBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const onData = (chunk: Buffer): void => {
      length += chunk.length;
      if (length > limitBytes) {
        request.pause();
        finish(() => reject(tooLarge(limitBytes)));
      } else chunks.push(chunk);
    };
    const onEnd = (): void =>
      finish(() => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)));
    const onGone = (): void => finish(() => reject(new ClientGone()));
    const finish = (settle: () => void): void => {
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
  });
}
