import type { Socket } from 'node:net';
import { newDeferred, type Deferred } from '../../async/deferred.ts';
import type { FamilySnapshot } from '../../metrics/family-snapshot.ts';
import type { Siblings } from '../../config/siblings.ts';
import { startVariable, type WorkerCommand, type WorkerMessage, workerSlot } from './worker-messages.ts';

type Snapshots = readonly FamilySnapshot[];

/** The connection of a worker with the process that started it. */
interface WorkerChannel {
  readonly siblings: Siblings;
  /** Tells that the worker serves. */
  serving(url: string): void;
  /** Hands over the last metrics, before the process exits. */
  leave(): Promise<void>;
}

/** Connects a worker; `stop` is called when it is to stop, also if the first process is gone. */
export function joinSiblings(stop: () => void): WorkerChannel {
  const asked = new Map<number, Deferred<readonly Snapshots[]>>();
  const listening = newDeferred<number>();
  let serve: ((connection: Socket) => void) | undefined;
  let take: (() => Snapshots) | undefined;
  let remain = true;
  let lastId = 0;
  const handlers: Handlers = {
    listening: ({ port, error }) =>
      error === undefined ? listening.resolve(port) : listening.reject(new Error(error)),
    connection({ id }, connection) {
      send({ type: 'accepted', id });
      const closed = (): void => send({ type: 'closed', id });
      // The client may be gone by now.
      if (!connection) return closed();
      connection.once('close', closed);
      serve?.(connection);
    },
    sample: ({ id }) => send({ type: 'sampled', id, metrics: take?.() ?? [] }),
    gathered({ id, metrics }) {
      asked.get(id)?.resolve(metrics);
      asked.delete(id);
    },
    stop({ last }) {
      remain = !last;
      stop();
    },
  };
  process.on('message', (command: WorkerCommand, connection?: Socket) => {
    const handle = handlers[command.type] as (command: WorkerCommand, connection?: Socket) => void;
    handle(command, connection);
  });
  process.once('disconnect', () => {
    // Without the first process nobody accepts connections.
    remain = false;
    for (const { resolve } of asked.values()) resolve([]);
    stop();
  });
  return {
    siblings: {
      listen({ address, port, limits }, handle) {
        serve = handle;
        const { maxConnections, maxConnectionsPerAddress } = limits;
        send({ type: 'listen', address, port, limits: { maxConnections, maxConnectionsPerAddress } });
        return listening.promise;
      },
      offerMetrics: (offered) => (take = offered),
      gatherMetrics() {
        const question = newDeferred<readonly Snapshots[]>();
        asked.set(++lastId, question);
        send({ type: 'gather', id: lastId, metrics: take?.() ?? [] });
        return question.promise;
      },
      start: process.env[startVariable] ?? '',
      number: workerSlot() ?? '',
      get remain() {
        return remain;
      },
    },
    serving: (url) => send({ type: 'serving', url }),
    leave: () =>
      new Promise((resolve) => {
        if (!process.connected) return resolve();
        const message: WorkerMessage = { type: 'leaving', metrics: take?.() ?? [] };
        process.send?.(message, undefined, {}, () => resolve());
      }),
  };
}

/** A handler for each type of command. */
type Handlers = {
  readonly [Type in WorkerCommand['type']]: (
    command: Extract<WorkerCommand, { readonly type: Type }>,
    connection?: Socket,
  ) => void;
};

function send(message: WorkerMessage): void {
  // With a callback no error is emitted if the first process has just ended.
  if (process.connected) process.send?.(message, undefined, {}, () => {});
}
