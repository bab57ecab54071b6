import assert from 'node:assert/strict';
import { createClient, discover } from '../../../src/client/index.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { objectsAt, stringAt } from '../../../src/meta/read-field.ts';
import type { TestServer } from '../../../src/testing/index.ts';
import { request } from '../../http/http-client.ts';

/** Fields that differ between two servers that did the same. */
const changing: ReadonlySet<string> = new Set([
  'uid',
  'resourceVersion',
  'creationTimestamp',
  'managedFields',
  'clusterIP',
  'clusterIPs',
  'nodePort',
  'controller-uid',
  'batch.kubernetes.io/controller-uid',
  // Only clients that apply without the server have it.
  'kubectl.kubernetes.io/last-applied-configuration',
]);

/** The server makes them of others: after definitions, a moment later, and of the addresses of Services, which are random. */
const follows: ReadonlySet<string> = new Set(['apiservices', 'ipaddresses']);

/** The objects of a server by resource, namespace and name, without what differs between two servers. */
export async function storedObjects(server: TestServer): Promise<Readonly<Record<string, JsonValue>>> {
  const client = createClient(server.connection);
  const resources = await discover(client);
  await client.close();
  const seen = new Set<string>();
  const stored: Record<string, JsonValue> = {};
  for (const { group, version, resource, verbs } of resources) {
    const key = `${resource}.${group}`;
    if (seen.has(key) || !verbs.includes('list') || follows.has(resource)) continue;
    seen.add(key);
    const path = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
    const { status, body, text } = await request(server, 'GET', `${path}/${resource}`);
    assert.equal(status, 200, text);
    for (const item of objectsAt(body as JsonObject, 'items')) {
      const metadata = item['metadata'] as JsonObject;
      // The service of the server itself and what belongs to it have its port, and its Lease its identity.
      if (isOfServer(metadata)) continue;
      stored[`${key} ${stringAt(metadata, 'namespace')}/${stringAt(metadata, 'name')}`] = plain(item);
    }
  }
  return stored;
}

function plain(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(plain);
  if (!isJsonObject(value)) return typeof value === 'string' ? neutral(value) : value;
  const kept = Object.entries(value).filter(([key]) => !changing.has(key));
  const fields = kept.map(([key, item]): [string, JsonValue] => [ownName(key), plain(item ?? null)]);
  return Object.fromEntries(fields.filter(([key, item]) => !isEmptyMap(key, item)));
}

function isOfServer(metadata: JsonObject): boolean {
  const [namespace, name] = [stringAt(metadata, 'namespace'), stringAt(metadata, 'name')];
  return namespace === 'default' ? name === 'kubernetes' : namespace === 'kube-system' && name.startsWith('apiserver-');
}

/** The annotation that one client leaves may have been the only one. */
function isEmptyMap(key: string, item: JsonValue): boolean {
  return key === 'annotations' && isJsonObject(item) && Object.keys(item).length === 0;
}

/** Each client has annotations of its own name. */
function ownName(key: string): string {
  return key.replace(/^kubectl\./, 'cl.');
}

/** Times differ, and reasons name the client. */
function neutral(text: string): string {
  return text.replace(/^\d{4}-\d\d-\d\dT.*$/, 'a time').replaceAll(/\b(?:kubectl|cl)(?=[ A-Z])/gi, 'client');
}
