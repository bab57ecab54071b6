import { once } from 'node:events';
import { lstat, unlink } from 'node:fs/promises';
import type { Server } from 'node:http';
import { isIP } from 'node:net';
import { CliError } from '../../cli-error.ts';

/** A port of an IP address, or a Unix socket by its whole path. */
type ListenPlace = { readonly address: string; readonly port: number } | { readonly socket: string };

/** Listens. Throws CliError if the address is none, or the port is taken. */
export async function listenOn(server: Server, place: ListenPlace): Promise<void> {
  try {
    if ('socket' in place) {
      // A socket that an earlier run left; any other file is not ours.
      const found = await lstat(place.socket).catch(() => undefined);
      if (found?.isSocket()) await unlink(place.socket);
      server.listen(place.socket);
    } else {
      if (isIP(place.address) === 0) throw new CliError(`"${place.address}" is not an IP address`);
      server.listen(place.port, place.address);
    }
    await once(server, 'listening');
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(why, { hint: 'choose another port with --port; 0 is a free one', cause });
  }
}
