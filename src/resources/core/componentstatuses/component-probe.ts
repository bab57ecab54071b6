import type { Lease } from '../../../gen/types/coordination-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { parseTime } from '../../../meta/time.ts';

/** The health of one component of the control plane. `healthy` is undefined if it is unknown. */
export interface ComponentHealth {
  readonly healthy: boolean | undefined;
  readonly message: string;
}

/** Reads the health of one component. Never throws. */
export interface ComponentProbe {
  readonly name: string;
  readonly probe: (signal: AbortSignal) => Promise<ComponentHealth>;
}

/** Probes the store. It is healthy if its status can be read and names no alarm. */
export function storeProbe(
  name: string,
  read: (signal: AbortSignal) => Promise<{ readonly alarms?: readonly string[] | undefined }>,
): ComponentProbe {
  return {
    name,
    probe: async (signal) => {
      try {
        const [alarm] = (await read(signal)).alarms ?? [];
        if (alarm !== undefined) return { healthy: false, message: `etcd has the alarm ${alarm}` };
        return { healthy: true, message: '{"health":"true"}' };
      } catch (error) {
        return { healthy: false, message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

/**
 * Probes a component that takes part in leader election. It is healthy while its lease is renewed
 * in time.
 */
export function leaseProbe(
  name: string,
  readLease: (signal: AbortSignal) => Promise<JsonObject | undefined>,
  nowMs: () => number = Date.now,
): ComponentProbe {
  return {
    name,
    probe: async (signal) => {
      const lease = await readLease(signal).catch(() => undefined);
      return lease ? leaseHealth(lease, nowMs()) : { healthy: undefined, message: 'it has no lease' };
    },
  };
}

function leaseHealth({ spec = {} }: Lease, nowMs: number): ComponentHealth {
  const { holderIdentity, renewTime = '', leaseDurationSeconds = 0 } = spec;
  // Leases have microseconds; seconds are precise enough here.
  const renewed = parseTime(renewTime.replace(/\.\d+/, ''));
  if (!holderIdentity || renewed === undefined) return { healthy: false, message: 'nobody holds its lease' };
  const isLate = nowMs > renewed + leaseDurationSeconds * 1000;
  return isLate
    ? { healthy: false, message: `its lease was last renewed at ${renewTime}` }
    : { healthy: true, message: 'ok' };
}
