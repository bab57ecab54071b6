import { pause } from '../async/timers.ts';
import type { Client } from '../client/client.ts';
import { type Discovery, discoverAll } from '../client/discovery.ts';
import type { InformerFactory } from '../client/informers/informer-factory.ts';
import type { Identifiers } from '../identifiers/identifiers.ts';

/** The dependencies, and the callbacks. */
interface DiscoveryOptions {
  readonly client: Client;
  readonly informers: InformerFactory;
  readonly identifiers: Identifiers;
  readonly onDiscovery: (discovery: Discovery) => void;
  readonly onError: (error: unknown) => void;
}

/** Several changes at once are discovered together. */
const settleMs = 100;

/**
 * Greatest time between two discoveries. Another server may serve a new kind later than the one
 * whose definition was seen, and an aggregated server may return without any event.
 */
const intervalMs = 30_000;

/**
 * Discovers the resources at the start, when definitions of kinds or aggregated APIs change, and
 * from time to time, until the signal aborts.
 */
export async function followDiscovery(options: DiscoveryOptions, signal: AbortSignal): Promise<void> {
  const { client, onDiscovery, onError } = options;
  let wake = new AbortController();
  watchDefinitions(options, () => wake.abort(), signal);
  while (!signal.aborted) {
    wake = new AbortController();
    try {
      onDiscovery(await discoverAll(client, signal));
    } catch (error) {
      if (!signal.aborted) onError(error);
    }
    await pause(intervalMs, AbortSignal.any([signal, wake.signal]));
    if (wake.signal.aborted) await pause(settleMs, signal);
  }
}

function watchDefinitions(
  { informers, identifiers: { apiDomain } }: DiscoveryOptions,
  onChange: () => void,
  signal: AbortSignal,
): void {
  const handlers = { add: onChange, update: onChange, delete: onChange };
  const definitions = [
    { group: `apiextensions.${apiDomain}`, version: 'v1', resource: 'customresourcedefinitions', namespaced: false },
    { group: `apiregistration.${apiDomain}`, version: 'v1', resource: 'apiservices', namespaced: false },
  ];
  for (const reference of definitions) informers.metadataInformer(reference, { signal }).subscribe(handlers, signal);
}
