import type { Namespace } from '../../gen/types/core-v1.ts';
import { formatTime } from '../../meta/time.ts';
import { changedConditions } from './conditions.ts';
import { type ContentCalls, deleteContent } from './delete-content.ts';

/** The requests of `reconcile`. */
export interface NamespaceCalls extends ContentCalls {
  /** The present state; undefined if it is gone. */
  get(): Promise<Namespace | undefined>;
  updateStatus(namespace: Namespace): Promise<Namespace>;
  /** Replaces the finalizers in the specification. */
  finalize(namespace: Namespace): Promise<unknown>;
}

/** Content of a namespace remains, so that the next attempt follows after a delay. */
export class ContentRemains extends Error {
  override readonly name = 'ContentRemains';
}

/**
 * Deletes the content of a deleted namespace, reports in its conditions what remains, and removes
 * the finalizer `own` when nothing does.
 */
export async function reconcile(own: string, calls: NamespaceCalls): Promise<void> {
  const namespace = await calls.get();
  const { name = '', deletionTimestamp } = namespace?.metadata ?? {};
  if (!namespace || !deletionTimestamp || !namespace.spec?.finalizers?.includes(own)) return;
  const outcome = await deleteContent(name, calls);
  const reported = await report(namespace, outcome, calls);
  const { remaining, discoveryErrors, contentErrors } = outcome;
  if (contentErrors.length > 0) throw new AggregateError(contentErrors, contentErrors[0]?.message);
  if (remaining.length > 0) throw new ContentRemains(`content of namespace ${name} remains`);
  if (discoveryErrors.length > 0) throw new ContentRemains(`not all kinds in namespace ${name} are known`);
  const finalizers = reported.spec?.finalizers?.filter((finalizer) => finalizer !== own);
  await calls.finalize({ ...reported, spec: { ...reported.spec, finalizers } });
}

/** A namespace whose content goes at the first attempt is not written for it. */
async function report(
  namespace: Namespace,
  outcome: Awaited<ReturnType<typeof deleteContent>>,
  calls: NamespaceCalls,
): Promise<Namespace> {
  const now = formatTime(Date.now());
  const conditions = changedConditions(namespace.status?.conditions ?? [], outcome, now);
  if (!conditions) return namespace;
  return calls.updateStatus({ ...namespace, status: { ...namespace.status, conditions } });
}
