import type { BackendSource } from '../../http/aggregation/forward.ts';
import { userHeaders } from '../../http/aggregation/forwarded-headers.ts';
import type { RemoteApiService } from '../../http/api-services/api-service.ts';
import { originOf } from '../../outbound/backend.ts';
import { networkErrorText } from '../../outbound/network-error-text.ts';
import { type Availability, failedDiscovery, passed } from './availability-condition.ts';

/** The user of this server at others: their administrator, so that nothing is hidden from it. */
export function aggregatorHeaders(prefix: string): string[] {
  const username = `system:${prefix}aggregator`;
  return userHeaders({ username, uid: '', groups: ['system:masters'], extra: {} });
}

const timeoutMs = 5_000;

/** How many endpoints are asked at the same time if the first one fails. */
const moreTries = 4;

/**
 * Asks the server of an APIService for the resources of the version. One answer of several
 * endpoints suffices. Messages are those of kube-apiserver.
 */
export async function checkDiscovery(
  source: BackendSource,
  service: RemoteApiService,
  headers: readonly string[],
  signal: AbortSignal,
): Promise<Availability> {
  const attempt = () => problemOf(source, service, headers, signal);
  const first = await attempt();
  if (first === undefined) return passed;
  const others = await Promise.all(Array.from({ length: moreTries }, attempt));
  return others.includes(undefined) ? passed : failedDiscovery(others.at(-1) ?? first);
}

async function problemOf(
  { backendOf, addressOf }: BackendSource,
  service: RemoteApiService,
  headers: readonly string[],
  stopped: AbortSignal,
): Promise<string | undefined> {
  const { group, version } = service;
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, stopped]);
  try {
    const address = await addressOf(service, signal);
    const url = `${originOf(address)}${path}`;
    try {
      const host = new URL(url).host;
      const sent = { address, method: 'GET', path, headers: ['Host', host, ...headers], signal };
      const { status, body } = await backendOf(service).send(sent);
      body.destroy();
      if (status >= 200 && status < 300) return undefined;
      return `failing or missing response from ${url}: bad status from ${url}: ${status}`;
    } catch (error) {
      const why = timeout.aborted ? timeoutText : error instanceof Error ? networkErrorText(error) : String(error);
      return `failing or missing response from ${url}: Get ${JSON.stringify(url)}: ${why}`;
    }
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const timeoutText = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';
