import type { ApiObject, GenericObject, WatchEvent } from '../client/api-object.ts';
import type { ResourceClient } from '../client/resource-client.ts';
import { hasReason, StatusError } from '../client/error-of-response.ts';
import type { DiscoveredResource } from '../client/discovery.ts';
import { formatApiVersion } from '../meta/group-version-kind.ts';
import type { JsonObject } from '../meta/json-value.ts';
import { CliError } from './cli-error.ts';
import type { Client } from '../client/client.ts';

/** An object by its name. */
export interface ObjectPlace {
  readonly resource: DiscoveredResource;
  readonly name: string;
  /** The namespace; absent for cluster-scoped objects. */
  readonly namespace?: string | undefined;
}

/** A state of an object, and the revision of the store since which it had it. */
export interface ObjectState {
  readonly revision: number;
  /**
   * The change of the object. It is `known` for the earliest state, whose revision may be another
   * object's.
   */
  readonly change: 'known' | 'created' | 'changed' | 'deleted';
  readonly object: GenericObject;
}

/** The server that has the history, and the signal that ends reading it. */
interface Session {
  readonly client: Client;
  readonly io: { readonly signal: AbortSignal };
}

/** How long a watch may take to replay past changes. */
const watchSeconds = 2;

/** How often a watch is retried: a busy server may end it before it has sent anything. */
const watchAttempts = 15;

/** The object as it was at a revision. Throws CliError if the store no longer has that. */
export async function objectAt(session: Session, place: ObjectPlace, revision: number): Promise<GenericObject> {
  await requireReached(session, place, revision);
  const object = await stateAt(session, place, revision).catch((error: unknown) => {
    if (!isGone(error)) throw error;
    throw new CliError(`the store no longer has revision ${revision}`, {
      hint: `"cl history ${place.resource.resource} ${place.name}" lists those that it has`,
      cause: error,
    });
  });
  if (object) return object;
  throw new CliError(`${place.resource.resource} "${place.name}" did not exist at revision ${revision}`);
}

/** The last states of an object that the store still has, at most `most`, the earliest first. */
export async function statesOf(session: Session, place: ObjectPlace, most = Infinity): Promise<ObjectState[]> {
  const objects = session.client.resource(place.resource);
  const { signal } = session.io;
  const present = await presentRevision(session, place);
  const oldest = await oldestRevision(session, place, present);
  const [first, last] = await Promise.all([stateAt(session, place, oldest), stateAt(session, place, present)]);
  const states: ObjectState[] = first ? [{ revision: revisionOf(first), change: 'known', object: first }] : [];
  for (let left = watchAttempts; !isComplete(states, last); left--) {
    if (left === 0) throw new CliError('the server does not tell the changes in time', { hint: 'try again' });
    const from = Math.max(oldest, states.at(-1)?.revision ?? 0);
    for await (const event of eventsAfter(objects, place, { from, present }, signal)) {
      states.push(stateOf(event));
      if (states.length > most) states.shift();
      if (last && isComplete(states, last)) return states;
    }
    // A deleted object without any known state may never have existed.
    if (states.length === 0 && !last) return states;
  }
  return states;
}

/**
 * Reports whether the states end with the present one, `last`; undefined: the object is deleted.
 */
function isComplete(states: readonly ObjectState[], last: GenericObject | undefined): boolean {
  const end = states.at(-1);
  return last ? end?.revision === revisionOf(last) : end?.change === 'deleted';
}

/** Throws CliError for a revision to come, for which the server would wait. */
export async function requireReached(
  session: Session,
  place: Omit<ObjectPlace, 'name'>,
  revision: number | undefined,
): Promise<void> {
  if (revision === undefined) return;
  const present = await presentRevision(session, place);
  if (revision > present) throw new CliError(`the store is at revision ${present}, before ${revision}`);
}

/** The revision of the store now. */
export async function presentRevision(
  { client, io }: Session,
  { resource, namespace }: Omit<ObjectPlace, 'name'>,
): Promise<number> {
  const { metadata } = await client.resource(resource).list({ namespace, limit: 1, signal: io.signal });
  return Number(metadata.resourceVersion);
}

