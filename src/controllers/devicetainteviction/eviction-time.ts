import type { Device, DeviceRequestAllocationResult, DeviceTaint, ResourceSlice } from '../../gen/types/resource-v1.ts';
import type { DeviceTaintRule } from '../../gen/types/resource-v1beta2.ts';
import { ruledTaints, toleratesTaint } from '../../kinds/resource/device-taints.ts';

/** The slices and rules that give devices their taints. */
interface TaintSources {
  readonly slices: readonly ResourceSlice[];
  readonly rules: readonly DeviceTaintRule[];
}

/**
 * The time in ms since the epoch at which users of allocated devices must be evicted; Infinity for
 * never.
 */
export function evictionTime(results: readonly DeviceRequestAllocationResult[], sources: TaintSources): number {
  const times = results.flatMap((result) =>
    taintsOf(result, sources)
      .filter(({ effect }) => effect === 'NoExecute')
      .map((taint) => timeFor(taint, result)),
  );
  return Math.min(Infinity, ...times);
}

function timeFor(taint: DeviceTaint, { tolerations = [] }: DeviceRequestAllocationResult): number {
  const addedMs = Date.parse(taint.timeAdded ?? '') || 0;
  const seconds = tolerations
    .filter((toleration) => toleratesTaint(toleration, taint))
    .map(({ tolerationSeconds = Infinity }) => Math.max(0, tolerationSeconds));
  return seconds.length === 0 ? addedMs : addedMs + 1000 * Math.min(...seconds);
}

/** A device as in versions before v1beta2, whose properties are one level deeper. */
type AnyDevice = Device & { readonly basic?: Omit<Device, 'name'> };

/** The taints of a device in the newest generation of its pool. */
function taintsOf({ driver, pool, device: name }: DeviceRequestAllocationResult, sources: TaintSources) {
  const ofPool = sources.slices.flatMap(({ spec }) =>
    spec?.driver === driver && spec.pool.name === pool ? [spec] : [],
  );
  const newest = Math.max(...ofPool.map(({ pool: { generation } }) => generation));
  const own = ofPool
    .filter(({ pool: { generation } }) => generation === newest)
    .flatMap(({ devices = [] }) => devices)
    .filter((device) => device.name === name)
    .flatMap(({ taints, basic }: AnyDevice) => taints ?? basic?.taints ?? []);
  return [...own, ...ruledTaints({ driver, pool, name }, sources.rules)];
}
