import type { CounterSet, DeviceCounterConsumption } from '../../../gen/types/resource-v1.ts';
import { quantityOf } from './consumed-capacity.ts';
import { type DevicesInUse, isInUse } from './devices-in-use.ts';
import type { CounterAmounts, DevicePool } from './offered-device.ts';

/** The counters of counter sets. */
export function countersOf(sets: readonly CounterSet[]): CounterAmounts {
  const amounts: CounterAmounts = new Map();
  for (const { name, counters } of sets) addCounters(amounts, [{ counterSet: name, counters }], 1n);
  return amounts;
}

/** Adds the counters that a device consumes, multiplied by `factor`. Mutates the amounts. */
export function addCounters(
  amounts: CounterAmounts,
  consumed: readonly DeviceCounterConsumption[],
  factor: 1n | -1n,
): void {
  for (const { counterSet, counters } of consumed) {
    const set = amounts.get(counterSet) ?? new Map<string, bigint>();
    amounts.set(counterSet, set);
    for (const [name, { value }] of Object.entries(counters)) {
      set.set(name, (set.get(name) ?? 0n) + factor * (quantityOf(value)?.nanos ?? 0n));
    }
  }
}

/** The counters that allocated devices leave of a pool; negative amounts count as zero. */
export function countersLeft({ counters, consumers }: DevicePool, inUse: DevicesInUse): CounterAmounts {
  const left: CounterAmounts = new Map([...counters].map(([name, set]) => [name, new Map(set)]));
  for (const [id, consumed] of consumers) if (isInUse(id, inUse)) addCounters(left, consumed, -1n);
  return left;
}

/** True if the chosen devices exceed no counter. */
export function isCovered(chosen: CounterAmounts, left: CounterAmounts): boolean {
  return [...left].every(([set, counters]) =>
    [...counters].every(([name, amount]) => (chosen.get(set)?.get(name) ?? 0n) <= amount),
  );
}
