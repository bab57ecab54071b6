import type { EventRecorder } from '../../client/events/event-recorder.ts';
import type { ResourceClient } from '../../client/resource-client.ts';
import { hasReason } from '../../client/status-error.ts';
import { formatTime } from '../../meta/time.ts';
import { isReady } from '../../kinds/core/pod.ts';
import type { Pod } from '../resources.ts';

/** Writes that the pods of a lost node are not ready, because no node agent does. */
export async function reportPodsUnready(
  lost: readonly Pod[],
  {
    resource,
    events,
    signal,
  }: { readonly resource: ResourceClient<Pod>; readonly events: EventRecorder; readonly signal: AbortSignal },
): Promise<void> {
  for (const pod of lost.filter(isReady)) {
    const message = 'Node is not ready';
    events.record({ ...pod, apiVersion: 'v1', kind: 'Pod' }, { type: 'Warning', reason: 'NodeNotReady', message });
    const lastTransitionTime = formatTime(Date.now());
    const conditions = pod.status?.conditions?.map((condition) =>
      condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime } : condition,
    );
    try {
      await resource.update({ ...pod, status: { ...pod.status, conditions } }, { subresource: 'status', signal });
    } catch (error) {
      if (!hasReason(error, 'NotFound', 'Conflict')) throw error;
    }
  }
}
