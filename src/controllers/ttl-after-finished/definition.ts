import { builtInResources } from '../../client/built-in-resources.ts';
import { ignoreReasons } from '../../client/error-of-response.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import type { Job } from '../../gen/types/batch-v1.ts';
import { finishOf } from '../../kinds/batch/job.ts';

/** Deletes finished Jobs some time after their end. */
export const ttlAfterFinished: ControllerDefinition = {
  name: 'ttl-after-finished-controller',
  alias: 'ttl-after-finished',
  account: 'ttl-after-finished-controller',
  async run({ client, identifiers, options, controller }: ControllerContext, signal): Promise<void> {
    const { jobs } = builtInResources(identifiers.set);
    const writer = client.resource(jobs);
    await controller({
      name: 'ttl_jobs_to_delete',
      for: jobs,
      concurrency: options['concurrent-ttl-after-finished-syncs'],
      async reconcile({ object, name, namespace }) {
        const atMs = object && expiryMs(object);
        if (atMs === undefined) return {};
        const remainingMs = atMs - Date.now();
        if (remainingMs > 0) return { requeueAfterMs: remainingMs };
        const { uid, resourceVersion } = object?.metadata ?? {};
        // The time to live may have been changed: the Job is deleted in the state that was seen.
        const preconditions = { uid, resourceVersion };
        await ignoreReasons(
          writer.delete(name, { namespace, propagationPolicy: 'Foreground', preconditions, signal }),
          'NotFound',
          'Conflict',
        );
        return {};
      },
    }).run(signal);
  },
};

/** The time at which a finished Job is deleted; undefined for one that is not. */
function expiryMs(job: Job): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  if (seconds === undefined || job.metadata?.deletionTimestamp) return undefined;
  const atMs = Date.parse(finishOf(job)?.lastTransitionTime ?? '');
  return Number.isNaN(atMs) ? undefined : atMs + seconds * 1000;
}
