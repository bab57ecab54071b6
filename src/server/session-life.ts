import type { Http2Session, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** How long a session of HTTP/2 may do nothing. */
interface SessionLimits {
  readonly idleTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly stuckReaderMs: number;
}

/**
 * Ends a session of HTTP/2 that is of no use: its client never sends the preface, has had no request for too long, or takes
 * nothing of what waits for it. Node's own timeout would do none of this: any frame puts it off, and it ends quiet watches.
 */
export class SessionLife {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #limits: SessionLimits;
  /** Whether the client has sent its settings, with which its part begins. */
  #begun = false;
  #usedMs = performance.now();
  #lastStream = 0;
  #stuckSinceMs = 0;
  #writtenBytes = 0;

  /** `socket` is the TCP connection below the session. */
  constructor(session: ServerHttp2Session, socket: Socket, limits: SessionLimits) {
    this.#session = session;
    this.#socket = socket;
    this.#limits = limits;
    session.once('remoteSettings', () => (this.#begun = true));
  }

  /** Looks after the session; to be called from time to time with the sessions that have requests. */
  check(nowMs: number, busy: ReadonlySet<Http2Session>): void {
    const session = this.#session;
    if (session.destroyed) return;
    if (this.#isStuck(nowMs)) {
      this.#socket.destroy();
      return;
    }
    const { lastProcStreamID: lastStream = 0 } = session.state;
    if (busy.has(session) || lastStream !== this.#lastStream) {
      this.#lastStream = lastStream;
      this.#usedMs = nowMs;
      return;
    }
    const { idleTimeoutMs, headersTimeoutMs } = this.#limits;
    if (nowMs - this.#usedMs < (this.#begun ? idleTimeoutMs : headersTimeoutMs)) return;
    // A client that has been sent GOAWAY closes the connection; one that does not is of no use to wait for.
    if (session.closed || !this.#begun) this.#socket.destroy();
    else session.close();
  }

  /** Whether nothing has been taken for too long although frames are queued: those of data wait for a window and do not count. */
  #isStuck(nowMs: number): boolean {
    const { stuckReaderMs } = this.#limits;
    const { outboundQueueSize = 0 } = this.#session.state;
    const { bytesWritten } = this.#socket;
    if (outboundQueueSize === 0 || bytesWritten !== this.#writtenBytes || this.#stuckSinceMs === 0) {
      this.#stuckSinceMs = nowMs;
      this.#writtenBytes = bytesWritten;
      return false;
    }
    return stuckReaderMs > 0 && nowMs - this.#stuckSinceMs >= stuckReaderMs;
  }
}
