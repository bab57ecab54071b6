import { type DescMessage, type DescMethod, fromBinary, type MessageInitShape } from '@bufbuild/protobuf';
import type { DescMethodServerStreaming, DescMethodUnary, MessageShape } from '@bufbuild/protobuf';
import { type ChannelCredentials, Client, credentials, type ClientReadableStream } from '@grpc/grpc-js';
import { backOffMs, pause, storeBackOff } from '../../async/timers.ts';
import { linkSignals, untilAborted } from '../../async/abort-signals.ts';
import { ObjectStore as ObjectStoreService } from '../../gen/storage/v1/object_store_pb.ts';
import { checkKey, checkRevision, checkSignal, storeClosed, checkTtl } from '../port/check-arguments.ts';
import type { CallOptions, DeleteCallOptions, GetResult, ListOptions, ListPage } from '../port/object-store.ts';
import type {
  ObjectStore,
  StatusOptions,
  StoreStatus,
  SwapOptions,
  SwapResult,
  WatchBatch,
} from '../port/object-store.ts';
import type { WatchOptions, WriteCallOptions } from '../port/object-store.ts';
import { StorageError } from '../port/storage-error.ts';
import { errorOfCall } from './grpc-status.ts';
import { eventOfMessage, serialize, sessionOf, swapOfMessage, valueOfMessage } from './store-messages.ts';

/**
 * Trusted authorities and the client's certificate for `grpcs`. Without `ca`, the system's
 * authorities are trusted.
 */
export interface RemoteStoreTls {
  readonly ca?: Buffer;
  readonly cert?: Buffer;
  readonly key?: Buffer;
}

const methods = ObjectStoreService.method;

const channelOptions = Object.freeze({
  // Only a ping detects a half-open connection.
  'grpc.keepalive_time_ms': 10_000,
  'grpc.keepalive_timeout_ms': 5_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.max_receive_message_length': -1,
  'grpc.max_send_message_length': -1,
  // Reconnects soon after the store is back.
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
});

/**
 * The client of a store in another process; see `connectRemoteStore`. Reads are retried until the
 * timeout, writes are sent once. A watch is one stream.
 */
export class RemoteStore implements ObjectStore {
  readonly #client: Client;
  readonly #timeoutMs: number;
  readonly #closing = new AbortController();

  constructor(address: string, tls: RemoteStoreTls | undefined, timeoutMs: number) {
    this.#client = new Client(address, credentialsOf(tls), channelOptions);
    this.#timeoutMs = timeoutMs;
  }

  async get(key: string, options: { revision?: number; signal?: AbortSignal } = {}): Promise<GetResult> {
    checkKey(key);
    if (options.revision !== undefined) checkRevision('revision', options.revision, 1);
    const request = { key, revision: BigInt(options.revision ?? 0) };
    const { current, revision, session } = await this.#read(methods.get, request, options.signal);
    return { current: current && valueOfMessage(current), revision: Number(revision), ...sessionOf(session) };
  }

  async create(key: string, value: Uint8Array, options: WriteCallOptions = {}): Promise<{ readonly revision: number }> {
    checkKey(key);
    const { revision } = await this.#write(methods.create, { key, value, ...ttlMessage(options) }, options.signal);
    return { revision: Number(revision) };
  }

