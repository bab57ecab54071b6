import { once } from 'node:events';
import { type DescMessage, type DescMethod, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { DescMethodServerStreaming, DescMethodUnary, MessageShape } from '@bufbuild/protobuf';
import { Metadata, Server, ServerCredentials, type ServiceDefinition, status } from '@grpc/grpc-js';
import type {
  handleServerStreamingCall,
  handleUnaryCall,
  sendUnaryData,
  ServerWritableStream,
  StatusObject,
} from '@grpc/grpc-js';
import { linkSignals } from '../../async/abort-signals.ts';
import { ObjectStore as ObjectStoreService } from '../../gen/storage/v1/object_store_pb.ts';
import type { ObjectStore, WriteCallOptions } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';
import { errorCodeHeader, errorRevisionHeader, statusCodes } from './grpc-status.ts';
import {
  eventMessage,
  optionalValueMessage,
  serialize,
  sessionOf,
  swapMessage,
  valueMessage,
} from './store-messages.ts';

/**
 * Certificates of a store server; with `clientCa`, clients must present a certificate of that
 * authority.
 */
export interface StoreServerTls {
  readonly cert: Buffer;
  readonly key: Buffer;
  readonly clientCa?: Buffer;
}

/** A store served to other processes. */
export interface StoreServer {
  /** The address for `connectRemoteStore`: `grpc://host:port` or `grpcs://host:port`. */
  readonly endpoint: string;
  /** Ends the watches, waits for other calls, and stops listening. Does not close the store. */
  close(): Promise<void>;
}

/** How long `close` waits for other calls. */
const closeTimeoutMs = 1_000;

/**
 * Serves a store over gRPC at `host:port`; port 0 takes a free one. Rejects if it cannot listen
 * there.
 */
export async function serveStore(
  store: ObjectStore,
  address: string,
  options: { readonly tls?: StoreServerTls } = {},
): Promise<StoreServer> {
  const server = new Server({ 'grpc.max_receive_message_length': -1, 'grpc.max_send_message_length': -1 });
  const closing = new AbortController();
  for (const { path, service, handlers } of methodsOf(store, closing.signal)) {
    server.addService({ [path]: service }, { [path]: handlers });
  }
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, credentialsOf(options.tls), (error, bound) => (error ? reject(error) : resolve(bound)));
  });
  const host = address.slice(0, address.lastIndexOf(':'));
  return {
    endpoint: `${options.tls ? 'grpcs' : 'grpc'}://${host}:${port}`,
    close: () =>
      new Promise((resolve) => {
        closing.abort();
        const late = setTimeout(() => server.forceShutdown(), closeTimeoutMs);
        server.tryShutdown(() => {
          clearTimeout(late);
          resolve();
        });
      }),
  };
}

function credentialsOf(tls: StoreServerTls | undefined): ServerCredentials {
  if (!tls) return ServerCredentials.createInsecure();
  const pair = [{ cert_chain: tls.cert, private_key: tls.key }];
  return ServerCredentials.createSsl(tls.clientCa ?? null, pair, tls.clientCa !== undefined);
}

/** One method of the service for grpc-js. */
interface Method {
  readonly path: string;
  readonly service: ServiceDefinition[string];
  readonly handlers: handleUnaryCall<unknown, unknown> | handleServerStreamingCall<unknown, unknown>;
}

/** 0 stands for none on the wire. */
const given = (revision: bigint): number | undefined => (revision === 0n ? undefined : Number(revision));

function methodsOf(store: ObjectStore, closing: AbortSignal): readonly Method[] {
  const { method } = ObjectStoreService;
  return [
    unary(method.get, async ({ key, revision: at }, signal) => {
      const revision = given(at);
      const result = await store.get(key, { signal, ...(revision === undefined ? {} : { revision }) });
      const session = sessionOf(result.session);
      return { ...optionalValueMessage(result.current), revision: BigInt(result.revision), ...session };
    }),
    unary(method.create, async ({ key, value, ttlSeconds }, signal) => {
      const { revision } = await store.create(key, value, writeOptions(signal, ttlSeconds));
      return { revision: BigInt(revision) };
    }),
    unary(method.update, async ({ key, value, expectedRevision, ttlSeconds, session }, signal) => {
      const options = { ...writeOptions(signal, ttlSeconds), ...sessionOf(session) };
      return swapMessage(await store.update(key, value, Number(expectedRevision), options));
    }),
    unary(method.delete, async ({ key, expectedRevision, session }, signal) =>
      swapMessage(await store.delete(key, Number(expectedRevision), { signal, ...sessionOf(session) })),
    ),
    unary(method.compact, async ({ revision }, signal) => {
      await store.compact(Number(revision), { signal });
      return {};
    }),
    unary(method.status, async ({ alarms: asked }, signal) => {
      const { revision, historyId, session, version, alarms = [] } = await store.status({ signal, alarms: asked });
      return { revision: BigInt(revision), historyId, version, alarms: [...alarms], ...sessionOf(session) };
    }),
    stream(method.list, closing, async function* ({ prefix, revision: at, startKey, limit }, signal) {
      const revision = given(at);
      const options = {
        signal,
        limit: Number(limit),
        ...(revision === undefined ? {} : { revision }),
        ...(startKey === '' ? {} : { startKey }),
      };
      for await (const page of store.list(prefix, options)) {
        yield {
          revision: BigInt(page.revision),
          values: page.values.map(valueMessage),
          remaining: BigInt(page.remaining),
          ...sessionOf(page.session),
        };
      }
    }),
    stream(method.watch, closing, async function* ({ prefix, afterRevision, historyId }, signal) {
      const history = historyId === '' ? {} : { historyId };
      const options = { afterRevision: Number(afterRevision), signal, ...history };
      for await (const { revision, events } of store.watch(prefix, options)) {
        yield { revision: BigInt(revision), events: events.map(eventMessage) };
      }
    }),
  ];
}

