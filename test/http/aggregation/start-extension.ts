import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type PeerCertificate, TLSSocket } from 'node:tls';
import { type ApiObject, type Client, createClient } from '../../../src/client/index.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../../src/pki/issue-certificate.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { idleConnections } from '../../idle-connections.ts';

/** A server of an API group that leaves authentication and authorization to the server before it. */
export interface Extension extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly ca: string;
}

interface User {
  readonly username: string;
  readonly groups: readonly string[];
}

interface ConfigMap extends ApiObject {
  readonly data: Readonly<Record<string, string>>;
}

interface TokenReview extends ApiObject {
  readonly spec: { readonly token: string };
  readonly status?: { readonly authenticated?: boolean; readonly user?: User };
}

interface AccessReview extends ApiObject {
  readonly spec: object;
  readonly status?: { readonly allowed?: boolean };
}

const hour = 3_600_000;

/**
 * Starts an extension server as they are usually written: it reads the CA of the proxy and the
 * names of its headers from the ConfigMap, believes those headers over a certificate of that CA,
 * and asks for the rest with a TokenReview and a SubjectAccessReview. It answers with the user.
 */
export async function startExtension(server: TestServer, token: string, group: string): Promise<Extension> {
  const client = createClient({ server: server.url, ca: server.ca, token, namespace: 'cl-system' });
  const configMaps = client.resource<ConfigMap>({ group: '', version: 'v1', resource: 'configmaps' });
  const { data } = await configMaps.get('extension-apiserver-authentication');
  const key = await generateKey();
  const ca = await issueAuthorityCertificate(key, 'extension', new Date(Date.now() + hour));
  const servingKey = await generateKey();
  const names = ['extension.default.svc', '127.0.0.1'];
  const cert = await issueServingCertificate({ key, certificatePem: ca }, servingKey, names);
  const proxyCa = data['requestheader-client-ca-file'] ?? '';
  const tls = { key: encodeKey(servingKey), cert, ca: proxyCa, requestCert: true, rejectUnauthorized: false };
  const extension = createServer({ ...tls, ...idleConnections }, (request, response) => {
    void answer(client, { data, group }, request, response);
  });
  extension.listen(0, '127.0.0.1');
  await once(extension, 'listening');
  const { port } = extension.address() as AddressInfo;
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    ca,
    async [Symbol.asyncDispose]() {
      extension.closeAllConnections();
      extension.close();
      await client.close();
    },
  };
}

interface Trust {
  readonly data: ConfigMap['data'];
  readonly group: string;
}

async function answer(client: Client, trust: Trust, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const user = proxiedUser(trust, request) ?? (await reviewedUser(client, request));
  const send = (status: number, body: object): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  if (!user) return send(401, {});
  if (!(await isAllowed(client, user, request))) return send(403, {});
  if (request.url === `/apis/${trust.group}/v1`) return send(200, { kind: 'APIResourceList', resources: [] });
  return send(200, { user });
}

function proxiedUser({ data }: Trust, { socket, headers, rawHeaders }: IncomingMessage): User | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const names = (key: string): string[] => JSON.parse(data[key] ?? '[]') as string[];
  const allowed = names('requestheader-allowed-names');
  // Node calls a connection that resumes a session authorized, also if its client has no certificate.
  const { subject } = socket.getPeerCertificate() as Partial<PeerCertificate>;
  if (!subject) return undefined;
  if (allowed.length > 0 && !allowed.includes(String(subject.CN))) return undefined;
  const [username] = names('requestheader-username-headers').map((name) => headers[name.toLowerCase()]);
  if (typeof username !== 'string') return undefined;
  const groupHeaders = new Set(names('requestheader-group-headers').map((name) => name.toLowerCase()));
  const groups = rawHeaders.flatMap((text, index) =>
    index % 2 === 0 && groupHeaders.has(text.toLowerCase()) ? [rawHeaders[index + 1] ?? ''] : [],
  );
  return { username, groups };
}

async function reviewedUser(client: Client, { headers }: IncomingMessage): Promise<User | undefined> {
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
  if (token === undefined) return undefined;
  const [apiVersion, kind] = ['authentication.cl.io/v1', 'TokenReview'];
  const reviews = client.resource<TokenReview>({
    group: 'authentication.cl.io',
    version: 'v1',
    resource: 'tokenreviews',
    namespaced: false,
  });
  const { status } = await reviews.create({ apiVersion, kind, metadata: {}, spec: { token } });
  return status?.authenticated ? status.user : undefined;
}

async function isAllowed(client: Client, { username, groups }: User, request: IncomingMessage): Promise<boolean> {
  const [apiVersion, kind] = ['authorization.cl.io/v1', 'SubjectAccessReview'];
  const reviews = client.resource<AccessReview>({
    group: 'authorization.cl.io',
    version: 'v1',
    resource: 'subjectaccessreviews',
    namespaced: false,
  });
  const [, , group = '', version = '', resource] = (request.url ?? '').split('/');
  const attributes = resource
    ? { resourceAttributes: { group, version, resource, verb: 'list' } }
    : { nonResourceAttributes: { path: request.url ?? '', verb: 'get' } };
  const spec = { ...attributes, user: username, groups };
  const { status } = await reviews.create({ apiVersion, kind, metadata: {}, spec });
  return status?.allowed === true;
}
