import type { Client } from '../../client/client.ts';
import type { ResourceReference } from '../../client/resource-path.ts';
import type { ResourceMapper } from '../../client/resource-mapper.ts';
import type { CrossVersionObjectReference } from '../../gen/types/autoscaling-v2.ts';
import { servedKind } from './served-kind.ts';

/** The sub-resource `scale` of an object. */
export interface Scale {
  readonly metadata: { readonly name: string; readonly namespace: string; readonly resourceVersion?: string };
  readonly spec?: { readonly replicas?: number };
  readonly status?: { readonly replicas?: number; readonly selector?: string };
}

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
  // Every server answers with a Scale of the API group `autoscaling`.
  return { scale: scale as unknown as Scale, resource };
}

/** Writes the wanted number of pods, unless the object has changed since. */
export async function writeScale(
  client: Client,
  { scale, resource }: FoundScale,
  replicas: number,
  signal: AbortSignal,
): Promise<void> {
  const changed = { ...scale, spec: { ...scale.spec, replicas } };
  const { name, namespace } = scale.metadata;
  const metadata = { ...scale.metadata, name };
  await client.resource(resource).update({ ...changed, metadata }, { namespace, subresource: 'scale', signal });
}
