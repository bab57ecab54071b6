import { type IdentifierSet, identifiersOf } from '../identifiers/identifiers.ts';
import { startNodes } from '../nodes/start-nodes.ts';

/** Starts stand-in nodes, if any, and returns a function that stops them. */
export async function runNodes(
  count: number,
  connection: { readonly server: string; readonly ca: string; readonly token: string },
  identifiers: IdentifierSet,
): Promise<() => Promise<void>> {
  if (count === 0) return () => Promise.resolve();
  const stop = new AbortController();
  const { ended } = await startNodes(
    { settings: { ...connection, namespace: 'default' }, identifiers: identifiersOf(identifiers), count },
    stop.signal,
  );
  return async () => {
    stop.abort();
    await ended;
  };
}
