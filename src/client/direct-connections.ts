import { onAbort } from '../async/abort-signals.ts';
import { Semaphore } from '../async/semaphore.ts';
import type { DirectAnswer, DirectServer } from '../outbound/direct-server.ts';
import type { ClientRequest } from './client-request.ts';
import { type Connections, connectionLimit, IdleTimeout } from './connections.ts';
import { tooLong } from './whole-body.ts';

/**
 * Sends requests to a server in this process. As many run at the same time as over the network, so
 * that the server does not get more work than it would accept from there.
 */
export function createDirectConnections(server: DirectServer, origin: string, beforeSend?: () => void): Connections {
  const { host } = new URL(origin);
  const requests = new Semaphore(connectionLimit);
  const open = new Set<DirectAnswer>();
  let isClosed = false;

  function start({ method, path, headers, body, signal }: ClientRequest): DirectAnswer {
    signal?.throwIfAborted();
    if (isClosed) throw closedError();
    beforeSend?.();
    const content = typeof body === 'string' ? Buffer.from(body) : body && Buffer.from(body);
    const answer = server({ method, path, headers: listOf(headers, host, content), body: content });
    open.add(answer);
    const release = onAbort(signal, () => answer.destroy(signal?.reason));
    answer.once('close', () => {
      open.delete(answer);
      release();
    });
    return answer;
  }

  /** Waits until fewer requests run than may. */
  async function startLimited(request: ClientRequest): Promise<DirectAnswer> {
    await requests.acquire(request.signal);
    try {
      return start(request).once('close', () => requests.release());
    } catch (error) {
      requests.release();
      throw error;
    }
  }

  return {
    async send(kind, _credentials, request) {
      if (kind === 'upgrades') throw new Error('a server in this process has no connection for another protocol');
      const answer = kind === 'streams' ? start(request) : await startLimited(request);
      const { status, headers } = await answer.head;
      return {
        status,
        header: (name) => headerOf(headers, name),
        stream: () => streamOf(answer, request.idleTimeoutMs),
        bytes: (limitBytes) => bytesOf(answer, limitBytes),
      };
    },
    async close() {
      isClosed = true;
      for (const answer of open) answer.destroy(closedError());
    },
  };
}

function closedError(): Error {
  return new Error('the client is closed');
}

function listOf(headers: ClientRequest['headers'], host: string, content: Buffer | undefined): string[] {
  const list = ['host', host];
  for (const name in headers) for (const value of [headers[name] ?? []].flat()) list.push(name, value);
  if (content) list.push('content-length', String(content.length));
  return list;
}

function headerOf(headers: readonly string[], name: string): string | undefined {
  const values = headers.filter((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === name);
  return values.length > 0 ? values.join(', ') : undefined;
}

async function bytesOf(answer: DirectAnswer, limitBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let length = 0;
  for (let taken = await answer.take(); taken; taken = await answer.take()) {
    for (const piece of taken) length += piece.length;
    pieces.push(...taken);
    if (length <= limitBytes) continue;
    answer.destroy();
    throw tooLong(limitBytes);
  }
  return pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces);
}

/** Gives the response up when its reader stops early, or after `idleTimeoutMs` without bytes. */
async function* streamOf(answer: DirectAnswer, idleTimeoutMs = 0): AsyncIterable<Buffer> {
  let isWaiting = false;
  const onIdle = (): void => {
    if (isWaiting) answer.destroy(new IdleTimeout());
  };
  const timer = idleTimeoutMs > 0 ? setTimeout(onIdle, idleTimeoutMs) : undefined;
  try {
    for (;;) {
      timer?.refresh();
      isWaiting = true;
      const taken = await answer.take();
      isWaiting = false;
      if (!taken) return;
      yield* taken;
    }
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
}
