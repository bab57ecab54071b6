import type { ObjectMetadata } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informers/informer.ts';
import { hasReason } from '../../client/status-error.ts';
import type { EndpointSlice } from '../kinds/endpoint-slice.ts';
import type { NewSlice } from './fill-slices.ts';

/** Writes slices, and waits until the informer has them. */
interface SliceWriter {
  create(slice: NewSlice, metadata: ObjectMetadata): Promise<void>;
  update(slice: EndpointSlice): Promise<void>;
  /** A slice that is gone, or replaced by another one, is no error. */
  remove(slice: EndpointSlice): Promise<void>;
}

/** Creates a writer of the slices of an informer. */
export function createSliceWriter(client: Client, informer: Informer<EndpointSlice>, signal: AbortSignal): SliceWriter {
  const { reference } = informer;
  const resource = client.resource(reference);

  async function seen(written: Promise<EndpointSlice>): Promise<void> {
    await informer.waitFor((await written).metadata.resourceVersion, signal);
  }

  return {
    async create(slice, metadata) {
      const apiVersion = `${reference.group}/${reference.version}`;
      const created = { apiVersion, kind: 'EndpointSlice', metadata, ...slice };
      // The server completes the metadata.
      await seen(resource.create(created as unknown as EndpointSlice, { signal }));
    },
    update: (slice) => seen(resource.update(slice, { signal })),
    async remove({ metadata: { name, namespace, uid } }) {
      try {
        await resource.delete(name, { namespace, preconditions: { uid }, signal });
      } catch (error) {
        if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
      }
    },
  };
}