/** A TTL of 0 stands for none. */
function writeOptions(signal: AbortSignal, ttlSeconds: bigint): WriteCallOptions {
  return ttlSeconds === 0n ? { signal } : { signal, ttlSeconds: Number(ttlSeconds) };
}

function unary<I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  answer: (request: MessageShape<I>, signal: AbortSignal) => Promise<MessageInitShape<O>>,
): Method {
  const handler: handleUnaryCall<MessageShape<I>, MessageInitShape<O>> = (call, callback) => {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    void respond(callback, answer(call.request, gone.signal));
  };
  // grpc-js's untyped table of methods; `definition` makes the types true.
  return { ...definition(method), handlers: handler as handleUnaryCall<unknown, unknown> };
}

async function respond<O>(callback: sendUnaryData<O>, answer: Promise<O>): Promise<void> {
  try {
    callback(null, await answer);
  } catch (error) {
    callback(statusOf(error));
  }
}

function stream<I extends DescMessage, O extends DescMessage>(
  method: DescMethodServerStreaming<I, O>,
  closing: AbortSignal,
  answers: (request: MessageShape<I>, signal: AbortSignal) => AsyncIterable<MessageInitShape<O>>,
): Method {
  const handler: handleServerStreamingCall<MessageShape<I>, MessageInitShape<O>> = (call) => {
    const gone = new AbortController();
    call.on('cancelled', () => gone.abort());
    const { signal, release } = linkSignals(gone.signal, closing);
    send(call, answers(call.request, signal), signal)
      .then(
        // The client should reopen a watch that this server's shutdown ends, so it gets
        // Unavailable.
        () => (closing.aborted ? call.emit('error', statusOf(closedError())) : call.end()),
        (error: unknown) => call.emit('error', statusOf(error)),
      )
      .finally(release);
  };
  return { ...definition(method), handlers: handler as handleServerStreamingCall<unknown, unknown> };
}

/** Writes no faster than the client reads. */
async function send<I, O>(call: ServerWritableStream<I, O>, answers: AsyncIterable<O>, signal: AbortSignal) {
  for await (const answer of answers) {
    if (signal.aborted) return;
    if (!call.write(answer)) await once(call, 'drain', { signal }).catch(() => undefined);
  }
}

function closedError(): StorageError {
  return new StorageError('Unavailable', 'the store server is stopping');
}

function definition(method: DescMethod): Pick<Method, 'path' | 'service'> {
  const path = `/${method.parent.typeName}/${method.name}`;
  return {
    path,
    service: {
      path,
      requestStream: false,
      responseStream: method.methodKind === 'server_streaming',
      requestSerialize: (message: MessageInitShape<typeof method.input>) => serialize(method.input, message),
      requestDeserialize: (bytes: Buffer) => fromBinary(method.input, bytes),
      responseSerialize: (message: MessageInitShape<typeof method.output>) => serialize(method.output, message),
      responseDeserialize: (bytes: Buffer) => fromBinary(method.output, bytes),
    },
  };
}

/**
 * The gRPC status of an error. Details of errors other than StorageError are not sent to clients.
 */
function statusOf(error: unknown): Pick<StatusObject, 'code' | 'details' | 'metadata'> {
  const metadata = new Metadata();
  if (!(error instanceof StorageError)) return { code: status.INTERNAL, details: 'the store failed', metadata };
  metadata.set(errorCodeHeader, error.code);
  if (error.revision !== undefined) metadata.set(errorRevisionHeader, String(error.revision));
  return { code: statusCodes[error.code], details: error.message, metadata };
}
