import { isJsonObject, type JsonObject } from '../../../meta/json-value.ts';
import { numberAt, objectAt, stringAt } from '../../../meta/read-field.ts';
import { parseTime } from '../../../meta/time.ts';

/** How one component of the control plane is. `healthy` is undefined where nobody knows. */
export interface ComponentHealth {
  readonly healthy: boolean | undefined;
  readonly message: string;
}

/** Asks after one component; never throws. */
export interface ComponentProbe {
  readonly name: string;
  readonly probe: (signal: AbortSignal) => Promise<ComponentHealth>;
}

/** The store is well when it answers a cheap read. */
export function storeProbe(name: string, read: (signal: AbortSignal) => Promise<unknown>): ComponentProbe {
  return {
    name,
    probe: async (signal) => {
      try {
        await read(signal);
        return { healthy: true, message: '{"health":"true"}' };
      } catch (error) {
        return { healthy: false, message: error instanceof Error ? error.message : String(error) };
      }
    },
  };
}

/** A component that stands for election is well while its lease is renewed in time. */
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

function leaseHealth(lease: JsonObject, nowMs: number): ComponentHealth {
  const spec = isJsonObject(lease['spec']) ? lease['spec'] : {};
  // Times of leases have microseconds, of which the seconds are enough here.
  const renewed = parseTime(stringAt(spec, 'renewTime').replace(/\.\d+/, ''));
  if (stringAt(objectAt(lease, 'spec'), 'holderIdentity') === '' || renewed === undefined) {
    return { healthy: false, message: 'nobody holds its lease' };
  }
  const late = nowMs - (renewed + (numberAt(spec, 'leaseDurationSeconds') ?? 0) * 1000);
  return late > 0
    ? { healthy: false, message: `its lease was last renewed at ${stringAt(spec, 'renewTime')}` }
    : { healthy: true, message: 'ok' };
}
