import type {
  CapacityRequestPolicy,
  CapacityRequestPolicyRange,
  DeviceCapacity,
} from '../../../gen/types/resource-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import { formatQuantity, parseQuantity, type Quantity } from '../../../meta/quantity.ts';

/** Amounts of the capacities of a device, by name. */
export type ConsumedCapacity = ReadonlyMap<string, Quantity>;

const nanosPerUnit = 10n ** 9n;

/**
 * The amounts that a request consumes of a device's capacities, rounded up to what the capacity's
 * policy allows. Without a requested amount it is the policy's default, or the whole capacity.
 * Undefined if the device lacks a requested capacity or the policy allows no such amount.
 */
export function consumedCapacity(
  requests: Readonly<Record<string, string | number>> = {},
  capacity: Readonly<Record<string, DeviceCapacity>> = {},
): ConsumedCapacity | undefined {
  if (!Object.keys(requests).every((name) => Object.hasOwn(capacity, name))) return undefined;
  const consumed = new Map<string, Quantity>();
  for (const [name, { value, requestPolicy }] of Object.entries(capacity)) {
    const requested = quantityOf(getOwn(requests, name));
    const amount = requested ? roundedUp(requested, requestPolicy) : quantityOf(requestPolicy?.default ?? value);
    if (!amount || isRefused(amount, requestPolicy)) return undefined;
    consumed.set(name, amount);
  }
  return consumed;
}

/** The consumed amounts as strings. */
export function formatConsumed(consumed: ConsumedCapacity): Record<string, string> {
  return Object.fromEntries([...consumed].map(([name, amount]) => [name, formatQuantity(amount)]));
}

/** Parses an amount; undefined if it is missing or invalid. */
export function quantityOf(text: string | number | undefined): Quantity | undefined {
  if (text === undefined) return undefined;
  const quantity = parseQuantity(String(text));
  return 'error' in quantity ? undefined : quantity;
}

function roundedUp(requested: Quantity, policy: CapacityRequestPolicy | undefined): Quantity {
  const { validRange, validValues } = policy ?? {};
  if (validRange) return roundedInRange(requested, validRange);
  const values = (validValues ?? []).flatMap((text) => quantityOf(text) ?? []);
  return values.find(({ nanos }) => requested.nanos <= nanos) ?? requested;
}

function roundedInRange(requested: Quantity, range: CapacityRequestPolicyRange): Quantity {
  const [min, step] = [quantityOf(range.min), quantityOf(range.step)];
  if (!min) return requested;
  if (requested.nanos < min.nanos) return min;
  if (!step) return requested;
  const [start, width, added] = [unitsOf(min), unitsOf(step), unitsOf(requested) - unitsOf(min)];
  if (width === 0n) return requested;
  const steps = (added + width - 1n) / width;
  return { nanos: (start + width * steps) * nanosPerUnit, format: 'binary' };
}

function isRefused(amount: Quantity, policy: CapacityRequestPolicy | undefined): boolean {
  if (!policy || quantityOf(policy.default)?.nanos === amount.nanos) return false;
  const { validRange, validValues = [] } = policy;
  if (validRange) return isOutside(amount, validRange);
  return validValues.length > 0 && !validValues.some((text) => quantityOf(text)?.nanos === amount.nanos);
}

function isOutside(amount: Quantity, range: CapacityRequestPolicyRange): boolean {
  const [min, max, step] = [quantityOf(range.min), quantityOf(range.max), quantityOf(range.step)];
  if (max && amount.nanos > max.nanos) return true;
  if (!step || !min || unitsOf(step) === 0n) return false;
  return (unitsOf(amount) - unitsOf(min)) % unitsOf(step) !== 0n;
}

/** The amount in whole units, rounded up. */
function unitsOf({ nanos }: Quantity): bigint {
  return (nanos + nanosPerUnit - 1n) / nanosPerUnit;
}
