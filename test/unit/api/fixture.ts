import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Authenticator } from '../../../src/authn/authenticator.ts';
import { staticTokenAuthenticator } from '../../../src/authn/static-token.ts';
import { alwaysAllowAuthorizer } from '../../../src/authz/always-allow-authorizer.ts';
import type { Authorizer } from '../../../src/authz/authorizer.ts';
import { serveUpgrades } from '../../../src/api/connect/serve-upgrades.ts';
import { createHttpHandler, type HttpHandler } from '../../../src/api/create-http-handler.ts';
import type { HttpDependencies } from '../../../src/api/http-dependencies.ts';
import { defaultHttpOptions } from '../../../src/api/http-flags.ts';
import { OpenRequests } from '../../../src/http-protocol/requests/open-requests.ts';
import { http1Settings } from '../../../src/http-protocol/messages/server-settings.ts';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { createRegistries } from '../../../src/registry/create-registries.ts';
import { forgetRemoved } from '../../../src/registry/internal/forget-removed.ts';
import { MetricsRegistry } from '../../../src/metrics/metrics-registry.ts';
import type { MutableCatalogue } from '../../../src/registry/definition/live-catalogue.ts';
import type { Registries } from '../../../src/registry/definition/registry.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { connectSubresources } from '../../../src/catalogue/connect-subresources.ts';
import { MemoryStore } from '../../../src/storage/memory/memory-store.ts';
import { WatchCache } from '../../../src/storage/cache/watch-cache.ts';

/** The identifiers of these tests. */
export const identifiers = identifiersOf('kubernetes');

/** One request. `path` goes out byte for byte. */
export interface Sent {
  readonly method?: string;
  readonly path: string;
  readonly headers?: http.OutgoingHttpHeaders;
  readonly body?: string | Buffer | object;
  readonly type?: string;
}

/** One answer. `json` parses the body. */
export interface Received {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly text: string;
  readonly bytes: Buffer;
  json(): Record<string, unknown>;
  /** What stands in the body at a path such as `items.0.metadata.name`. */
  at(path: string): unknown;
}

/** A server over a memory store, or over registries of the test's own. */
export interface Fixture extends AsyncDisposable {
  readonly port: number;
  readonly server: http.Server;
  readonly handler: HttpHandler;
  readonly registries: Registries;
  readonly catalogue: MutableCatalogue;
  readonly caches: WatchCache;
  readonly store: MemoryStore;
  /** What was logged, level first. */
  readonly logged: [string, object, string][];
  readonly shutdown: AbortController;
  send(request: Sent): Promise<Received>;
  /** Creates a ConfigMap and answers its resourceVersion. */
  configMap(name: string, options?: { labels?: object; data?: object; namespace?: string }): Promise<string>;
}

type FixtureOverrides = Partial<Omit<HttpDependencies, 'catalogue'>> & { readonly catalogue?: MutableCatalogue };

/** Starts a server on a free port of loopback. */
export async function startFixture(overrides: FixtureOverrides = {}): Promise<Fixture> {
  const store = new MemoryStore();
  const caches = new WatchCache({ store, prefix: '/registry' });
  const { catalogue = builtInCatalogue(identifiers) } = overrides;
  forgetRemoved(catalogue, caches);
  const registries = createRegistries({
    identifiers,
    catalogue,
    store,
    caches,
    prefix: '/registry',
    admission: [],
    decide: () => Promise.resolve({ isAllowed: true, reason: '' }),
  });
  const shutdown = new AbortController();
  const logged: Fixture['logged'] = [];
  const log = (level: string) => (details: object, message: string) => void logged.push([level, details, message]);
  const { connects = connectSubresources, requests = new OpenRequests(defaultHttpOptions) } = overrides;
  const handler = createHttpHandler({
    identifiers,
    catalogue,
    registries,
    connects,
    virtual: new Map(),
    authenticators: [tokens],
    authorizers: [alwaysAllowAuthorizer],
    anonymousAuth: true,
    health: { livez: [], readyz: [] },
    metrics: new MetricsRegistry(),
    version: { major: '1', minor: '23' },
    log: { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') },
    shutdown: shutdown.signal,
    ...overrides,
    requests,
  });
  const server = http.createServer(http1Settings, handler);
  serveUpgrades(server, { handler, requests, connects });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  const agent = new http.Agent({ keepAlive: true });
  const send = (request: Sent): Promise<Received> => sendRequest(port, agent, request);
  return {
    port,
    server,
    handler,
    registries,
    catalogue,
    caches,
    store,
    logged,
    shutdown,
    send,
    async configMap(name, { labels = {}, data = {}, namespace = 'ns' } = {}) {
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, labels }, data };
      const response = await send({ method: 'POST', path: `/api/v1/namespaces/${namespace}/configmaps`, body });
      return String(response.at('metadata.resourceVersion'));
    },
    async [Symbol.asyncDispose]() {
      agent.destroy();
      shutdown.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await caches.close();
      await store.close();
    },
  };
}

const tokens: Authenticator = staticTokenAuthenticator([
  { token: 'good', user: { username: 'u', uid: '1', groups: ['system:authenticated'], extra: {} } },
]);

/** An authorizer that allows nothing. */
export const denyAll: Authorizer = { name: 'deny', authorize: () => ({ decision: 'no-opinion', reason: '' }) };

/** What stands in a value at a path such as `items.0.metadata.name`. */
export function at(value: unknown, path: string): unknown {
  // Anything can be looked into; a missing step gives undefined.
  return path.split('.').reduce((inner, step) => (inner as Record<string, unknown> | undefined)?.[step], value);
}

/** The names of the items of a list. */
export function itemNames(list: Received): unknown[] {
  const items = list.at('items');
  return Array.isArray(items) ? items.map((item) => at(item, 'metadata.name')) : [];
}

function sendRequest(port: number, agent: http.Agent, { method = 'GET', path, headers = {}, body, type }: Sent) {
  return new Promise<Received>((resolve, reject) => {
    const bytes = body === undefined || Buffer.isBuffer(body) || typeof body === 'string' ? body : JSON.stringify(body);
    const request = http.request({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: {
        ...(bytes === undefined
          ? {}
          : {
              ...('transfer-encoding' in headers ? {} : { 'content-length': Buffer.byteLength(bytes) }),
              'content-type': type ?? 'application/json',
            }),
        ...headers,
      },
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const all = Buffer.concat(chunks);
        const text = all.toString('utf8');
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          bytes: all,
          text,
          json: () => JSON.parse(text),
          at: (where) => at(JSON.parse(text), where),
        });
      });
    });
    request.end(bytes);
  });
}
