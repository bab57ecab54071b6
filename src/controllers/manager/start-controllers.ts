import type { Logger } from 'pino';
import { backOffMs, clientBackOff, pause } from '../../async/timers.ts';
import { whenAborted } from '../../async/abort-signals.ts';
import { type Client, createClient } from '../../client/client.ts';
import { controller } from '../../client/controllers/controller.ts';
import { createEventRecorder } from '../../client/events/event-recorder.ts';
import { createInformerFactory, type InformerFactory } from '../../client/informers/informer-factory.ts';
import type { InformerMetrics } from '../../client/informers/informer-metrics.ts';
import { createQueueMetrics, type QueueMetrics } from '../../client/queue/queue-metrics.ts';
import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { Tracing } from '../../tracing/span.ts';
import { loggedReconcile } from './logged-reconciles.ts';
import { tracedReconcile, tracedRequests } from './traced-controllers.ts';
import type { ConnectionSettings } from '../../outbound/config/connection-settings.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { type ControllerOptions, defaultControllerOptions } from '../options/controller-flags.ts';
import { DiscoveryWatch } from '../discovery-watch.ts';
import { knownControllers } from './known-controllers.ts';
import { selectControllers, unknownController } from './select-controllers.ts';
import { componentFlags } from '../../identifiers/component-flags.ts';
import { garbageCollector } from '../garbage-collector/definition.ts';
import { NotSentError } from '../../outbound/call-error.ts';
import { builtInResources } from '../../client/built-in-resources.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import { bearer, type Credentials, type CredentialSource } from '../../outbound/config/credential-source.ts';

/** The requested lifetime of tokens. */
const lifetimeSeconds = 3600;

/** Tokens are replaced after this share of their lifetime. */
const renewalShare = 0.8;

/**
 * The credentials of a service account in the system namespace: tokens that another client
 * requests, which may also create the account. They are replaced before they expire.
 */
function accountCredentials(issuer: Client, { prefix, set, apiDomain }: Identifiers, name: string): CredentialSource {
  const namespace = `${prefix}system`;
  const { serviceaccounts } = builtInResources(set);
  let current: { readonly credentials: Credentials; readonly untilMs: number } | undefined;
  let pending: Promise<Credentials> | undefined;

  async function request(): Promise<Credentials> {
    const body = {
      apiVersion: `authentication.${apiDomain}/v1`,
      kind: 'TokenRequest',
      metadata: { name },
      spec: { audiences: [], expirationSeconds: lifetimeSeconds },
    };
    const { status } = await issuer.resource(serviceaccounts).create(body, { namespace, subresource: 'token' });
    const lifetimeMs = Date.parse(status?.expirationTimestamp ?? '') - Date.now();
    const credentials = { authorization: bearer(status?.token ?? '') };
    current = { credentials, untilMs: performance.now() + lifetimeMs * renewalShare };
    return credentials;
  }

  async function requestOrCreate(): Promise<Credentials> {
    const credentials = await ignoreReasons(request(), 'NotFound');
    if (credentials) return credentials;
    // Another instance was faster.
    await ignoreReasons(
      issuer.resource(serviceaccounts).create({ metadata: { name } }, { namespace }),
      'AlreadyExists',
    );
    return request();
  }

  /** Requests at the same time share one token. */
  function fresh(): Promise<Credentials> {
    pending ??= requestOrCreate().finally(() => (pending = undefined));
    return pending;
  }

  return {
    async get() {
      return current && performance.now() < current.untilMs ? current.credentials : fresh();
    },
    async renew(refused) {
      return current && current.credentials !== refused ? current.credentials : fresh();
    },
  };
}

/** The part that an error was recovered from in. */
export type ErrorSource = { readonly controller: string } | { readonly informer: string };

/** The server, and the controllers that run. */
interface StartControllersOptions {
  readonly settings: ConnectionSettings;
  readonly identifiers: Identifiers;
  /** Informers that others in this process read too; their own by default. */
  readonly informers?: InformerFactory;
  /** Options that differ from the defaults of the flags. */
  readonly options?: Partial<ControllerOptions>;
  /** PEM of the CA that is published in every namespace. The default is the CA of the settings. */
  readonly rootCa?: string | undefined;
  /** PEM of the private key that signs the tokens in Secrets; without it there are none. */
  readonly serviceAccountKey?: string | undefined;
  readonly metrics?: QueueMetrics;
  readonly informerMetrics?: InformerMetrics;
  /** Creates spans of reconciles and their requests; absent: no spans. */
  readonly tracing?: Tracing | undefined;
  /** The time by which agents of nodes are late, in ms since 1970; `Date.now` by default. */
  readonly now?: () => number;
  /** False when the lease of the leader has not been renewed in time: no request is sent then. */
  readonly isHeld?: (() => boolean) | undefined;
  /** Called with errors that are recovered from: of a controller, or the informer of a resource. */
  readonly onError?: (error: unknown, source: ErrorSource) => void;
  /** Logs each reconcile of a controller; undefined for those whose reconciles are not logged. */
  readonly stepsLog?: (controller: string) => Pick<Logger, 'debug'> | undefined;
}

