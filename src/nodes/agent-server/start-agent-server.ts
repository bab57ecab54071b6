import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { loadCertificateIssuer } from '../../pki/certificate-issuer.ts';
import { issueClientCertificate } from '../../pki/issue-client-certificate.ts';
import { encodeKey, generateKey } from '../../pki/generate-key.ts';
import { indexByNode } from '../../controllers/workloads/pods-by-node.ts';
import { PodFiles } from './files/pod-files.ts';
import { PodChanges } from './source/pod-changes.ts';
import { handleRequest, handleUpgrade } from './handle-request.ts';
import type { AgentSource } from './source/agent-source.ts';
import { isTarget } from './ports/parse-ports.ts';
import { standInHosts } from '../../kinds/core/stand-in-hosts.ts';

/** The one agent of all stand-in nodes of a process, on a free port of the loopback interface. */
export interface AgentServer {
  readonly port: number;
  /**
   * The text of the client config file with which an API server reaches the agent. It is a secret:
   * its certificate is the only one that the agent accepts.
   */
  readonly clientConfig: string;
  /** Serves the pods of a source; before, requests are refused with 503. */
  serve(source: Omit<AgentSource, 'files' | 'changes'>): void;
  /** Ends all connections. */
  stop(): Promise<void>;
}

/** The time without a byte after which streams end, as with other node agents. */
const idleMs = 4 * 3_600_000;

const lifetimeMs = 10 * 365 * 24 * 3_600_000;

/**
 * Starts the agent. It has a CA of its own, which signs the certificate of the API server and no
 * other, so that other holders of a client certificate of the control plane are refused.
 */
export async function startAgentServer(): Promise<AgentServer> {
  const { ca, cert, key, client } = await issueCertificates();
  const server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true, minVersion: 'TLSv1.2' });
  const stopping = new AbortController();
  const upgraded = new Set<Duplex>();
  let source: AgentSource | undefined;
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    handleRequest(request, response, source, stopping.signal).catch(() => response.destroy());
  });
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    upgraded.add(socket);
    // A client may be gone without a sign while nobody reads what it has sent.
    request.socket.setTimeout(idleMs, () => socket.destroy());
    socket.on('error', () => {}).once('close', () => upgraded.delete(socket));
    handleUpgrade({ request, socket, head }, source, stopping.signal);
  });
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    clientConfig: configText(port, ca, client),
    serve(given) {
      const wrong = given.portTargets.find((target) => !isTarget(target));
      if (wrong !== undefined) throw new RangeError(`${JSON.stringify(wrong)} is not an address like 127.0.0.1:3000`);
      const files = new PodFiles();
      indexByNode(given.pods);
      const changes = new PodChanges(given.pods, (uid) => files.remove(uid), stopping.signal);
      source = { ...given, files, changes };
    },
    async stop() {
      if (stopping.signal.aborted) return;
      stopping.abort();
      const closed = once(server, 'close');
      server.close();
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      await closed;
    },
  };
}

interface ClientPair {
  readonly certPem: string;
  readonly keyPem: string;
}

async function issueCertificates() {
  const { issueAuthorityCertificate, issueServingCertificate } = await loadCertificateIssuer();
  const [key, serverKey] = await Promise.all([generateKey(), generateKey()]);
  const ca = await issueAuthorityCertificate(key, 'stand-in-agents', new Date(Date.now() + lifetimeMs));
  const authority = { key, certificatePem: ca };
  const [cert, client] = await Promise.all([
    issueServingCertificate(authority, serverKey, [`*.${standInHosts}`, '127.0.0.1']),
    issueClientCertificate(authority, { username: 'apiserver', groups: [] }, lifetimeMs),
  ]);
  return { ca, cert, key: encodeKey(serverKey), client };
}

/** JSON is valid YAML, so every reader of client configs reads it. */
function configText(port: number, ca: string, { certPem, keyPem }: ClientPair): string {
  const name = 'stand-in-agents';
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: `https://127.0.0.1:${port}`, 'certificate-authority-data': base64(ca) } }],
    users: [{ name, user: { 'client-certificate-data': base64(certPem), 'client-key-data': base64(keyPem) } }],
    contexts: [{ name, context: { cluster: name, user: name } }],
    'current-context': name,
  });
}

function base64(pem: string): string {
  return Buffer.from(pem).toString('base64');
}
