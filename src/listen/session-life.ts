import type { Http2Session, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';

/** Timeouts of an HTTP/2 session. */
interface SessionLimits {
  readonly idleTimeoutMs: number;
  readonly headersTimeoutMs: number;
  readonly stuckReaderMs: number;
}

/**
 * Ends an HTTP/2 session that is unused: no preface from the client, no request for too long, or
 * no bytes taken while some are queued. Node's own timeout does not fit: any frame resets it, and
 * it ends quiet watches.
 */
export class SessionLife {
  readonly #session: ServerHttp2Session;
  readonly #socket: Socket;
  readonly #limits: SessionLimits;
  /** True once the client has sent its SETTINGS, the last part of the preface. */
  #begun = false;
  #usedMs = performance.now();
  #lastStream = 0;
  #stuckSinceMs = 0;
  #writtenBytes = 0;

  /** `socket` is the TCP connection of the session. */
  constructor(session: ServerHttp2Session, socket: Socket, limits: SessionLimits) {
    this.#session = session;
    this.#socket = socket;
    this.#limits = limits;
    session.once('remoteSettings', () => (this.#begun = true));
  }

  /** Checks the timeouts; called periodically with the sessions that have requests. */
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
    // After GOAWAY a client should close the connection; if it has not done so, the socket is
    // destroyed.
    if (session.closed || !this.#begun) this.#socket.destroy();
    else session.close();
  }

  /**
   * Reports whether frames are queued and no byte was taken for too long. DATA frames that wait
   * for a flow-control window do not count.
   */
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