/** Controllers that run. */
interface RunningControllers {
  readonly names: readonly string[];
  /** Waits until the controllers have seen the present objects. */
  synced(signal?: AbortSignal): Promise<void>;
  /**
   * Resolves when all controllers have ended, or at the latest some time after the signal aborts.
   */
  readonly ended: Promise<void>;
}

/**
 * Starts the controllers in this process; they end when the signal aborts. Throws TypeError for
 * an unknown name.
 */
export function startControllers(start: StartControllersOptions, signal: AbortSignal): RunningControllers {
  const { settings, identifiers, rootCa = settings.ca, serviceAccountKey } = start;
  const { metrics = createQueueMetrics(), informerMetrics, now = Date.now, onError = () => {} } = start;
  const options = { ...defaultControllerOptions, ...start.options };
  const problem = unknownController(knownControllers, options.controllers);
  if (problem !== undefined) throw new TypeError(problem);
  const collected = options['enable-garbage-collector'];
  const selected = selectControllers(knownControllers, options.controllers).filter(
    (definition) => collected || definition !== garbageCollector,
  );
  const { isHeld = () => true } = start;
  const perSecond = options[componentFlags.apiQps];
  const rate = perSecond > 0 ? { perSecond, burst: options[componentFlags.apiBurst] } : undefined;
  const guarded = whileHeld({ ...settings, ...(rate ? { requestRate: rate } : {}) }, isHeld);
  const { tracing } = start;
  const traced = tracing ? { traceRequest: tracedRequests(tracing) } : {};
  const client = createClient(guarded, { userAgent: `${identifiers.prefix}controller-manager`, ...traced });
  const informers =
    start.informers ??
    createInformerFactory(client, {
      signal,
      ...(informerMetrics ? { metrics: informerMetrics } : {}),
      onError: (error, { resource }) => signal.aborted || onError(error, { informer: resource }),
    });
  const discovery = new DiscoveryWatch(client, signal);
  const clients = [client];
  const clientOf = (definition: ControllerDefinition): Client => {
    const account = definition.account?.replace('{prefix}', identifiers.prefix);
    if (account === undefined || !options['use-service-account-credentials']) return client;
    const { server, direct, ca, serverName, insecure, proxyUrl, namespace, beforeSend, requestRate } = guarded;
    const credentials = accountCredentials(client, identifiers, account);
    const own = createClient(
      { server, direct, ca, serverName, insecure, proxyUrl, namespace, beforeSend, requestRate, credentials },
      { userAgent: account, ...traced },
    );
    clients.push(own);
    return own;
  };
  const runs = selected.map((definition, index) => {
    const report = (error: unknown): void => {
      if (!signal.aborted) onError(error, { controller: definition.name });
    };
    const own = clientOf(definition);
    const context: ControllerContext = {
      client: own,
      informers,
      discovery,
      identifiers,
      options,
      rootCa,
      serviceAccountKey,
      metrics,
      now,
      events: createEventRecorder(own, { component: definition.component ?? definition.name, signal, onError: report }),
      onError: report,
      controller: (loop) => {
        const log = start.stepsLog?.(definition.name);
        const logged = log ? loggedReconcile(log, loop.name, loop.reconcile) : loop.reconcile;
        const reconcile = tracing ? tracedReconcile(tracing, loop.name, logged) : logged;
        return controller({ informers, metrics, onError: report, ...loop, reconcile });
      },
    };
    return keepRunning(definition, { ...context, startAfterMs: index * options['controller-start-interval'] }, signal);
  });
  return {
    names: selected.map(({ name }) => name),
    synced: (waiting) => informers.synced(waiting),
    ended: end(runs, clients, { signal, stopMs: options['controller-shutdown-timeout'] }),
  };
}

/** Runs a controller again when it fails, because others must not end with it. */
async function keepRunning(
  definition: ControllerDefinition,
  context: ControllerContext & { readonly startAfterMs: number },
  signal: AbortSignal,
): Promise<void> {
  if (context.startAfterMs > 0) await pause(context.startAfterMs, signal);
  for (let failures = 0; !signal.aborted; failures++) {
    try {
      await definition.run(context, signal);
    } catch (error) {
      context.onError(error);
    }
    await pause(backOffMs(failures, clientBackOff), signal);
  }
}

/** A request without a response must not delay the end, so that the lease can be released. */
async function end(
  runs: readonly Promise<void>[],
  clients: readonly Client[],
  { signal, stopMs }: { readonly signal: AbortSignal; readonly stopMs: number },
): Promise<void> {
  await whenAborted(signal);
  const ended = new AbortController();
  const all = Promise.all(runs).then(() => ended.abort());
  await Promise.race([all, pause(stopMs, ended.signal)]);
  await Promise.all(clients.map((client) => client.close()));
}

/**
 * Settings of a connection that sends requests only while a lease is held. A process that was
 * stopped for longer than its lease has work before it, and may find out later that another one
 * leads: none of its requests is sent any more, not even requests that waited for a connection.
 * Requests that were sent before are not taken back.
 */
function whileHeld(settings: ConnectionSettings, isHeld: () => boolean): ConnectionSettings {
  return {
    ...settings,
    beforeSend() {
      if (!isHeld()) throw new NotSentError('the lease of the leader was not renewed in time');
    },
  };
}
