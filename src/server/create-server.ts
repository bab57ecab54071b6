import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { namespaceLifecycle } from '../admission/plugins/namespace-lifecycle.ts';
import { createHttpHandler } from '../http/create-http-handler.ts';
import { identifiersOf } from '../identifiers/identifiers.ts';
import { createRegistries } from '../registry/create-registries.ts';
import { findNamespaceIn } from '../registry/find-namespace.ts';
import { resourceDefinitions } from '../resources/definitions.ts';
import { virtualResources } from '../resources/virtual-resources.ts';
import { catalogueOf } from '../scheme/catalogue.ts';
import { claimStore } from '../storage/store-identity.ts';
import { WatchCache } from '../storage/watch-cache.ts';
import { authenticatorsOf } from './authenticators.ts';
import { authorizersOf } from './authorizers.ts';
import { type Background, startBackground } from './start-background.ts';
import { healthChecks } from './health-checks.ts';
import { listen } from './listen.ts';
import { createLog } from './log.ts';
import { openStore } from './open-store.ts';
import { defaultServerOptions, type ServerOptions } from './server-options.ts';
import { servingCertificate } from './serving-certificate.ts';
import { versionInfo } from './version-info.ts';

/** A running API server. */
export interface Server {
  /** `https://<address>:<port>`; a server that listens everywhere names the loopback address. */
  readonly url: string;
  readonly port: number;
  /** PEM of what clients trust the server by. */
  readonly ca: string;
  /** Stops gracefully: fails readiness, waits the shutdown delay, ends watches, drains requests, lets go of the store. */
  close(): Promise<void>;
}

/**
 * Starts an API server in this process and resolves when it serves. Options that are not given have the defaults of
 * `defaultServerOptions`: a store in memory, a free port of the loopback interface. Rejects where a file cannot be
 * read, the port is taken (`EADDRINUSE`), or the store was written under other identifiers.
 *
 * @example
 * const server = await createServer({ store: { kind: 'etcd', servers: ['http://127.0.0.1:2379'] }, securePort: 6443 });
 */
export async function createServer(given: Partial<ServerOptions> = {}): Promise<Server> {
  const options: ServerOptions = { ...defaultServerOptions, ...given };
  const identifiers = identifiersOf(options.identifiers);
  const { prefix } = options;
  const { log, isWritable } = createLog(options.logLevel);
  const [store, certificate, authenticators, clientCa] = await Promise.all([
    openStore(options.store, prefix),
    servingCertificate(options, identifiers),
    authenticatorsOf(options),
    options.clientCaFile === undefined ? undefined : readFile(options.clientCaFile, 'utf8'),
  ]);
  const stopping = new AbortController();
  const draining = new AbortController();
  const catalogue = catalogueOf(identifiers);
  const authorizers = authorizersOf(options);
  const caches = new WatchCache({
    store,
    prefix,
    historyMs: options.watchHistoryMs,
    log: (message, details) => log.warn(details, message),
  });
  const letGo = async (): Promise<void> => {
    draining.abort();
    await caches.close();
    await store.close();
  };
  try {
    await claimStore({ store, prefix, identifiers: identifiers.set });
    const registries = createRegistries({
      identifiers,
      catalogue,
      store,
      caches,
      prefix,
      definitions: resourceDefinitions,
      admission: (cacheOf) => {
        const namespaces = cacheOf('', 'namespaces');
        return namespaces ? [namespaceLifecycle({ identifiers, findNamespace: findNamespaceIn(namespaces) })] : [];
      },
    });
    const background: Background = startBackground({
      ...{ options, identifiers, catalogue, store, caches, registries, log },
      signal: draining.signal,
    });
    const handler = createHttpHandler({
      identifiers,
      catalogue,
      registries,
      virtual: virtualResources({ identifiers, authenticators, authorizers }),
      authenticators,
      authorizers,
      anonymousAuth: options.anonymousAuth,
      health: healthChecks({
        store,
        caches,
        logIsWritable: isWritable,
        startProblem: background.startProblem,
        shutdown: stopping.signal,
      }),
      version: versionInfo(),
      log,
      shutdown: draining.signal,
      requestTimeoutMs: options.requestTimeoutMs,
    });
    const { bindAddress, securePort } = options;
    const listener = await listen({
      ...{ bindAddress, port: securePort, handler, clientCa },
      cert: certificate.cert,
      key: certificate.key,
    });
    await background.firstTry;
    const close = async (): Promise<void> => {
      stopping.abort();
      if (options.shutdownDelayMs > 0) await sleep(options.shutdownDelayMs);
      draining.abort();
      await listener.close(options.drainTimeoutMs);
      await letGo();
    };
    let closed: Promise<void> | undefined;
    return {
      url: `https://${hostOf(bindAddress)}:${listener.port}`,
      port: listener.port,
      ca: certificate.ca,
      close: () => (closed ??= close()),
    };
  } catch (error) {
    await letGo();
    throw error;
  }
}

function hostOf(bindAddress: string): string {
  if (bindAddress === '0.0.0.0' || bindAddress === '::') return '127.0.0.1';
  return bindAddress.includes(':') ? `[${bindAddress}]` : bindAddress;
}
