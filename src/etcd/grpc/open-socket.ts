import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type SecureContextOptions, type TLSSocket } from 'node:tls';

/** TCP keep-alive detects a dead connection while it is idle, before a call needs it. */
const options = { keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true };

/** Size of the read buffer. */
const readBytes = 64 << 10;

/** Callbacks of a socket. */
interface SocketListener {
  /** The socket is ready. */
  readonly onOpen: () => void;
  /** Data arrived; the next read overwrites it. */
  readonly onRead: (bytes: Buffer) => void;
}

/**
 * Opens a socket for HTTP/2, with TLS if the address is https. All data is read into one buffer.
 */
export function openSocket(
  { protocol, hostname, port }: URL,
  tls: SecureContextOptions,
  listener: SocketListener,
): Socket {
  // The URL has an IPv6 address in brackets.
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
