import { type HttpClient, type LoadRequest, type LoadTarget, openClient } from '../load/http-client.ts';

/** Connections of HTTP/1.1, opened while there are fewer than the limit, each for one request at a time. */
export class ClientPool {
  readonly #target: LoadTarget;
  readonly #limit: number;
  readonly #all: HttpClient[] = [];
  readonly #free: HttpClient[] = [];
  readonly #waiting: ((client: HttpClient) => void)[] = [];

  constructor(target: LoadTarget, limit: number) {
    this.#target = target;
    this.#limit = limit;
  }

  /** The body of the response. Throws for a status of 300 or more. */
  async send(request: LoadRequest): Promise<Buffer> {
    const client = await this.#take();
    try {
      return await client.send(request);
    } finally {
      const next = this.#waiting.shift();
      if (next) next(client);
      else this.#free.push(client);
    }
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    await Promise.all(this.#all.map((client) => client.close()));
  }

  #take(): HttpClient | Promise<HttpClient> {
    const free = this.#free.pop();
    if (free) return free;
    if (this.#all.length >= this.#limit) return new Promise((resolve) => this.#waiting.push(resolve));
    const client = openClient(this.#target);
    this.#all.push(client);
    return client;
  }
}
