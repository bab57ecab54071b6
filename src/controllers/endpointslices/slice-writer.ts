import type { ObjectMetadata } from '../../client/api-object.ts';
import type { Client } from '../../client/client.ts';
import type { Informer } from '../../client/informers/informer.ts';
import type { RetryRate } from '../../client/queue/retry-delays.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import { sameValue } from '../../meta/read-field.ts';
import type { EndpointSlice } from '../resources.ts';
import type { NewSlice, SlicePlan } from './fill-slices.ts';

/** The retry rate of the controllers that write slices; slow, because refusals seldom end soon. */
export const sliceRetryRate: RetryRate = Object.freeze({ initialMs: 1000, maximumMs: 100_000 });

/** A plan, and the metadata that the slices should have. */
interface PlannedSlices {
  readonly plan: SlicePlan;
  /** The slices that were planned with. */
  readonly present: readonly EndpointSlice[];
  /** The labels of all slices, and the rest of the metadata of new ones. */
  readonly metadata: ObjectMetadata;
  /** The object that the slices are for, in messages: `Service default/web`. */
  readonly source: string;
  /** The annotations of a slice that is written. */
  readonly annotate: (present: Readonly<Record<string, string>>) => Readonly<Record<string, string>>;
  /** False: other annotations are no reason to write a slice. */
  readonly followsAnnotations: boolean;
}

/** Writes slices, and waits until the informer has them. */
interface SliceWriter {
  /** Throws Error that says which write failed. */
  carryOut(planned: PlannedSlices): Promise<void>;
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

  async function create(slice: NewSlice, metadata: ObjectMetadata): Promise<void> {
    const apiVersion = `${reference.group}/${reference.version}`;
    const created = { apiVersion, kind: 'EndpointSlice', metadata, ...slice };
    // The server completes the metadata.
    await seen(resource.create(created as unknown as EndpointSlice, { signal }));
  }

  async function remove({ metadata: { name, namespace, uid } }: EndpointSlice): Promise<void> {
    await ignoreReasons(resource.delete(name, { namespace, preconditions: { uid }, signal }), 'NotFound', 'Conflict');
  }

  return {
    async carryOut({ plan, present, metadata, source, annotate, followsAnnotations }) {
      const { labels } = metadata;
      const updates = new Map(plan.updates.map((slice) => [slice.metadata.name, slice]));
      for (const slice of present.filter((each) => !plan.deletions.includes(each))) {
        const planned = updates.get(slice.metadata.name);
        const annotations = { ...annotate((planned ?? slice).metadata.annotations ?? {}) };
        const isSame =
          sameTexts(slice.metadata.labels, labels) &&
          (!followsAnnotations || sameTexts(slice.metadata.annotations, annotations));
        if (isSame && !planned) continue;
        const changed = { ...(planned ?? slice), metadata: { ...slice.metadata, labels, annotations } };
        const what = `update ${slice.metadata.name} EndpointSlice for ${source}`;
        await explained(what, seen(resource.update(changed, { signal })));
      }
      for (const slice of plan.creations) {
        const created = create(slice, { ...metadata, annotations: { ...annotate({}) } });
        await explained(`create EndpointSlice for ${source}`, created);
      }
      for (const slice of plan.deletions) await remove(slice);
    },
    remove,
  };
}

async function explained(what: string, written: Promise<void>): Promise<void> {
  try {
    await written;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw new Error(`failed to ${what}: ${text}`, { cause: error });
  }
}

function sameTexts(before: Readonly<Record<string, string>> = {}, after: Readonly<Record<string, string>> = {}) {
  return sameValue(before, after);
}
