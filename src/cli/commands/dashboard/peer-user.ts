import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** The states of a connection in the tables of Linux, in which its user is known. */
const established = '01';

/**
 * Returns the rule of the connections over the loopback interface that this user, or root, has
 * opened, by the tables of connections that Linux keeps. A connection is judged once. On systems
 * without these tables, and for connections that they do not have, every user counts.
 */
export function ownConnections(
  readTables: () => readonly string[] = readLinuxTables,
  uid = process.getuid?.(),
): (socket: Pick<Socket, 'localPort' | 'remotePort'>) => boolean {
  const known = new WeakMap<object, boolean>();
  return (socket) => {
    const judged = known.get(socket);
    if (judged !== undefined) return judged;
    const peer = uid === undefined ? undefined : findPeer(readTables(), socket);
    const isOwn = peer === undefined || (peer.state === established && (peer.uid === uid || peer.uid === 0));
    known.set(socket, isOwn);
    return isOwn;
  };
}

function readLinuxTables(): readonly string[] {
  // A socket of IPv6 may reach an address of IPv4.
  return ['/proc/net/tcp', '/proc/net/tcp6'].map((file) => {
    try {
      return readFileSync(file, 'latin1');
    } catch {
      return '';
    }
  });
}

/** 127.0.0.1 as the tables write it, alone or at the end of an address of IPv6. */
const loopback = /(?:^|FFFF0000)0100007F$/;

/** The other end of a connection: the line whose ports are exchanged. */
function findPeer(
  tables: readonly string[],
  { localPort = 0, remotePort = 0 }: Pick<Socket, 'localPort' | 'remotePort'>,
): { readonly state: string; readonly uid: number } | undefined {
  const [from, to] = [hexOf(remotePort), hexOf(localPort)];
  for (const line of tables.flatMap((table) => table.split('\n').slice(1))) {
    const [, local = '', remote = '', state = '', , , , uid = ''] = line.trim().split(/\s+/);
    const [localAddress = '', ownPort] = local.split(':');
    const [, peerPort] = remote.split(':');
    if (ownPort === from && peerPort === to && loopback.test(localAddress)) return { state, uid: Number(uid) };
  }
  return undefined;
}

function hexOf(port: number): string {
  return port.toString(16).toUpperCase().padStart(4, '0');
}
