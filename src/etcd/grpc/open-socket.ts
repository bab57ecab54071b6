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

/** The server to connect to. */
interface SocketPlace {
  readonly url: URL;
  /** The Unix socket that leads to the server; absent: it is connected directly. */
  readonly path?: string | undefined;
  readonly tls: SecureContextOptions;
}

/**
 * Opens a socket for HTTP/2, with TLS if the address is https. All data is read into one buffer.
 */
export function openSocket({ url, path, tls }: SocketPlace, listener: SocketListener): Socket {
  const { protocol, hostname, port } = url;
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
  const way = path === undefined ? { port: Number(port || (protocol === 'https:' ? 443 : 80)) } : { path };
  const place = { host, ...way, onread, ...options };
  if (protocol !== 'https:') return connectTcp(place, onOpen);
  const server = isIP(host) ? {} : { servername: host };
  const socket: TLSSocket = connectTls({ ...place, ...tls, ...server, ALPNProtocols: ['h2'] }, () => {
    if (socket.alpnProtocol === 'h2') onOpen();
    else socket.destroy(new Error('the server does not speak HTTP/2'));
  });
  return socket;
}
