import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer as createHttps } from 'node:https';
import type { AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../../src/pki/issue-certificate.ts';
import { startServer, type TestServer, type TestServerOptions } from '../../../src/testing/index.ts';
import { createAuthority } from '../identity/certificate-authority.ts';
import { request } from '../http-client.ts';
import { until } from '../until.ts';
import { idleConnections } from '../../idle-connections.ts';

/** Where APIServices are, in the default spelling. */
export const apiServices = '/apis/apiregistration.cl.io/v1/apiservices';

/** A request that the backend got. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly rawHeaders: readonly string[];
  /** The common name of the client's certificate. */
  readonly client: unknown;
  body: string;
}

type BackendHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** A server with an aggregated one behind it. */
export interface AggregatedWorld extends AsyncDisposable {
  readonly server: TestServer;
  /** The server behind it. */
  readonly backend: ReturnType<typeof createHttps>;
  readonly backendPort: number;
  /** The CA of the backend, as in an APIService. */
  readonly caBundle: string;
  /** What the backend was asked, in order. */
  readonly seen: SeenRequest[];
  /** The requests of clients, without those of the aggregator itself. */
  forwarded(): readonly SeenRequest[];
  /** Answers a path of the backend. */
  at(path: string, answer: BackendHandler): void;
  /** Creates an APIService of the backend and waits until it is available. */
  serve(group: string, spec?: JsonObject): Promise<void>;
  /** Creates an APIService; the backend of the Service `backend` serves it. */
  create(group: string, spec?: JsonObject): Promise<void>;
  /** Replaces the certificate that the server shows to others by one with another common name. */
  renewProxy(name: string): Promise<void>;
  /** The condition of an APIService, without its time. */
  conditionOf(group: string): Promise<JsonObject | undefined>;
}

/** Options of the world besides those of the server. */
interface WorldOptions extends TestServerOptions {
  /** The address that the backend listens on. */
  readonly host?: string;
}

const hour = 3_600_000;

/** The headers of users, as a server behind another one reads them. */
export const proxyHeaders = {
  username: ['X-Remote-User'],
  uid: ['X-Remote-Uid'],
  groups: ['X-Remote-Group'],
  extraPrefixes: ['X-Remote-Extra-'],
};

