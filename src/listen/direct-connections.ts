import { DirectRequest } from '../http-protocol/messages/direct-request.ts';
import { DirectResponse } from '../http-protocol/messages/direct-response.ts';
import type { DirectServer } from '../outbound/direct-server.ts';

/** Handles a request and writes its response, as the listener of a server does. */
type DirectHandler = (request: DirectRequest, response: DirectResponse) => void;

/** The requests of clients in the same process, which need no connections. */
export class DirectConnections {
  readonly #handler: DirectHandler;
  readonly #open = new Set<DirectResponse>();
  #refusing = false;

  constructor(handler: DirectHandler) {
    this.#handler = handler;
  }

  /** Handles a request through the same filters as one from the network. */
  readonly send: DirectServer = (call) => {
    if (this.#refusing) throw Object.assign(new Error('the server is closed'), { code: 'ECONNREFUSED' });
    const response = new DirectResponse();
    this.#open.add(response);
    response.once('close', () => this.#open.delete(response));
    this.#handler(new DirectRequest(call), response);
    return response;
  };

  refuseNew(): void {
    this.#refusing = true;
  }

  destroyAll(): void {
    for (const response of this.#open) response.destroy();
  }
}
