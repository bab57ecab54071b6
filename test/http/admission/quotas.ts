import assert from 'node:assert/strict';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { objectAt, stringAt } from '../../../src/meta/read-field.ts';
import { type HttpResponse, request, type Target } from '../http-client.ts';

/** A quota as a test wants it, counted already. */
interface WantedQuota {
  readonly name: string;
  readonly hard: JsonObject;
  /** More of its spec. */
  readonly rest?: JsonObject;
  /** Zero if absent. */
  readonly used?: JsonObject | undefined;
}

/** Creates a quota with the status that a controller would give it. */
export async function createQuota(server: Target, namespace: string, wanted: WantedQuota): Promise<void> {
  const { name, hard, rest = {} } = wanted;
  const zeros = Object.fromEntries(Object.keys(hard).map((resource) => [resource, '0']));
  const quotas = `/api/v1/namespaces/${namespace}/resourcequotas`;
  const { status, text } = await request(server, 'POST', quotas, { metadata: { name }, spec: { hard, ...rest } });
  assert.equal(status, 201, text);
  await setUsed(server, namespace, name, { hard, used: wanted.used ?? zeros });
}

/** Changes the status of a quota, as a controller. */
export async function setUsed(server: Target, namespace: string, name: string, status: JsonObject): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/resourcequotas/${name}`;
  const headers = { 'content-type': 'application/merge-patch+json' };
  const written = await request(server, 'PATCH', `${path}/status`, { status }, headers);
  assert.equal(written.status, 200, written.text);
}

/** The status of a quota. */
export async function quotaStatus(server: Target, namespace: string, name: string): Promise<JsonObject> {
  const { body } = await request(server, 'GET', `/api/v1/namespaces/${namespace}/resourcequotas/${name}`);
  return objectAt(body as JsonObject, 'status');
}

/** The spec of a Pod whose container has these requests and limits. */
export function containerWith(resources: JsonObject): JsonObject {
  return { containers: [{ name: 'c', image: 'i', resources }] };
}

/** The message of a Status. */
export function messageOf(response: HttpResponse | undefined): string {
  return stringAt((response?.body ?? {}) as JsonObject, 'message');
}
