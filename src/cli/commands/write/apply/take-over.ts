import type { Client } from '../../../../client/client.ts';
import type { DiscoveredResource } from '../../../../client/discovery.ts';
import { hasReason } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { metadataOf, resourceVersionOf } from '../../../../meta/object-meta.ts';
import { takeOverPatch } from '../../../objects/client-side-fields.ts';

/** The object whose fields are taken over, and by whom. */
interface TakeOverPlace {
  readonly client: Client;
  readonly resource: DiscoveredResource;
  readonly name: string;
  readonly place: { readonly namespace?: string; readonly signal: AbortSignal };
  readonly fieldManager: string;
}

/** An object whose fields may have been taken over. */
interface TakenOver {
  readonly object: JsonObject;
  /** The object before it; undefined if there was nothing to take over. */
  readonly former?: JsonObject;
}

/** How often it is tried again because the object changed meanwhile. */
const attempts = 3;

/**
 * Takes over the fields that a client applied before. `tryApply` throws if the apply that follows
 * would be refused: then nothing is taken over.
 */
export async function takeOver(
  target: TakeOverPlace,
  before: JsonObject,
  tryApply: () => Promise<unknown>,
): Promise<TakenOver> {
  const { client, resource, name, place, fieldManager } = target;
  const objects = client.resource(resource);
  for (let [attempt, current] = [1, before]; ; attempt++) {
    const patch = takeOverPatch(current, fieldManager);
    if (!patch) return { object: current };
    await tryApply();
    const patched = await objects.patch(name, patch, { ...place, type: 'json' }).catch((error: unknown) => {
      if (!hasReason(error, 'Conflict', 'Invalid') || attempt === attempts) throw error;
      return undefined;
    });
    // The codec of the client returns JSON values.
    if (patched) return { object: patched as JsonObject, former: current };
    current = (await objects.get(name, place)) as JsonObject;
  }
}

/** Gives back what was taken over for an apply that was refused, if nothing changed since. */
export async function giveBack({ client, resource, name, place }: TakeOverPlace, taken: TakenOver): Promise<void> {
  if (!taken.former) return;
  const patch = [
    { op: 'replace', path: '/metadata/managedFields', value: metadataOf(taken.former)?.managedFields ?? [] },
    { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersionOf(taken.object) },
  ];
  // The refusal of the apply is what matters.
  await client
    .resource(resource)
    .patch(name, patch, { ...place, type: 'json' })
    .catch(() => undefined);
}
