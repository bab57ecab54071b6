import { type ApiResponse, type ApiClient, collectionPath, objectPath } from './api-client.ts';
import type { Version } from './history.ts';
import { type Draft, failure, ok, record } from './record-operation.ts';
import { colors, seen, splitKey, type TrafficClient, trafficKeys } from './traffic-client.ts';
import { type TrafficObject, versionOf } from './version.ts';

/** Creates an object, which may be there. */
export async function create(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const key = client.random.pick(trafficKeys);
  const { namespace } = splitKey(key);
  const object = objectOf(client, key, mark);
  await write(client, { verb: 'create', key, mark }, () => server.send('POST', collectionPath({ namespace }), object));
}

/** Replaces an object, most times under the version that was seen last. */
export async function update(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const known = someKnown(client);
  if (!known) return create(client, server, mark);
  // Now and then without a precondition, or with one that is surely old.
  const draw = client.random.next();
  const precondition = draw < 0.1 ? 0 : draw < 0.2 ? Math.max(1, known.revision - 1) : known.revision;
  const object = objectOf(client, known.key, mark, precondition);
  const draft = { verb: 'update', key: known.key, mark, precondition } as const;
  await write(client, draft, () => server.send('PUT', objectPath(known.key), object));
}

/** Changes a part of an object by a patch of some type. */
export async function patch(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const type = client.random.pick(['merge', 'merge', 'strategic-merge', 'json'] as const);
  if (type === 'json') return patchByJson(client, server, mark);
  const key = client.random.pick(trafficKeys);
  const change = { metadata: { labels: { color: client.random.pick(colors) } }, data: { mark } };
  const mediaType = `application/${type}-patch+json`;
  await write(client, { verb: 'patch', key, mark }, () => server.send('PATCH', objectPath(key), change, mediaType));
}

/** Only where the object still carries the mark that was seen last. */
async function patchByJson(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const known = someKnown(client);
  if (!known) return create(client, server, mark);
  const { key, mark: demandedMark } = known;
  const change = [
    { op: 'test', path: '/data/mark', value: demandedMark },
    { op: 'replace', path: '/data/mark', value: mark },
    { op: 'replace', path: '/metadata/labels/color', value: client.random.pick(colors) },
  ];
  const send = (): Promise<ApiResponse> => server.send('PATCH', objectPath(key), change, 'application/json-patch+json');
  await write(client, { verb: 'patch', key, mark, demandedMark }, send);
}

/** Applies a whole configuration by force, under the client's name as its manager; creates what is not there. */
export async function apply(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const key = client.random.pick(trafficKeys);
  const path = `${objectPath(key)}?fieldManager=${client.name}&force=true`;
  const object = objectOf(client, key, mark);
  const send = (): Promise<ApiResponse> => server.send('PATCH', path, object, 'application/apply-patch+yaml');
  await write(client, { verb: 'apply', key, mark }, send);
}

/** Asks for a write that shall not take place. Whatever the answer, etcd must not tell of its mark. */
export async function dryRun(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const key = client.random.pick(trafficKeys);
  const path = `${objectPath(key)}?dryRun=All`;
  const object = objectOf(client, key, mark);
  const collection = `${collectionPath(splitKey(key))}?dryRun=All`;
  const send = client.random.pick([
    () => server.send('POST', collection, object),
    () => server.send('PUT', path, object),
    () => server.send('PATCH', path, { data: { mark } }, 'application/merge-patch+json'),
    () => server.send('PATCH', `${path}&fieldManager=dry&force=true`, object, 'application/apply-patch+yaml'),
  ]);
  await record(client, { verb: 'dryRun', key, mark }, async () => {
    const response = await send();
    return response.status < 300 ? ok(response) : failure(response);
  });
}

/** Deletes an object, most times only the one that was seen last. */
export async function remove(client: TrafficClient, server: ApiClient, mark: string): Promise<void> {
  const known = someKnown(client);
  if (!known) return create(client, server, mark);
  const draw = client.random.next();
  const uid = draw < 0.6 ? known.uid : '';
  const precondition = draw < 0.3 ? known.revision : 0;
  const preconditions = {
    ...(uid === '' ? {} : { uid }),
    ...(precondition === 0 ? {} : { resourceVersion: String(precondition) }),
  };
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions };
  const draft = { verb: 'delete', key: known.key, uid, precondition } as const;
  await write(client, draft, () => server.send('DELETE', objectPath(known.key), body));
}

async function write(client: TrafficClient, draft: Draft, send: () => Promise<ApiResponse>): Promise<void> {
  await record(client, draft, async () => {
    const response = await send();
    if (response.status >= 300) {
      if (response.status === 404) client.knowledge.versions.delete(draft.key ?? '');
      return failure(response);
    }
    if (draft.verb !== 'delete')
      return { ...ok(response), object: seen(client, versionOf(response.body as TrafficObject)) };
    client.knowledge.versions.delete(draft.key ?? '');
    const body = response.body as { metadata?: { uid?: string }; details?: { uid?: string } };
    const uid = body.details?.uid ?? body.metadata?.uid ?? '';
    return { ...ok(response), object: { key: draft.key ?? '', revision: 0, uid, body: '', color: '', mark: '' } };
  });
}

function someKnown({ knowledge, random }: TrafficClient): Version | undefined {
  return knowledge.versions.get(random.pick(trafficKeys));
}

function objectOf({ random }: TrafficClient, key: string, mark: string, revision = 0): object {
  const { namespace, name } = splitKey(key);
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      name,
      namespace,
      labels: { color: random.pick(colors) },
      ...(revision === 0 ? {} : { resourceVersion: String(revision) }),
    },
    data: { mark },
  };
}
