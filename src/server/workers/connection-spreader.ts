import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { WorkerCommand } from './worker-messages.ts';

/**
 * Connections that one worker has not taken yet, or that wait for one. A worker whose loop is
 * blocked gets no more; beyond them connections are refused.
 */
const mostUntaken = 1_000;

/**
 * Accepts the connections of a port and gives each to the next worker, so that even few long ones
 * are spread evenly. A connection that a worker did not take before it ended goes to another.
 */
export class ConnectionSpreader {
  readonly #server: Server;
  readonly #most: number;
  /** The workers that take connections, the next one first. */
  readonly #workers: ChildProcess[] = [];
  /** Connections on the way to a worker, by their numbers. */
  readonly #passed = new Map<ChildProcess, Map<number, Socket>>();
  /** Connections that came while no worker was there. */
  #waiting: Socket[] = [];
  #listening: Promise<number> | undefined;
  #lastId = 0;

  /** `most` is the number of connections that a worker has not taken yet, or that wait for one. */
  constructor(most = mostUntaken) {
    this.#most = most;
    this.#server = createServer({ pauseOnConnect: true }, (socket) => {
      // Its owner hears of errors; here they mean that the client is gone.
      socket.on('error', () => {});
      this.#pass(socket);
    });
  }

  /** Listens with the first call; resolves with the port. Rejects if the port is in use. */
  listen(address: string, port: number): Promise<number> {
    this.#listening ??= once(this.#server.listen(port, address), 'listening').then(() => {
      // A connection that cannot be accepted must not end the server.
      this.#server.on('error', () => {});
      return (this.#server.address() as AddressInfo).port;
    });
    return this.#listening;
  }

  /** Gives connections to a worker from now on. */
  add(worker: ChildProcess): void {
    this.#workers.push(worker);
    for (const socket of this.#waiting.splice(0)) this.#pass(socket);
  }

  /** Gives no more connections to a worker. */
  remove(worker: ChildProcess): void {
    const at = this.#workers.indexOf(worker);
    if (at >= 0) this.#workers.splice(at, 1);
  }

  /** The worker has its connection. */
  accepted(worker: ChildProcess, id: number): void {
    this.#passed.get(worker)?.get(id)?.destroy();
    this.#passed.get(worker)?.delete(id);
  }

  /** The worker has ended: others take the connections that it did not. */
  forget(worker: ChildProcess): void {
    this.remove(worker);
    const left = this.#passed.get(worker);
    this.#passed.delete(worker);
    for (const socket of left?.values() ?? []) this.#pass(socket);
  }

  /** Stops listening, and refuses the connections that no worker has taken. */
  close(): void {
    this.#server.close();
    const untaken = [...this.#passed.values()].flatMap((sockets) => [...sockets.values()]);
    for (const socket of [...untaken, ...this.#waiting.splice(0)]) socket.destroy();
  }

  #pass(socket: Socket): void {
    const worker = this.#workers.find((each) => (this.#passed.get(each)?.size ?? 0) < this.#most);
    if (!worker) {
      const isRoom = this.#workers.length === 0 && this.#waiting.length < this.#most;
      if (isRoom) this.#waiting.push(socket);
      else socket.destroy();
      return;
    }
    this.remove(worker);
    this.#workers.push(worker);
    const id = ++this.#lastId;
    const passed = this.#passed.get(worker) ?? new Map<number, Socket>();
    this.#passed.set(worker, passed.set(id, socket));
    const command: WorkerCommand = { type: 'connection', id };
    // Kept open until the worker has it.
    worker.send(command, socket, { keepOpen: true }, () => {});
  }
}
