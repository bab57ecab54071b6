import { defaultsOf, type OptionsOf } from '../flags/flag-options.ts';
import { inSection, type FlagTable } from '../flags/flag-table.ts';
import {
  boolean,
  checked,
  duration,
  type FlagType,
  FlagValueError,
  integer,
  list,
  text,
  toggle,
} from '../flags/flag-types.ts';
import { corsOriginError } from './filters/cors-origins.ts';
import { keepAliveTimeoutMs } from '../http-protocol/messages/server-settings.ts';

const unlimited = '; 0 disables the limit';

/**
 * The largest accepted body with the overhead of its chunks. A smaller budget would reject every
 * body of that size.
 */
const leastBodyBudgetBytes = 4 * 1024 * 1024;

const bodyBudget = checked(integer('bytes'), (bytes) =>
  bytes === 0 || bytes >= leastBodyBudgetBytes ? undefined : `use 0, or at least ${leastBodyBudgetBytes}`,
);

/**
 * Enough for some forty requests with bodies or responses of maximum size. Most requests of a busy
 * server are much smaller.
 */
const budgetBytes = 128 * 1024 * 1024;

/** An idle connection costs some 30 KB. */
const maxConnections = 20_000;

/** A larger share would keep clients busy with handshakes. */
const largestGoawayChance = 0.02;

const chance: FlagType<number> = {
  placeholder: 'share',
  parse: (given) => {
    const share = Number(given);
    if (!/^[0-9.]+$/.test(given) || !(share >= 0 && share <= largestGoawayChance)) {
      throw new FlagValueError(`use a number from 0 to ${largestGoawayChance}`);
    }
    return share;
  },
  format: String,
};

const directives = checked(list('directives'), (given) =>
  given.every((directive) => /^(?:includeSubDomains|preload|max-age=[0-9]{1,12})$/.test(directive))
    ? undefined
    : 'use max-age=<seconds>, includeSubDomains and preload',
);

