import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import path from 'node:path';
import { issueClientCertificate } from '../../../src/pki/issue-client-certificate.ts';
import { encodeKey, generateKey } from '../../../src/pki/generate-key.ts';
import { issueAuthorityCertificate, issueServingCertificate } from '../../../src/pki/issue-certificate.ts';
import { idleConnections } from '../../idle-connections.ts';

/** A proxy that knows CONNECT alone. The servers behind it are on the loopback interface, whatever their names. */
export interface EgressProxy {
  /** The transport of a selection that leads to it. */
  readonly transport: object;
  /** The address in messages. */
  readonly address: string;
  /** The servers that connections were asked for. */
  readonly targets: string[];
  /** Cuts all connections, and answers with a status line from now on; '' ends the connection, undefined opens tunnels. */
  answerWith(status: string | undefined): void;
  stop(): Promise<void>;
}

const hour = 3_600_000;

/** A proxy on a port with TLS, which wants a certificate of its clients. */
export async function startTlsProxy(directory: string): Promise<EgressProxy> {
  const [key, serverKey] = [await generateKey(), await generateKey()];
  const ca = await issueAuthorityCertificate(key, 'proxies', new Date(Date.now() + hour));
  const authority = { key, certificatePem: ca };
  const client = await issueClientCertificate(authority, { username: 'apiserver', groups: [] }, hour);
  const cert = await issueServingCertificate(authority, serverKey, ['proxy.inside']);
  const file = async (name: string, text: string): Promise<string> => {
    await writeFile(path.join(directory, name), text, { mode: 0o600 });
    return path.join(directory, name);
  };
  const tlsConfig = {
    caBundle: await file('proxy-ca.crt', ca),
    clientCert: await file('proxy-client.crt', client.certPem),
    clientKey: await file('proxy-client.key', client.keyPem),
    tlsServerName: 'proxy.inside',
  };
  const options = { cert, key: encodeKey(serverKey), ca, requestCert: true, rejectUnauthorized: true };
  const server = createTlsServer({ ...options, ...idleConnections });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has such an address.
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return serving(server, { address, transport: { tcp: { url: `https://${address}`, tlsConfig } } });
}

/** A proxy on a Unix socket. */
export async function startSocketProxy(directory: string): Promise<EgressProxy> {
  await mkdir(directory, { recursive: true });
  const udsName = path.join(directory, 'proxy');
  const server = createServer(idleConnections);
  server.listen(udsName);
  await once(server, 'listening');
  return serving(server, { address: udsName, transport: { uds: { udsName } } });
}

function serving(server: Server, place: Pick<EgressProxy, 'address' | 'transport'>): EgressProxy {
  const sockets = new Set<Socket>();
  const targets: string[] = [];
  let answer: string | undefined;
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  server.on('connect', ({ url = '' }: IncomingMessage, client: Socket) => {
    sockets.add(client);
    client.on('error', () => {}).on('close', () => sockets.delete(client));
    targets.push(url);
    if (answer !== undefined) {
      client.end(answer === '' ? '' : `HTTP/1.1 ${answer}\r\n\r\n`);
      return;
    }
    const target = connect(Number(url.slice(url.lastIndexOf(':') + 1)), '127.0.0.1');
    target.on('error', () => client.destroy()).on('close', () => client.destroy());
    client.on('close', () => target.destroy());
    target.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(target).pipe(client);
    });
  });
  return {
    ...place,
    targets,
    answerWith(status) {
      answer = status;
      cut();
    },
    async stop() {
      cut();
      server.close();
      await once(server, 'close');
    },
  };
}
