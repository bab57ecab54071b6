import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { clientNetwork } from '../../listen/client-network.ts';
import type { CommonPort, ConnectionNumbers } from '../../config/siblings.ts';
import type { WorkerCommand } from './worker-messages.ts';

/**
 * Connections that one worker has not taken yet, or that wait for one. A worker whose loop is
 * blocked gets no more; beyond them connections are refused.
 */
const mostUntaken = 1_000;

/** The connections of a worker, by their numbers. */
interface WorkerConnections {
  /** The connections on the way to it. */
  readonly untaken: Map<number, Socket>;
  /** The client networks of all connections, also on the way. */
  readonly networks: Map<number, string>;
}

/**
 * Accepts the connections of a port and gives each to the worker that has the fewest, so that even
 * few long ones are spread evenly, also after a worker was replaced. A connection that a worker did
 * not take before it ended goes to another. The limits of connections apply to all workers
 * together.
 */
export class ConnectionSpreader {
  readonly #server: Server;
  readonly #most: number;
  /** The workers that get connections; of equal ones the first is next. */
  readonly #workers: ChildProcess[] = [];
  readonly #connections = new Map<ChildProcess, WorkerConnections>();
  /** The number of connections of each client network. */
  readonly #perNetwork = new Map<string, number>();
  /** Connections that came while no worker was there. */
  #waiting: Socket[] = [];
  #limits: ConnectionNumbers = { maxConnections: Infinity, maxConnectionsPerAddress: Infinity };
  #total = 0;
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
  listen({ address, port, limits }: CommonPort): Promise<number> {
    this.#limits = limits;
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
    const untaken = this.#connections.get(worker)?.untaken;
    untaken?.get(id)?.destroy();
    untaken?.delete(id);
  }

  /** A connection of the worker has ended. */
  closed(worker: ChildProcess, id: number): void {
    const networks = this.#connections.get(worker)?.networks;
    const network = networks?.get(id);
    if (network === undefined) return;
    networks?.delete(id);
    this.#leave(network);
  }

  /** The worker has ended: others take the connections that it did not. */
  forget(worker: ChildProcess): void {
    this.remove(worker);
    const left = this.#connections.get(worker);
    this.#connections.delete(worker);
    for (const network of left?.networks.values() ?? []) this.#leave(network);
    for (const socket of left?.untaken.values() ?? []) this.#pass(socket);
  }

  /** Stops listening, and refuses the connections that no worker has taken. */
  close(): void {
    this.#server.close();
    const untaken = [...this.#connections.values()].flatMap((connections) => [...connections.untaken.values()]);
    for (const socket of [...untaken, ...this.#waiting.splice(0)]) socket.destroy();
  }

  #pass(socket: Socket): void {
    const { remoteAddress } = socket;
    // A socket whose peer is gone has no address.
    if (remoteAddress === undefined) {
      socket.destroy();
      return;
    }
    const network = clientNetwork(remoteAddress);
    const worker = this.#nextWorker();
    const isRoom = this.#workers.length === 0 && this.#waiting.length < this.#most;
    if (this.#isFull(network) || !(worker || isRoom)) socket.destroy();
    else if (worker) this.#give(worker, socket, network);
    else this.#waiting.push(socket);
  }

  #isFull(network: string): boolean {
    const { maxConnections, maxConnectionsPerAddress } = this.#limits;
    return this.#total >= maxConnections || (this.#perNetwork.get(network) ?? 0) >= maxConnectionsPerAddress;
  }

  /** The worker with the fewest connections, of those that take their connections. */
  #nextWorker(): ChildProcess | undefined {
    let [next, fewest]: [ChildProcess | undefined, number] = [undefined, Infinity];
    for (const worker of this.#workers) {
      const { untaken, networks } = this.#connectionsOf(worker);
      if (untaken.size >= this.#most || networks.size >= fewest) continue;
      [next, fewest] = [worker, networks.size];
    }
    return next;
  }

  #give(worker: ChildProcess, socket: Socket, network: string): void {
    this.remove(worker);
    this.#workers.push(worker);
    const id = ++this.#lastId;
    const { untaken, networks } = this.#connectionsOf(worker);
    untaken.set(id, socket);
    networks.set(id, network);
    this.#total++;
    this.#perNetwork.set(network, (this.#perNetwork.get(network) ?? 0) + 1);
    const command: WorkerCommand = { type: 'connection', id };
    // Kept open until the worker has it.
    worker.send(command, socket, { keepOpen: true }, () => {});
  }

  #leave(network: string): void {
    this.#total--;
    const rest = (this.#perNetwork.get(network) ?? 1) - 1;
    if (rest === 0) this.#perNetwork.delete(network);
    else this.#perNetwork.set(network, rest);
  }

  #connectionsOf(worker: ChildProcess): WorkerConnections {
    const known = this.#connections.get(worker) ?? { untaken: new Map(), networks: new Map() };
    this.#connections.set(worker, known);
    return known;
  }
}
