import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions, type TLSSocket } from 'node:tls';

/** A connection that went away without a word is noticed while it is idle, before somebody waits for it. */
const options = { keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true };

/** As much as the system is asked for at a time. */
const readBytes = 64 << 10;

/** What is told of a socket. */
interface SocketListener {
  /** It can be used. */
  readonly onOpen: () => void;
  /** Something has come; the next will be written over it. */
  readonly onRead: (bytes: Buffer) => void;
}

/** Opens a socket for HTTP/2, with TLS where the address says https. All that comes is read into one buffer. */
export function openSocket(
  { protocol, hostname, port }: URL,
  tls: SecureContextOptions,
  listener: SocketListener,
): Socket {
  // A URL has its IPv6 address in brackets.
  const host = hostname.replaceAll(/[[\]]/g, '');
  const { onOpen, onRead } = listener;
  const buffer = Buffer.allocUnsafeSlow(readBytes);
  const onread = {
    buffer,
    callback(length: number): boolean {
      onRead(buffer.subarray(0, length));
      return true;
    },
  };
  const place = { host, port: Number(port || (protocol === 'https:' ? 443 : 80)), onread, ...options };
  if (protocol !== 'https:') return connectTcp(place, onOpen);
  const server = isIP(host) ? {} : { servername: host };
  const socket: TLSSocket = connectTls({ ...place, ...tls, ...server, ALPNProtocols: ['h2'] }, () => {
    if (socket.alpnProtocol === 'h2') onOpen();
    else socket.destroy(new Error('the server does not speak HTTP/2'));
  });
  return socket;
}
