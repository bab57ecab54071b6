import type { ApiObject, GenericObject, WatchEvent } from '../client/api-object.ts';
import type { ResourceClient } from '../client/resource-client.ts';
import { hasReason, StatusError } from '../client/status-error.ts';
import type { DiscoveredResource } from '../client/discovery.ts';
import { CliError } from './cli-error.ts';
import type { Session } from './find-type.ts';

/** An object by its name. */
export interface ObjectPlace {
  readonly resource: DiscoveredResource;
  readonly name: string;
  /** Absent for objects without namespaces. */
  readonly namespace?: string | undefined;
}

/** A state of an object, and the revision of the store since which it had it. */
export interface ObjectState {
  readonly revision: number;
  /** The earliest state is `known`: its revision may be that of another object. */
  readonly change: 'known' | 'created' | 'changed' | 'deleted';
  readonly object: GenericObject;
}

/** How long the watch may take to tell the changes of the past. */
const watchSeconds = 2;

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

/** The states of an object that the store still has, the earliest first. */
export async function statesOf(session: Session, place: ObjectPlace): Promise<ObjectState[]> {
  const objects = session.client.resource(place.resource);
  const { signal } = session.io;
  const present = await presentRevision(session, place);
  const oldest = await oldestRevision(session, place, present);
  const first = await stateAt(session, place, oldest);
  const states: ObjectState[] = first ? [{ revision: revisionOf(first), change: 'known', object: first }] : [];
  for await (const event of eventsAfter(objects, place, oldest, present, signal)) states.push(stateOf(event));
  return states;
}

/** Throws CliError for a revision to come, for which the server would wait. */
export async function requireReached(
  session: Pick<Session, 'client' | 'io'>,
  place: Omit<ObjectPlace, 'name'>,
  revision: number | undefined,
): Promise<void> {
  if (revision === undefined) return;
  const present = await presentRevision(session, place);
  if (revision > present) throw new CliError(`the store is at revision ${present}, before ${revision}`);
}

async function presentRevision(
  { client, io }: Pick<Session, 'client' | 'io'>,
  { resource, namespace }: Omit<ObjectPlace, 'name'>,
): Promise<number> {
  const { metadata } = await client.resource(resource).list({ namespace, limit: 1, signal: io.signal });
  return Number(metadata.resourceVersion);
}

function stateAt(session: Session, { resource, name, namespace }: ObjectPlace, revision: number) {
  const options = {
    namespace,
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: String(revision),
    resourceVersionMatch: 'Exact',
    signal: session.io.signal,
  } as const;
  const list = session.client.resource(resource).list(options);
  return list.then(({ items: [object] }) => object);
}

/** The earliest revision that can be read, found by halving. */
async function oldestRevision(session: Session, place: ObjectPlace, present: number): Promise<number> {
  let [gone, known] = [0, present];
  while (known - gone > 1) {
    const middle = Math.floor((gone + known) / 2);
    const isKnown = await stateAt(session, place, middle).then(
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
  revision: number,
  present: number,
  signal: AbortSignal,
): AsyncIterable<WatchEvent> {
  const events = objects.watch({
    namespace,
    fieldSelector: `metadata.name=${name}`,
    resourceVersion: String(revision),
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
