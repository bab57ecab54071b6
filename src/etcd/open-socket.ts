import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions, type TLSSocket } from 'node:tls';

/** A connection that went away without a word is noticed while it is idle, before somebody waits for it. */
const options = { keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true };

/** Opens a socket for HTTP/2, with TLS where the address says https. `onOpen` is called when it can be used. */
export function openSocket({ protocol, hostname, port }: URL, tls: SecureContextOptions, onOpen: () => void): Socket {
  // A URL has its IPv6 address in brackets.
  const host = hostname.replaceAll(/[[\]]/g, '');
  const place = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)), ...options };
  if (protocol !== 'https:') return connectTcp(place, onOpen);
  const server = isIP(host) ? {} : { servername: host };
  const socket: TLSSocket = connectTls({ ...place, ...tls, ...server, ALPNProtocols: ['h2'] }, () => {
    if (socket.alpnProtocol === 'h2') onOpen();
    else socket.destroy(new Error('the server does not speak HTTP/2'));
  });
  return socket;
}