/** Starts a server and a backend that answers everything below `/apis/` unless a test says how. */
export async function startAggregatedWorld({
  host = '127.0.0.1',
  ...options
}: WorldOptions = {}): Promise<AggregatedWorld> {
  const directory = await mkdtemp(path.join(tmpdir(), 'aggregated-'));
  const proxies = await createAuthority('proxies');
  const files = { certFile: path.join(directory, 'proxy.pem'), keyFile: path.join(directory, 'proxy.key') };
  const renewProxy = async (name: string): Promise<void> => {
    const { certPem, keyPem } = await proxies.issue(name);
    await writeFile(files.certFile, certPem);
    await writeFile(files.keyFile, keyPem);
  };
  await renewProxy('front-proxy');
  const caFile = path.join(directory, 'proxies.pem');
  await writeFile(caFile, proxies.pem);
  const frontProxy = { caFile, allowedNames: ['front-proxy'], headers: proxyHeaders };
  const key = await generateKey();
  const certificatePem = await issueAuthorityCertificate(key, 'backends', new Date(Date.now() + hour));
  const servingKey = await generateKey();
  const cert = await issueServingCertificate({ key, certificatePem }, servingKey, ['backend.default.svc']);
  const seen: SeenRequest[] = [];
  const answers = new Map<string, BackendHandler>();
  const listener = (asked: IncomingMessage, response: ServerResponse) => {
    const one = seenOf(asked);
    seen.push(one);
    const answer = answers.get(one.url.split('?')[0] ?? '') ?? answerAny;
    asked.on('data', (chunk: Buffer) => (one.body += chunk.toString()));
    answer(asked, response);
  };
  const tls = {
    key: encodeKey(servingKey),
    cert,
    ca: proxies.pem,
    requestCert: true,
    rejectUnauthorized: false,
    ...idleConnections,
  };
  const backend = createHttps(tls, listener);
  backend.listen(0, host);
  await once(backend, 'listening');
  const { port: backendPort } = backend.address() as AddressInfo;
  const server = await startServer({ serviceResolver: 'cluster-ip', proxyClient: files, frontProxy, ...options });
  const service = { type: 'ExternalName', externalName: 'localhost' };
  await request(server, 'POST', '/api/v1/namespaces/default/services', {
    metadata: { name: 'backend' },
    spec: service,
  });
  const caBundle = Buffer.from(certificatePem).toString('base64');
  const collection = server.identifiers === 'cluster' ? apiServices : apiServices.replace('cl.io', 'k8s.io');
  const conditionOf = async (group: string): Promise<JsonObject | undefined> => {
    const { body } = await request(server, 'GET', `${collection}/v1.${group}`);
    const { conditions = [] } = (body as { status?: { conditions?: JsonObject[] } }).status ?? {};
    const { lastTransitionTime: _time, ...condition } = conditions[0] ?? {};
    return conditions.length === 0 ? undefined : condition;
  };
  const create = async (group: string, spec: JsonObject = {}): Promise<void> => {
    const reference = { namespace: 'default', name: 'backend', port: backendPort };
    const common = { group, version: 'v1', groupPriorityMinimum: 500, versionPriority: 10 };
    const metadata = { name: `v1.${group}` };
    const trust = spec['insecureSkipTLSVerify'] ? {} : { caBundle };
    const object = { metadata, spec: { ...common, service: reference, ...trust, ...spec } };
    const created = await request(server, 'POST', collection, object);
    if (created.status !== 201) throw new Error(created.text);
  };
  return {
    server,
    backend,
    backendPort,
    caBundle,
    seen,
    forwarded: () => seen.filter(({ headers }) => !/^system:.*-aggregator$/.test(String(headers['x-remote-user']))),
    at: (where, answer) => void answers.set(where, answer),
    renewProxy,
    conditionOf,
    create,
    async serve(group, spec) {
      await create(group, spec);
      let condition: JsonObject | undefined;
      const isAvailable = async () => (condition = await conditionOf(group))?.['status'] === 'True';
      await until(`${group} to be available`, isAvailable).catch((error: unknown) => {
        throw new Error(`not available: ${JSON.stringify(condition)}`, { cause: error });
      });
    },
    async [Symbol.asyncDispose]() {
      await server.stop();
      backend.closeAllConnections();
      backend.close();
      await rm(directory, { recursive: true });
    },
  };
}

function seenOf(asked: IncomingMessage): SeenRequest {
  const { method = '', url = '', headers, rawHeaders, socket } = asked;
  const { subject } = socket instanceof TLSSocket ? socket.getPeerCertificate() : {};
  return { method, url, headers, rawHeaders, client: subject?.CN, body: '' };
}

/** The resources of a version, or the URL of the request. */
function answerAny(asked: IncomingMessage, response: ServerResponse): void {
  const { url = '' } = asked;
  const [, root, group = '', version = '', ...rest] = url.split('/');
  response.setHeader('content-type', 'application/json');
  if (root === 'apis' && rest.length === 0 && version !== '') {
    const resource = { name: 'things', singularName: 'thing', namespaced: true, kind: 'Thing', verbs: ['get', 'list'] };
    const groupVersion = `${group}/${version}`;
    response.end(JSON.stringify({ kind: 'APIResourceList', apiVersion: 'v1', groupVersion, resources: [resource] }));
    return;
  }
  if (root !== 'apis' || group === '') {
    response.statusCode = 404;
    response.end('{}');
    return;
  }
  asked.resume().on('end', () => response.end(JSON.stringify({ url })));
}
