import { once } from 'node:events';
import { createServer } from 'node:net';

/** Ports of loopback that nobody listens on, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => server.address());
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports.map((address) => (address !== null && typeof address === 'object' ? address.port : 0));
}
