import type { Client } from '../client/client.ts';
import { readObject } from '../client/read-object.ts';
import { hasReason } from '../client/error-of-response.ts';

/**
 * The minor number of the release that a server has or emulates; 0 if it is not in `/version` or
 * the client may not read that.
 */
export async function serverMinor({ codec, transport }: Client, signal: AbortSignal): Promise<number> {
  const request = { method: 'GET', path: '/version', signal };
  try {
    const { minor } = readObject(codec, await transport.request(request), request) as { readonly minor?: unknown };
    return Number.parseInt(String(minor), 10) || 0;
  } catch (error) {
    if (hasReason(error, 'Forbidden', 'NotFound')) return 0;
    throw error;
  }
}
