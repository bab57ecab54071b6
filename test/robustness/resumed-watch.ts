import { pause } from '../../src/async/timers.ts';
import type { EtcdClient } from '../../src/etcd/etcd-client.ts';
import { EtcdError } from '../../src/etcd/etcd-error.ts';
import type { EtcdWatchBatch } from '../../src/etcd/watch-prefix.ts';

const prefix = '/registry/';
/** Time between a stream that broke and the next. */
const resumeAfterMs = 100;

/** Watches everything that the servers wrote since the first revision; resumes after the last batch when a stream breaks. */
export async function* resumedWatch(client: EtcdClient, signal: AbortSignal): AsyncGenerator<EtcdWatchBatch> {
  await client.revision(signal);
  const { historyId } = client.clock;
  for (let afterRevision = 1; !signal.aborted; ) {
    try {
      for await (const batch of client.watch(prefix, { afterRevision, historyId, signal })) {
        yield batch;
        afterRevision = batch.revision;
      }
    } catch (error) {
      if (!(error instanceof EtcdError) || error.code !== 'unavailable') throw error;
      await pause(resumeAfterMs, signal);
    }
  }
}
