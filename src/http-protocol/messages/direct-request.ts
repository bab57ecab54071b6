import type { IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import type { DirectCall } from '../../outbound/direct-server.ts';

/** The address of all clients in this process, as of a client on the same machine. */
const loopback = Object.freeze({ remoteAddress: '127.0.0.1', localAddress: '127.0.0.1', localPort: 0 });

/** A request of a client in this process, all of which has arrived. Has the views of HTTP/1.1. */
export class DirectRequest {
  readonly httpVersion = '1.1';
  readonly httpVersionMajor = 1;
  readonly complete = true;
  readonly socket = loopback;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders = {};
  readonly rawHeaders: string[];
  /** The whole body; empty if there is none. */
  readonly content: Buffer;

  constructor({ method, path, headers, body = nothing }: DirectCall) {
    this.method = method;
    this.url = path;
    this.rawHeaders = headers;
    this.content = body;
    // The first of several values counts, as for the headers of node:http that the filters read.
    for (let index = headers.length - 2; index >= 0; index -= 2) {
      this.headers[(headers[index] ?? '').toLowerCase()] = headers[index + 1] ?? '';
    }
  }

  /** The body as a stream. For bodies that are passed on. */
  readable(): Readable {
    return Readable.from([this.content]);
  }
}

const nothing = Buffer.alloc(0);