/** The flags of requests and connections that the HTTP layer serves by. */
export const httpFlags = {
  ...inSection('General', {
    /** Serves CPU profiles and heap snapshots to users with access to their paths. */
    profiling: {
      flag: 'profiling',
      type: toggle,
      help: 'serve CPU profiles at /debug/profile?seconds=N, and at /debug/heap heap snapshots, which contain Secrets',
    },
    /** Serves the dashboard, whose files need no credentials. */
    enableDashboard: {
      flag: 'enable-dashboard',
      type: toggle,
      help: 'serve the dashboard, a page for browsers, at /dashboard; users sign in there with their own credentials',
    },
  }),
  ...inSection('Serving', {
    /** The share of HTTP/2 requests after which a client has to connect again, up to 0.02. */
    goawayChance: {
      flag: 'goaway-chance',
      type: chance,
      default: 0,
      help:
        `share of HTTP/2 requests, up to ${largestGoawayChance}, after which a client has to connect again, so that a load ` +
        'balancer can spread clients over several servers',
    },
    /** Regular expressions of the origins whose web pages may send requests. */
    corsAllowedOrigins: {
      flag: 'cors-allowed-origins',
      type: checked(list('patterns'), (patterns) =>
        patterns.map(corsOriginError).find((problem) => problem !== undefined),
      ),
      default: [],
      help: 'regular expressions of the origins whose web pages may send requests, such as ^https://console\\.example\\.com$',
    },
    /** Directives of the header `Strict-Transport-Security`; empty: it is not sent. */
    strictTransportSecurityDirectives: {
      flag: 'strict-transport-security-directives',
      type: directives,
      default: [],
      help: 'directives of the header Strict-Transport-Security, such as max-age=31536000,includeSubDomains; empty: no header',
    },
    /** The host name of this server in documents for clients; absent: its address. */
    externalHostname: {
      flag: 'external-hostname',
      type: text('name'),
      help: 'name of this server in documents for clients, such as that of the issuer of tokens; by default its address',
    },
    /** Answers requests with 429 from the stop signal until the listener closes. */
    shutdownSendRetryAfter: {
      flag: 'shutdown-send-retry-after',
      type: boolean,
      default: false,
      help: 'while the server stops, answer new requests with 429 and Retry-After until those in flight have ended',
    },
    /** How long open watches may continue while the server stops. */
    shutdownWatchGraceMs: {
      flag: 'shutdown-watch-termination-grace-period',
      type: duration(),
      default: 0,
      help: 'time over which watches are ended, one after the other, while the server stops; 0 ends them at once',
    },
    /** Answers requests with 503 until the server is ready for the first time. */
    refuseUntilReady: {
      flag: 'send-retry-after-while-not-ready-once',
      type: boolean,
      default: false,
      help: 'answer requests with 503 and Retry-After until the server has been ready once, but for administrators and probes',
    },
  }),
  ...inSection('Limit', {
    /**
     * The least duration of a watch without `timeoutSeconds`, in seconds; the most is twice that.
     */
    minRequestTimeoutSeconds: {
      flag: 'min-request-timeout',
      type: integer('seconds', 1, 1_000_000),
      default: 1800,
      help: 'time after which a watch without timeoutSeconds may end, in seconds; the time is chosen from this one to twice as much',
    },
    /**
     * The bytes per second of a stream to a node, Pod or Service, in each direction; 0: no limit.
     */
    maxConnectionBytesPerSecond: {
      flag: 'max-connection-bytes-per-sec',
      type: integer('bytes'),
      default: 0,
      help: `bytes per second of an upgraded connection that is passed on (exec, attach, port-forward)${unlimited}`,
    },
    /** Timeout of ordinary requests, and the default of their `timeout` parameter. */
    requestTimeoutMs: {
      flag: 'request-timeout',
      type: duration({ positive: true }),
      default: 60_000,
      help: 'time limit of requests other than watches',
    },
    /** How long a client may take no bytes of its response before it is disconnected; 0: never. */
    stuckReaderMs: {
      flag: 'stuck-reader-timeout',
      type: duration(),
      default: 60_000,
      help: 'time after which a connection is closed if its client reads nothing of a response; 0 disables it',
    },
    /** How long a connection without requests stays open. */
    idleTimeoutMs: {
      flag: 'idle-timeout',
      type: duration({ positive: true }),
      default: keepAliveTimeoutMs,
      help: 'time after which a connection without requests is closed',
    },
    /** Maximum of open connections. */
    maxConnections: {
      flag: 'max-connections',
      type: integer('number', 1),
      default: maxConnections,
      help: 'limit of open connections',
    },
    /** Maximum of open connections of one IPv4 address or IPv6 /64 network. */
    maxConnectionsPerAddress: {
      flag: 'max-connections-per-address',
      type: integer('number', 1),
      // Large, because a proxy in front of the server counts as one client.
      default: maxConnections / 2,
      help: 'limit of open connections from one IPv4 address or one IPv6 /64 network',
    },
    /** Maximum of read requests in flight, without watches; 0: no limit, here and below. */
    maxRequestsInFlight: {
      flag: 'max-requests-inflight',
      type: integer('number'),
      default: 400,
      leastPart: 1,
      help: `limit of concurrent read requests, without watches${unlimited}`,
    },
    /** Maximum of mutating requests in flight. */
    maxMutatingRequestsInFlight: {
      flag: 'max-mutating-requests-inflight',
      type: integer('number'),
      default: 200,
      leastPart: 1,
      help: `limit of concurrent write requests${unlimited}`,
    },
    /** Shares the requests in flight among users (API priority and fairness). */
    priorityAndFairness: {
      flag: 'enable-priority-and-fairness',
      type: boolean,
      default: true,
      help: 'share the requests in flight among users by flow schemas and priority levels, and let others wait',
    },
    /** Maximum of open watches. */
    maxWatchesInFlight: {
      flag: 'max-watches-inflight',
      type: integer('number'),
      default: 20_000,
      leastPart: 1,
      help: `limit of open watches${unlimited}`,
    },
    /** Maximum of bytes of request bodies being read or handled. */
    maxBodyBytes: {
      flag: 'max-body-bytes-inflight',
      type: bodyBudget,
      default: budgetBytes,
      leastPart: leastBodyBudgetBytes,
      help: `limit of request bodies in memory, in bytes${unlimited}`,
    },
    /** Maximum of bytes of responses that clients have not taken yet. */
    maxAnswerBytes: {
      flag: 'max-answer-bytes-inflight',
      type: integer('bytes'),
      default: budgetBytes,
      leastPart: 1,
      help: `limit of responses in memory that clients have not yet read, in bytes${unlimited}`,
    },
  }),
} as const satisfies FlagTable;

/** The options of the HTTP layer. */
export type HttpOptions = OptionsOf<typeof httpFlags>;

/** The defaults of these options. */
export const defaultHttpOptions: HttpOptions = defaultsOf(httpFlags);
