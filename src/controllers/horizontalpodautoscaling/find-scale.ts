import type { Client } from '../../client/client.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { ResourceMapper } from '../../client/resource-mapper.ts';
import type { Scale } from '../../gen/types/autoscaling-v1.ts';
import type { CrossVersionObjectReference } from '../../gen/types/autoscaling-v2.ts';
import { servedKind } from './served-kind.ts';

/** A scale, and the resource that it belongs to. */
interface FoundScale {
  readonly scale: Scale;
  readonly resource: ResourceReference;
}

/** Reads the scale of an object. Its kind may be served in another version than it names. */
export async function findScale(
  client: Client,
  mapper: ResourceMapper,
  reference: CrossVersionObjectReference,
  { namespace, signal }: { readonly namespace: string; readonly signal: AbortSignal },
): Promise<FoundScale> {
  const resource = await servedKind(mapper, reference, signal);
  const scale = await client.resource(resource).get(reference.name, { namespace, subresource: 'scale', signal });
  return { scale, resource };
}

/** Writes the wanted number of pods, unless the object has changed since. */
export async function writeScale(
  client: Client,
  { scale, resource }: FoundScale,
  replicas: number,
  signal: AbortSignal,
): Promise<void> {
  const changed = { ...scale, spec: { ...scale.spec, replicas } };
  await client.resource(resource).update(changed, { subresource: 'scale', signal });
}
