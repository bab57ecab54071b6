import { Semaphore } from '../../async/semaphore.ts';
import type { DiscoveredResource, Discovery } from '../../client/discovery.ts';
import { deleteKind, type KindCalls, UnexpectedContent } from './delete-kind.ts';
import type { RemainingContent } from './remaining-content.ts';

/** The result of an attempt to delete the content of a namespace. */
export interface DeletionOutcome {
  readonly remaining: readonly RemainingContent[];
  readonly discoveryErrors: Discovery['failed'];
  readonly contentErrors: readonly Error[];
}

/** The requests of an attempt. */
export interface ContentCalls {
  discover(): Promise<Discovery>;
  ofKind(resource: DiscoveredResource): KindCalls;
}

/** Number of kinds that are deleted at the same time. */
const concurrentKinds = 8;

/**
 * Deletes the objects of all kinds in a namespace that can be deleted. Pods are deleted first: the
 * others, such as network policies, stay until no Pod runs without them.
 */
export async function deleteContent(namespace: string, calls: ContentCalls): Promise<DeletionOutcome> {
  const { resources, failed } = await calls.discover();
  const kinds = deletable(resources);
  const pods = kinds.filter(isPods);
  const others = kinds.filter((kind) => !isPods(kind));
  const first = await deleteKinds(namespace, pods, calls);
  const done = first.remaining.length > 0 || first.contentErrors.length > 0;
  const rest = done ? undefined : await deleteKinds(namespace, others, calls);
  return { ...(rest ?? first), discoveryErrors: failed };
}

/** Each resource once, in the version that its group prefers. */
function deletable(resources: readonly DiscoveredResource[]): readonly DiscoveredResource[] {
  const byName = new Map<string, DiscoveredResource>();
  for (const found of resources) {
    const name = `${found.resource}.${found.group}`;
    const applies = found.namespaced && found.verbs.includes('delete') && !byName.has(name);
    if (applies) byName.set(name, found);
  }
  return [...byName.values()];
}

function isPods({ group, resource }: DiscoveredResource): boolean {
  return group === '' && resource === 'pods';
}

async function deleteKinds(
  namespace: string,
  kinds: readonly DiscoveredResource[],
  calls: ContentCalls,
): Promise<Omit<DeletionOutcome, 'discoveryErrors'>> {
  const slots = new Semaphore(concurrentKinds);
  const remaining: RemainingContent[] = [];
  const contentErrors: Error[] = [];
  const one = async (kind: DiscoveredResource): Promise<void> => {
    await slots.acquire(undefined);
    try {
      const left = await deleteKind(namespace, kind, calls.ofKind(kind));
      if (left) remaining.push(left);
    } catch (error) {
      if (error instanceof UnexpectedContent) remaining.push(error.remaining);
      contentErrors.push(error instanceof Error ? error : new Error(String(error)));
    } finally {
      slots.release();
    }
  };
  await Promise.all(kinds.map(one));
  return { remaining, contentErrors };
}
