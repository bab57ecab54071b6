import type { Source } from '../../cli/commands/inspect/describe/parts/related.ts';
import { client } from './browser-client.ts';
import type { Kinds } from './kinds.ts';

/** Objects of one response. */
const chunkSize = 500;

/** The server as the commands of `cl` read it. */
export function sourceOf({ all, identifiers: { prefix } }: Kinds, signal: AbortSignal): Source {
  return { client, resources: all, signal, prefix, chunkSize };
}
