import type { BackendSource } from '../forward/create-forward.ts';
import { userHeaders } from '../forward/forwarded-request-headers.ts';
import type { RemoteApiService } from '../../api/api-services/api-service.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../meta/json-value.ts';
import { originOf } from '../../outbound/backend.ts';
import { networkErrorText } from '../../outbound/call-error.ts';
import { readBody } from '../../outbound/json-client.ts';
import { askBackend } from './ask-backend.ts';
import { type Availability, failedDiscovery, passed } from './availability-condition.ts';

/** The user of this server at others: their administrator, so that nothing is hidden from it. */
export function aggregatorHeaders(prefix: string): string[] {
  const username = `system:${prefix}aggregator`;
  return userHeaders({ username, uid: '', groups: ['system:masters'], extra: {} });
}

/** The state of an APIService, and the resources of its version. */
interface CheckedVersion {
  readonly availability: Availability;
  /** The APIResourceList; undefined if the server did not answer with one. */
  readonly resources?: JsonObject | undefined;
}

const timeoutMs = 5_000;

/** How many endpoints are asked at the same time if the first one fails. */
const moreTries = 4;

/** A longer list of resources is not shown in aggregated discovery. */
const maxListBytes = 4 * 1024 * 1024;

/**
 * Asks the server of an APIService for the resources of the version. One answer of several
 * endpoints suffices. Messages are as in kube-apiserver.
 */
export async function checkDiscovery(
  source: BackendSource,
  service: RemoteApiService,
  headers: readonly string[],
  signal: AbortSignal,
): Promise<CheckedVersion> {
  const attempt = () => tryDiscovery(source, service, headers, signal);
  const first = await attempt();
  if (first.availability.status === 'True') return first;
  const others = await Promise.all(Array.from({ length: moreTries }, attempt));
  return others.find(({ availability }) => availability.status === 'True') ?? others.at(-1) ?? first;
}

async function tryDiscovery(
  source: BackendSource,
  service: RemoteApiService,
  headers: readonly string[],
  stopped: AbortSignal,
): Promise<CheckedVersion> {
  const { group, version } = service;
  const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, stopped]);
  let url = '';
  try {
    const address = await source.addressOf(service, signal);
    url = `${originOf(address)}${path}`;
    const asked = [...headers, 'Accept', 'application/json'];
    const { status, body } = await askBackend(source, service, address, { path, headers: asked, signal });
    if (status >= 200 && status < 300) return { availability: passed, resources: await readList(body) };
    body.destroy();
    return failed(`failing or missing response from ${url}: bad status from ${url}: ${status}`);
  } catch (error) {
    const why = error instanceof Error ? networkErrorText(error) : String(error);
    if (url === '') return failed(why);
    const text = timeout.aborted ? timeoutText : why;
    return failed(`failing or missing response from ${url}: Get ${JSON.stringify(url)}: ${text}`);
  }
}

const timeoutText = 'context deadline exceeded (Client.Timeout exceeded while awaiting headers)';

function failed(message: string): CheckedVersion {
  return { availability: failedDiscovery(message) };
}

/** Reads an APIResourceList. Its status alone decides about the availability. */
async function readList(body: Parameters<typeof readBody>[0]): Promise<JsonObject | undefined> {
  try {
    const bytes = await readBody(body, maxListBytes);
    // JSON.parse returns values of this type.
    const value = JSON.parse(bytes?.toString('utf8') ?? '') as JsonValue;
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
