import { backOffMs, pause, storeBackOff } from '../async/timers.ts';
import { classifyError, neverSent } from './classify-error.ts';
import { ConnectionSession } from './connection-session.ts';
import { encodeTxn, type TxnRequest } from './encode-txn.ts';
import { endpointAddress, type Endpoint, type EtcdTls, openEndpoint } from './endpoint.ts';
import { keyRange, type EtcdValue } from './key-range.ts';
import { EtcdError } from './etcd-error.ts';
import { GrpcError } from './grpc/grpc-error.ts';
import { decodeRange, decodeTxn, encodeRange, type RangeRequest, type TxnResponse } from './kv-messages.ts';
import { type EtcdHeader, RevisionClock } from './revision-clock.ts';
import type { Tracing } from '../tracing/span.ts';
import type { OpenConnection } from './relay.ts';
import { SharedLeases } from './shared-leases.ts';
import { withoutCredentials } from './without-credentials.ts';
import { untilAborted } from '../async/abort-signals.ts';
import { type EtcdWatchBatch, type EtcdWatchOptions, findCompactRevision, watchPrefix } from './watch-prefix.ts';

/** The addresses and credentials of an etcd cluster. */
export interface EtcdOptions {
  /** `http://host:port` or `https://host:port` of its members; all with the same scheme. */
  readonly endpoints: readonly string[];
  /**
   * A function is called for each new connection; calls move to a new connection when its result
   * changes.
   */
  readonly tls?: EtcdTls | (() => EtcdTls);
  /**
   * Timeout of one call including retries; 10 s by default, which is longer than a leader election.
   */
  readonly timeoutMs?: number;
  /** A key that these credentials may read, used to read the revision; it need not exist. */
  readonly probeKey?: string;
  /**
   * Creates spans of calls and sends their context to etcd; absent if the process does not trace.
   */
  readonly tracing?: Tracing;
  /** Opens connections to members through a proxy; absent: they are opened directly. */
  readonly open?: OpenConnection | undefined;
  /** How long new keys that expire reuse a lease, in seconds; a minute by default. */
  readonly leaseReuseSeconds?: number;
}

/** A member of the cluster. */
export interface EtcdMember {
  /** The version of its software. */
  readonly version: string;
  /** The address of the member: `http://host:port`. */
  readonly endpoint: string;
  /** The size of the file of its database. */
  readonly databaseBytes: number;
  /** The alarms of any member of the cluster: `NOSPACE`, `CORRUPT`. */
  readonly alarms: readonly string[];
}

/** Some values of a range, and its total number of keys. `revision` is etcd's newest. */
interface EtcdRange {
  readonly revision: number;
  readonly values: readonly EtcdValue[];
  readonly count: number;
}

/** Options of a range. `limit` 0 means no limit; `revision` undefined means the newest. */
interface RangeOptions {
  readonly startKey?: string | undefined;
  readonly limit?: number | undefined;
  readonly revision?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Options of a compare-and-swap. */
interface SwapOptions {
  readonly ttlSeconds?: number | undefined;
  /** Only over a connection that belongs to this session (`EtcdClient.session`). */
  readonly session?: string | undefined;
}

/** The result of a compare-and-swap. If it failed, `current` is the present value of the key. */
export type EtcdSwap =
  | { readonly swapped: true; readonly revision: number }
  | { readonly swapped: false; readonly revision: number; readonly current: EtcdValue | undefined };

/**
 * The deadline of a call as of `performance.now()`, because the wall clock may be set during the
 * call.
 */
interface CallDeadline {
  readonly deadline: number;
}

/** A response. If it has a header, its revision is checked against the clock. */
interface EtcdResponse {
  readonly header?: EtcdHeader | undefined;
}

const defaultTimeoutMs = 10_000;
/** The time after which a read is tried at the next of several members. */
const attemptTimeoutMs = 3_000;
/** The least time left for which a read is tried again. */
const leastRetryMs = 20;
/** Timeout of the fast revision read. On timeout the caller falls back to the read that retries. */
const quickTimeoutMs = 1_000;

/** Creates a client for etcd. Throws only for invalid addresses: the first call connects. */
export async function connectEtcd(options: EtcdOptions): Promise<EtcdClient> {
  if (options.endpoints.length === 0) throw new EtcdError('invalid', 'etcd: no endpoint is given');
  const addresses = options.endpoints.map(checkedAddress);
  const secure = addresses.filter((address) => address.startsWith('https:')).length;
  if (secure > 0 && secure < addresses.length) {
    throw new EtcdError('invalid', 'etcd: endpoints must be all http or all https');
  }
  const { tls: given = {} } = options;
  const present = typeof given === 'function' ? given : () => given;
  const tls = secure > 0 ? present : undefined;
  const session = new ConnectionSession();
  const onOpen = (): void => session.renew();
  const endpoints = await Promise.all(
    addresses.map((address) => openEndpoint(address, tls, { onOpen, tracing: options.tracing, open: options.open })),
  );
  return new EtcdClient(endpoints, session, options);
}

function checkedAddress(text: string): string {
  const address = endpointAddress(text);
  if (address !== undefined) return address;
  const shown = withoutCredentials(text);
  throw new EtcdError('invalid', `etcd: endpoint "${shown}": must be http://host:port or https://host:port`);
}

/**
 * The client of etcd: the calls that this project needs. Every call has a deadline. Reads are
 * linearizable and retried until the deadline; writes are sent once. Throws `EtcdError`.
 */
export class EtcdClient {
  readonly clock = new RevisionClock();
  readonly #endpoints: readonly Endpoint[];
  readonly #session: ConnectionSession;
  readonly #timeoutMs: number;
  readonly #probe: RangeRequest;
  readonly #probeMessage: Buffer;
  readonly #closing = new AbortController();
  readonly #leases: SharedLeases;
  /** Index of the member in use; the next one after a failure. */
  #chosen: number;

