import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { WebSocketServer } from 'ws';
import { issueClientCertificate } from '../../src/pki/issue-client-certificate.ts';
import { encodeKey, generateKey } from '../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../src/pki/issue-certificate.ts';
import { acceptSpdy, serveCommandOverSpdy, servePortsOverSpdy } from './serve-spdy.ts';
import { serveCommandOverWebSocket, servePortOverWebSocket, tunnelOf } from './serve-web-socket.ts';
import { idleConnections } from '../idle-connections.ts';

const hour = 3_600_000;

/** A request as the agent sees it. */
export interface AgentRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly rawHeaders: readonly string[];
  readonly body: string;
  /** True if the client has a certificate of the agent's CA. */
  readonly clientAuthorized: boolean;
}

/** A node agent on a free port of the loopback interface. */
export interface NodeAgent extends AsyncDisposable {
  readonly port: number;
  /** PEM of its CA, and of a client certificate with its key. */
  readonly ca: string;
  readonly cert: string;
  readonly key: string;
  readonly seen: readonly AgentRequest[];
  /** The number of connections so far. */
  readonly connections: number;
  /** Closes the connections without requests. */
  closeIdle(): void;
  /** The sockets of upgraded connections. */
  readonly upgraded: readonly Socket[];
  /** The lines of the log of every container; a line that is added reaches those who follow it. */
  log(line: string): void;
  /** Responds to requests that are none of a node agent; replace it in a test. */
  respond: (request: AgentRequest, response: ServerResponse) => void;
}

/** Starts a node agent whose containers are processes of this machine. */
export async function startNodeAgent(...names: readonly string[]): Promise<NodeAgent> {
  const [key, serverKey] = [await generateKey(), await generateKey()];
  const ca = await issueAuthorityCertificate(key, 'agents', new Date(Date.now() + hour));
  const authority = { key, certificatePem: ca };
  const client = await issueClientCertificate(authority, { username: 'apiserver', groups: [] }, hour);
  const cert = await issueServingCertificate(authority, serverKey, ['127.0.0.1', ...names]);
  const server = createServer({
    cert,
    key: encodeKey(serverKey),
    ca,
    requestCert: true,
    rejectUnauthorized: false,
    ...idleConnections,
  });
  const seen: AgentRequest[] = [];
  const upgraded: Socket[] = [];
  const lines: string[] = [];
  const followers = new Set<ServerResponse>();
  const receive = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const one = seenRequest(request, body);
    seen.push(one);
    if (one.url.startsWith('/containerLogs/')) sendLog(one.url, response);
    else agent.respond(one, response);
  };
  server.on('request', (request, response) => {
    // A client that goes away in the middle of a request is part of some stories.
    receive(request, response).catch(() => response.destroy());
  });
  const sendLog = (url: string, response: ServerResponse): void => {
    const { searchParams: query } = new URL(url, 'https://agent');
    const tail = Number(query.get('tailLines') ?? lines.length);
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.write(
      lines
        .slice(lines.length - tail)
        .map((line) => `${line}\n`)
        .join(''),
    );
    if (query.get('follow') !== 'true') response.end();
    else followers.add(response);
  };
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    seen.push(seenRequest(request, ''));
    upgraded.push(socket);
    socket.on('error', () => {});
    serveUpgrade(request, socket, head);
  });
  let connections = 0;
  server.on('secureConnection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const agent: NodeAgent = {
    // A listening TCP server has such an address.
    port: (server.address() as AddressInfo).port,
    ca,
    cert: client.certPem,
    key: client.keyPem,
    seen,
    upgraded,
    get connections() {
      return connections;
    },
    closeIdle: () => server.closeIdleConnections(),
    log: (line) => {
      lines.push(line);
      for (const follower of followers) follower.write(`${line}\n`);
    },
    respond: (one, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(one));
    },
    async [Symbol.asyncDispose]() {
      for (const socket of upgraded) socket.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return agent;
}

function seenRequest(
  { method = '', url = '', headers, rawHeaders, socket }: IncomingMessage,
  body: string,
): AgentRequest {
  // Connections of an HTTPS server are TLS sockets.
  return { method, url, headers, rawHeaders, body, clientAuthorized: (socket as TLSSocket).authorized };
}

const webSockets = new WebSocketServer({
  noServer: true,
  handleProtocols: (offered) =>
    ['v5.channel.k8s.io', 'v4.channel.k8s.io', portTunnel].find((one) => offered.has(one)) ?? false,
});

/** SPDY in a WebSocket, for ports. */
const portTunnel = 'SPDY/3.1+portforward.k8s.io';

function serveUpgrade(request: IncomingMessage, socket: Socket, head: Buffer): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'https://agent');
  const forPorts = pathname.startsWith('/portForward/');
  // The main process of every container.
  if (pathname.startsWith('/attach/')) searchParams.set('command', 'cat');
  if (request.headers.upgrade?.toLowerCase() === 'websocket') {
    webSockets.handleUpgrade(request, socket, head, (client) => {
      if (client.protocol === portTunnel) servePortsOverSpdy(tunnelOf(client));
      else if (forPorts) servePortOverWebSocket(client, Number(searchParams.get('port')));
      else serveCommandOverWebSocket(client, searchParams);
    });
    return;
  }
  acceptSpdy(request, socket, head, forPorts ? ['portforward.k8s.io'] : ['v4.channel.k8s.io']);
  if (forPorts) servePortsOverSpdy(socket);
  else serveCommandOverSpdy(socket, searchParams);
}
