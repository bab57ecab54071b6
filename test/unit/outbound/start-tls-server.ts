import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { ConnectionSettings } from '../../../src/outbound/config/connection-settings.ts';
import { issueClientCertificate } from '../../../src/pki/issue-client-certificate.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../../src/pki/issue-certificate.ts';
import { idleConnections } from '../../idle-connections.ts';

/** A request as a handler sees it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
  readonly clientAuthorized: boolean;
}

export interface TlsServer {
  readonly settings: ConnectionSettings;
  readonly seen: SeenRequest[];
  /** The number of connections so far. */
  readonly connections: number;
  /** Answers every request; replace it in a test. */
  handle: (request: SeenRequest, response: ServerResponse) => void | Promise<void>;
  stop(): Promise<void>;
}

/** Answers JSON. */
export function answer(response: ServerResponse, code: number, value: unknown): void {
  response.writeHead(code, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}

/**
 * A TLS server on a free port of the loopback, and the settings of a client that it knows by certificate. It has these
 * names besides its address.
 */
export async function startTlsServer(...names: readonly string[]): Promise<TlsServer> {
  const key = await generateKey();
  const serverKey = await generateKey();
  const ca = await issueAuthorityCertificate(key, 'CA', new Date(Date.now() + 3600_000));
  const authority = { key, certificatePem: ca };
  const client = await issueClientCertificate(authority, { username: 'ann', groups: [] }, 3600_000);
  const cert = await issueServingCertificate(authority, serverKey, ['127.0.0.1', ...names]);
  const server = createServer({
    cert,
    key: encodeKey(serverKey),
    ca,
    requestCert: true,
    rejectUnauthorized: false,
    ...idleConnections,
  });
  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const seen = {
      method: request.method ?? '',
      url: request.url ?? '',
      headers: request.headers,
      body,
      clientAuthorized: (request.socket as TLSSocket).authorized,
    };
    started.seen.push(seen);
    await started.handle(seen, response);
  }
  server.on('request', (request, response) => {
    // A client that went away mid-request is part of some stories.
    receive(request, response).catch(() => response.destroy());
  });
  let connections = 0;
  server.on('secureConnection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const started: TlsServer = {
    settings: {
      server: `https://127.0.0.1:${port}`,
      ca,
      cert: client.certPem,
      key: client.keyPem,
      namespace: 'default',
    },
    seen: [],
    get connections() {
      return connections;
    },
    handle: (_, response) => answer(response, 200, {}),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return started;
}