  constructor(
    endpoints: readonly Endpoint[],
    session: ConnectionSession,
    {
      timeoutMs = defaultTimeoutMs,
      probeKey = '\0',
      leaseReuseSeconds,
    }: Pick<EtcdOptions, 'timeoutMs' | 'probeKey' | 'leaseReuseSeconds'>,
  ) {
    this.#endpoints = endpoints;
    this.#session = session;
    this.#timeoutMs = timeoutMs;
    this.#leases = new SharedLeases((ttlSeconds) => this.#grantLease(ttlSeconds), leaseReuseSeconds);
    this.#probe = { key: Buffer.from(probeKey), count_only: true };
    this.#probeMessage = encodeRange(this.#probe);
    this.#chosen = Math.floor(Math.random() * endpoints.length);
  }

  /** Aborts when the client is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  /** ID of the connections of reads and writes; each connection that is opened changes it. */
  get session(): string {
    return this.#session.id;
  }

  /** The member in use. */
  get endpoint(): Endpoint {
    const endpoint = this.#endpoints[this.#chosen];
    if (!endpoint) throw new RangeError('etcd: no endpoint');
    return endpoint;
  }

  /** Switches to the next member, unless another call already has. */
  leave(failed: Endpoint): void {
    if (failed === this.endpoint) this.#chosen = (this.#chosen + 1) % this.#endpoints.length;
  }

  /** Reads one key; `values` has at most one element. */
  async get(key: string, options: Pick<RangeOptions, 'revision' | 'signal'> = {}): Promise<EtcdRange> {
    return this.#range({ key: Buffer.from(key), revision: options.revision }, options.signal);
  }

  /** Reads the keys with a prefix, in byte order. */
  async range(prefix: string, options: RangeOptions = {}): Promise<EtcdRange> {
    const range = keyRange(prefix, options.startKey);
    const { limit, revision: at, signal } = options;
    if (range) return this.#range({ ...range, limit, revision: at }, signal);
    const { revision } = await this.#range({ ...this.#probe, revision: at }, signal);
    return { revision, values: [], count: 0 };
  }

  /** Reads the newest revision, at the cost of a read of one key. */
  async revision(signal?: AbortSignal): Promise<number> {
    const revision = await untilAborted(this.#quickRevision(), signal);
    return revision ?? (await this.#range(this.#probe, signal)).revision;
  }

  /**
   * Creates a key. Returns the revision, or undefined if the key exists. See `SharedLeases` for the
   * TTL.
   */
  async create(key: string, value: Uint8Array, ttlSeconds?: number): Promise<number | undefined> {
    const keyBytes = Buffer.from(key);
    const { succeeded, header } = await this.#leased(ttlSeconds, (lease) =>
      this.#txn({ key: keyBytes, expectedRevision: 0, value, ...lease }),
    );
    return succeeded ? Number(header.revision) : undefined;
  }

  /**
   * Updates a key that must be at `expectedRevision`. Without a TTL the key no longer expires. With
   * a session, throws `sessionEnded` and sends nothing over any other connection.
   */
  async update(
    key: string,
    value: Uint8Array,
    expectedRevision: number,
    { ttlSeconds, session }: SwapOptions = {},
  ): Promise<EtcdSwap> {
    return this.#leased(ttlSeconds, (lease) =>
      this.#swap({ key: Buffer.from(key), expectedRevision, value, ...lease }, session),
    );
  }