  async update(
    key: string,
    value: Uint8Array,
    expectedRevision: number,
    options: SwapOptions = {},
  ): Promise<SwapResult> {
    checkKey(key);
    checkRevision('expectedRevision', expectedRevision, 1);
    const { session = '' } = options;
    const request = { key, value, expectedRevision: BigInt(expectedRevision), session, ...ttlMessage(options) };
    return swapOfMessage(await this.#write(methods.update, request, options.signal));
  }

  async delete(key: string, expectedRevision: number, options: DeleteCallOptions = {}): Promise<SwapResult> {
    checkKey(key);
    checkRevision('expectedRevision', expectedRevision, 1);
    const request = { key, expectedRevision: BigInt(expectedRevision), session: options.session ?? '' };
    return swapOfMessage(await this.#write(methods.delete, request, options.signal));
  }

  async *list(prefix: string, options: ListOptions = {}): AsyncGenerator<ListPage, void, undefined> {
    const { signal, limit = 0, revision = 0, startKey = '' } = options;
    checkRevision('limit', limit, 0);
    if (options.revision !== undefined) checkRevision('revision', revision, 1);
    checkSignal(signal);
    const request = { prefix, startKey, limit: BigInt(limit), revision: BigInt(revision) };
    const deadline = performance.now() + this.#timeoutMs;
    let begun = false;
    for (let attempt = 0; !begun; attempt++) {
      try {
        for await (const page of this.#stream(methods.list, request, signal)) {
          begun = true;
          const values = page.values.map(valueOfMessage);
          const { revision: at, remaining, session } = page;
          yield { revision: Number(at), values, remaining: Number(remaining), ...sessionOf(session) };
        }
        return;
      } catch (error) {
        checkSignal(signal);
        const waitMs = backOffMs(attempt, storeBackOff);
        if (begun || !this.#mayTryAgain(error, waitMs, deadline)) throw error;
        await pause(waitMs, signal);
      }
    }
  }

  async *watch(prefix: string, options: WatchOptions): AsyncGenerator<WatchBatch, void, undefined> {
    const { signal, afterRevision, historyId = '' } = options;
    checkRevision('afterRevision', afterRevision, 1);
    const stop = linkSignals(signal, this.#closing.signal);
    try {
      const request = { prefix, afterRevision: BigInt(afterRevision), historyId };
      for await (const { revision, events } of this.#stream(methods.watch, request, stop.signal)) {
        yield { revision: Number(revision), events: events.map(eventOfMessage) };
      }
    } catch (error) {
      if (!stop.signal.aborted) throw error;
    } finally {
      stop.release();
    }
    if (signal?.aborted) return;
    throw this.#closing.signal.aborted ? storeClosed() : new StorageError('Unavailable', 'the store ended the watch');
  }

  async compact(revision: number, options: CallOptions = {}): Promise<void> {
    checkRevision('revision', revision, 1);
    // Compaction is idempotent, so it is retried like a read.
    await this.#read(methods.compact, { revision: BigInt(revision) }, options.signal);
  }

  async status({ alarms = false, signal }: StatusOptions = {}): Promise<StoreStatus> {
    const status = await this.#read(methods.status, { alarms }, signal);
    const { revision, historyId, session, version } = status;
    return { revision: Number(revision), historyId, version, alarms: status.alarms, ...sessionOf(session) };
  }

  async close(): Promise<void> {
    this.#closing.abort(storeClosed());
    this.#client.close();
  }

  async #read<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    signal: AbortSignal | undefined,
  ): Promise<MessageShape<O>> {
    const deadline = performance.now() + this.#timeoutMs;
    for (let attempt = 0; ; attempt++) {
      checkSignal(signal);
      try {
        return await untilAborted(this.#unary(method, request, 'read', deadline), signal);
      } catch (error) {
        checkSignal(signal);
        const waitMs = backOffMs(attempt, storeBackOff);
        if (!this.#mayTryAgain(error, waitMs, deadline)) throw error;
        await pause(waitMs, signal);
      }
    }
  }

  #mayTryAgain(error: unknown, waitMs: number, deadline: number): boolean {
    return !this.#closing.signal.aborted && mayResume(error) && performance.now() + waitMs < deadline;
  }

  /**
   * Sends a write once. It is not cancelled after it was sent, because its outcome matters to other
   * requests.
   */
  #write<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    signal: AbortSignal | undefined,
  ): Promise<MessageShape<O>> {
    checkSignal(signal);
    return this.#unary(method, request, 'write', performance.now() + this.#timeoutMs);
  }

  #unary<I extends DescMessage, O extends DescMessage>(
    method: DescMethodUnary<I, O>,
    request: MessageInitShape<I>,
    kind: 'read' | 'write',
    deadline: number,
  ): Promise<MessageShape<O>> {
    if (this.#closing.signal.aborted) return Promise.reject(storeClosed());
    const { path, encode, decode } = callOf(method);
    // grpc-js takes wall-clock deadlines, and computes the remaining time when the call begins.
    const options = { deadline: Date.now() + deadline - performance.now() };
    return new Promise((resolve, reject) => {
      this.#client.makeUnaryRequest(path, encode, decode, request, options, (error, response) => {
        if (error) reject(errorOfCall(error, kind));
        else if (response) resolve(response);
      });
    });
  }

  async *#stream<I extends DescMessage, O extends DescMessage>(
    method: DescMethodServerStreaming<I, O>,
    request: MessageInitShape<I>,
    signal: AbortSignal | undefined,
  ): AsyncGenerator<MessageShape<O>, void, undefined> {
    if (this.#closing.signal.aborted) throw storeClosed();
    const { path, encode, decode } = callOf(method);
    const stream: ClientReadableStream<MessageShape<O>> = this.#client.makeServerStreamRequest(
      path,
      encode,
      decode,
      request,
      {},
    );
    const leave = (): void => stream.cancel();
    if (signal?.aborted) leave();
    signal?.addEventListener('abort', leave, { once: true });
    try {
      yield* stream;
    } catch (error) {
      throw errorOfCall(error, 'read');
    } finally {
      signal?.removeEventListener('abort', leave);
      // Ignores the error that the cancellation itself may emit after the last reader has left.
      stream.on('error', () => undefined);
      leave();
    }
  }
}

/** True for failures of the connection rather than of the request. */
function mayResume(error: unknown): boolean {
  return error instanceof StorageError && error.code === 'Unavailable';
}

function credentialsOf(tls: RemoteStoreTls | undefined): ChannelCredentials {
  if (!tls) return credentials.createInsecure();
  return credentials.createSsl(tls.ca ?? null, tls.key ?? null, tls.cert ?? null);
}

function callOf<I extends DescMessage, O extends DescMessage>(method: DescMethod & { input: I; output: O }) {
  return {
    path: `/${method.parent.typeName}/${method.name}`,
    encode: (message: MessageInitShape<I>): Buffer => serialize(method.input, message),
    decode: (bytes: Buffer): MessageShape<O> => fromBinary(method.output, bytes),
  };
}

/** A TTL as a message field, if one is given. */
function ttlMessage({ ttlSeconds }: WriteCallOptions): { ttlSeconds?: bigint } {
  checkTtl(ttlSeconds);
  return ttlSeconds === undefined ? {} : { ttlSeconds: BigInt(ttlSeconds) };
}