/** The objects of a collection, or those with some names. */
interface ObjectsPlace extends Omit<ObjectPlace, 'name'> {
  readonly names: readonly string[];
  readonly labelSelector?: string | undefined;
}

/** The objects as they were at a revision. Throws CliError if the store no longer has that. */
export async function objectsAt(
  session: Session,
  { names, labelSelector, ...place }: ObjectsPlace,
  revision: number,
): Promise<JsonObject[]> {
  const { resource, namespace } = place;
  try {
    if (names.length > 0) {
      const states = names.map((name) => stateAt(session, { ...place, name }, revision));
      return typed(await Promise.all(states), resource);
    }
    const found: GenericObject[] = [];
    const select = { namespace, labelSelector, resourceVersion: String(revision), signal: session.io.signal };
    const pages = session.client.resource(resource).pages({ ...select, resourceVersionMatch: 'Exact' });
    for await (const { items } of pages) found.push(...items);
    return typed(found, resource);
  } catch (error) {
    if (!isGone(error)) throw error;
    throw new CliError(`the store no longer has revision ${revision}`, {
      hint: `"cl history ${resource.resource} NAME" lists those of an object that it has`,
      cause: error,
    });
  }
}

/** The objects that are there, with their kind, which items of lists lack. */
function typed(objects: readonly (GenericObject | undefined)[], resource: DiscoveredResource): JsonObject[] {
  const { group, version, kind } = resource;
  const type = { apiVersion: formatApiVersion(group, version), kind };
  // The codec of the client returns JSON values.
  return objects.flatMap((object) => (object === undefined ? [] : [{ ...type, ...(object as JsonObject) }]));
}

function stateAt(session: Session, { resource, name, namespace }: ObjectPlace, revision: number) {
  const options = {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: String(revision),
    resourceVersionMatch: 'Exact',
    // The server stops at the only one that there is.
    limit: 1,
    signal: session.io.signal,
  } as const;
  const list = session.client.resource(resource).list(options);
  return list.then(({ items: [object] }) => object);
}

/**
 * The earliest revision that can be read, found by halving. Each step reads one object, whichever
 * is first: a search for the one in question would read the whole collection.
 */
async function oldestRevision(
  { client, io }: Session,
  { resource, namespace }: ObjectPlace,
  present: number,
): Promise<number> {
  const first = { namespace, limit: 1, resourceVersionMatch: 'Exact', signal: io.signal } as const;
  let [gone, known] = [0, present];
  while (known - gone > 1) {
    const middle = Math.floor((gone + known) / 2);
    const list = client.resource(resource).list({ ...first, resourceVersion: String(middle) });
    const isKnown = await list.then(
      () => true,
      (error: unknown) => {
        if (isGone(error)) return false;
        throw error;
      },
    );
    if (isKnown) known = middle;
    else gone = middle;
  }
  return known;
}

function isGone(error: unknown): boolean {
  return error instanceof StatusError && (error.code === 410 || hasReason(error, 'Expired'));
}

/** The changes after a revision until the present one, or the end of a short watch. */
async function* eventsAfter(
  objects: ResourceClient,
  { name, namespace }: ObjectPlace,
  { from, present }: { readonly from: number; readonly present: number },
  signal: AbortSignal,
): AsyncIterable<WatchEvent> {
  const events = objects.watch({
    namespace,
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: String(from),
    timeoutSeconds: watchSeconds,
    signal,
  });
  for await (const event of events) {
    if (event.type === 'BOOKMARK') continue;
    if (revisionOf(event.object) > present) return;
    yield event;
  }
}

const changes = { ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted', BOOKMARK: 'known' } as const;

function stateOf({ type, object }: WatchEvent): ObjectState {
  return { revision: revisionOf(object), change: changes[type], object };
}

function revisionOf({ metadata }: ApiObject): number {
  return Number(metadata?.resourceVersion);
}