  /**
   * Deletes a key that must be at `expectedRevision`. Writes nothing else, so it works when etcd is
   * out of space. `session` as for `update`.
   */
  async delete(key: string, expectedRevision: number, { session }: SwapOptions = {}): Promise<EtcdSwap> {
    return this.#swap({ key: Buffer.from(key), expectedRevision, value: undefined }, session);
  }

  /** Compacts the history before `revision`; no error if that was already done. */
  async compact(revision: number): Promise<void> {
    try {
      // Compaction is idempotent, so it is retried like a read.
      await this.#read(undefined, (endpoint, { deadline }) =>
        inTime(deadline, (options) => endpoint.unary.kv.compact({ revision }, options)),
      );
    } catch (error) {
      if (error instanceof EtcdError && error.code === 'compacted') return;
      throw await this.#withRevision(error);
    }
  }

  /** The member in use, and the alarms of the cluster, which every member knows. */
  async member(signal?: AbortSignal): Promise<EtcdMember> {
    const answer = await this.#read(signal, async (endpoint, { deadline }) => {
      // The header is ignored: a member answers this from its own state, which may lag.
      const status = await inTime(deadline, (options) => endpoint.unary.maintenance.status(options));
      const { version, dbSize, errors } = status;
      const member = { version, endpoint: endpoint.address, databaseBytes: Number(dbSize), alarms: alarmsIn(errors) };
      return { member, header: undefined };
    });
    return answer.member;
  }

  /** See `watchPrefix`. */
  watch(prefix: string, options: EtcdWatchOptions): AsyncGenerator<EtcdWatchBatch, void, undefined> {
    return watchPrefix(this, prefix, options);
  }

  close(): void {
    this.#closing.abort(new EtcdError('unavailable', 'etcd: the client is closed'));
    for (const endpoint of this.#endpoints) endpoint.close();
  }

  /**
   * The newest revision by one attempt; undefined on failure, and the caller falls back to the read
   * that retries.
   */
  async #quickRevision(): Promise<number | undefined> {
    this.closed.throwIfAborted();
    const ticket = this.clock.ticket();
    const { endpoint } = this;
    try {
      // The caller has already waited for the end of the loop turn, so the call is sent at once.
      const answer = await endpoint.calls.call('Range', this.#probeMessage, quickTimeoutMs, { atOnce: true });
      const { header } = decodeRange(answer);
      this.clock.observe(header, ticket, 'read');
      return Number(header.revision);
    } catch (error) {
      if (error instanceof EtcdError && error.code !== 'unavailable') throw error;
      // Switches the member now, so that later calls do not have to fail first.
      this.leave(endpoint);
      return undefined;
    }
  }

  async #range(request: RangeRequest, signal: AbortSignal | undefined): Promise<EtcdRange> {
    const message = encodeRange(request);
    try {
      const { header, values, count } = await this.#read(signal, async (endpoint, { deadline }) =>
        decodeRange(await endpoint.calls.call('Range', message, deadline - performance.now())),
      );
      return { revision: Number(header.revision), values, count };
    } catch (error) {
      throw await this.#withRevision(error);
    }
  }

  async #swap(request: TxnRequest, session: string | undefined): Promise<EtcdSwap> {
    const { succeeded, header, current } = await (session === undefined
      ? this.#txn(request)
      : this.#txnIn(session, request));
    const revision = Number(header.revision);
    return succeeded ? { swapped: true, revision } : { swapped: false, revision, current };
  }

  /**
   * Writes with a shared lease; retries with a new one if etcd lost the lease (after a restore from
   * a backup).
   */
  async #leased<T>(ttlSeconds: number | undefined, write: (lease: { lease?: string }) => Promise<T>): Promise<T> {
    if (ttlSeconds === undefined) return write({});
    const lease = await this.#leases.leaseFor(ttlSeconds);
    try {
      return await write({ lease });
    } catch (error) {
      if (!(error instanceof EtcdError) || error.code !== 'unknownLease') throw error;
      await this.#leases.forget(lease);
      return write({ lease: await this.#leases.leaseFor(ttlSeconds) });
    }
  }

  /** Retried like a read: a lease that is granted twice expires without keys. */
  async #grantLease(ttlSeconds: number): Promise<string> {
    const { id } = await this.#read(undefined, async (endpoint, { deadline }) => {
      // The header is ignored: a lease grant may return an older revision than a previous write.
      const { ID: granted } = await inTime(deadline, (options) =>
        endpoint.unary.leaseClient.leaseGrant({ TTL: ttlSeconds }, options),
      );
      return { id: granted, header: undefined };
    });
    return id;
  }

  #txn(request: TxnRequest): Promise<TxnResponse> {
    const message = encodeTxn(request);
    return this.#write(async (endpoint, { deadline }) =>
      decodeTxn(await endpoint.calls.call('Txn', message, deadline - performance.now())),
    );
  }

  /** Sends a transaction over a connection of a session, or throws `sessionEnded`. */
  async #txnIn(session: string, request: TxnRequest): Promise<TxnResponse> {
    const message = encodeTxn(request);
    const { endpoint } = this;
    try {
      return await this.#call(endpoint, 'write', performance.now() + this.#timeoutMs, (_, { deadline }) => {
        if (session !== this.session) throw sessionEnded();
        return endpoint.calls.call('Txn', message, deadline - performance.now(), { onlyIfOpen: true }).then(decodeTxn);
      });
    } catch (error) {
      if (!(error instanceof EtcdError)) throw error;
      if (error.code === 'unavailable' || error.code === 'unknownOutcome') this.leave(endpoint);
      throw neverSent(error) ? sessionEnded(error) : error;
    }
  }

  async #read<T extends EtcdResponse>(
    signal: AbortSignal | undefined,
    call: (endpoint: Endpoint, options: CallDeadline) => Promise<T>,
  ): Promise<T> {
    const deadline = performance.now() + this.#timeoutMs;
    for (let attempt = 0; ; attempt++) {
      const endpoint = this.endpoint;
      const longest = this.#endpoints.length > 1 ? performance.now() + attemptTimeoutMs : deadline;
      try {
        return await untilAborted(this.#call(endpoint, 'read', Math.min(deadline, longest), call), signal);
      } catch (error) {
        if (signal?.aborted || this.closed.aborted) throw error;
        const leftMs = deadline - performance.now();
        if (!(error instanceof EtcdError) || error.code !== 'unavailable' || leftMs < leastRetryMs) throw error;
        this.leave(endpoint);
        // Not past the deadline: etcd may be back before it.
        await pause(Math.min(backOffMs(attempt, storeBackOff), leftMs / 2), signal);
      }
    }
  }

  /** A write is sent to another member only if it was certainly never sent. */
  async #write<T extends EtcdResponse>(call: (endpoint: Endpoint, options: CallDeadline) => Promise<T>): Promise<T> {
    const deadline = performance.now() + this.#timeoutMs;
    for (let attempt = 1; ; attempt++) {
      const endpoint = this.endpoint;
      try {
        return await this.#call(endpoint, 'write', deadline, call);
      } catch (error) {
        if (!(error instanceof EtcdError)) throw error;
        if (error.code === 'unavailable' || error.code === 'unknownOutcome') this.leave(endpoint);
        if (!neverSent(error) || attempt >= this.#endpoints.length) throw error;
      }
    }
  }

  async #call<T extends EtcdResponse>(
    endpoint: Endpoint,
    kind: 'read' | 'write',
    deadline: number,
    call: (endpoint: Endpoint, options: CallDeadline) => Promise<T>,
  ): Promise<T> {
    this.closed.throwIfAborted();
    const ticket = this.clock.ticket();
    let answer: T;
    try {
      answer = await call(endpoint, { deadline });
    } catch (error) {
      throw classifyError(error, kind);
    }
    if (answer.header) this.clock.observe(answer.header, ticket, kind);
    return answer;
  }

  /** Adds the newest or the oldest revision to an error, because etcd does not report it. */
  async #withRevision(error: unknown): Promise<unknown> {
    if (!(error instanceof EtcdError)) return error;
    if (error.code !== 'futureRevision' && error.code !== 'compacted') return error;
    const revision = error.code === 'futureRevision' ? await this.revision() : await findCompactRevision(this.endpoint);
    return new EtcdError(error.code, error.message, { revision, cause: error.cause });
  }
}

/**
 * The alarms among the errors of a member's status, which are texts (`memberID:1 alarm:NOSPACE`),
 * without repetition. The call for alarms would tell them apart from other errors, but goes through
 * the log of the cluster.
 */
function alarmsIn(errors: readonly string[] = []): string[] {
  return [...new Set(errors.flatMap((error) => /\balarm:\s*(\w+)/.exec(error)?.[1] ?? []))];
}

function sessionEnded(cause?: EtcdError): EtcdError {
  return new EtcdError('sessionEnded', 'etcd: the connection was renewed since the value was read', { cause });
}

/**
 * Makes a call through grpc-js with a monotonic deadline. grpc-js takes only wall-clock deadlines,
 * which are wrong if the clock is set back before the call begins.
 */
function inTime<T>(deadline: number, call: (options: { readonly deadline: number }) => Promise<T>): Promise<T> {
  const leftMs = deadline - performance.now();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new GrpcError('DEADLINE_EXCEEDED', 'Deadline exceeded')), leftMs);
    call({ deadline: Date.now() + leftMs })
      .then(resolve, reject)
      .finally(() => clearTimeout(timer));
  });
}
