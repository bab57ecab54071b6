import type { JsonObject } from '../../../meta/json-value.ts';
import type { Quantity } from '../../../meta/quantity.ts';
import { objectAt, objectsAt } from '../../../meta/read-field.ts';
import { amountAt } from '../../amounts.ts';

/** The amount of a resource; undefined if there is none. */
type AmountOf = (resource: string) => Quantity | undefined;

/**
 * The amounts that an object requests, and those to which it is limited. They are computed when
 * they are read, because limits concern few of them.
 */
export interface ResourceUse {
  readonly requests: AmountOf;
  readonly limits: AmountOf;
}

/** The use of a container or of a claim's spec. */
export function useOf(owner: JsonObject): ResourceUse {
  const resources = objectAt(owner, 'resources');
  const amountOf = (of: keyof ResourceUse): AmountOf => {
    const amounts = objectAt(resources, of);
    return (resource) => amountAt(amounts, resource);
  };
  return { requests: amountOf('requests'), limits: amountOf('limits') };
}

/**
 * The use of a Pod: the sum of its containers, or more if an init container uses more. A resource
 * without an amount in one of the containers has no sum.
 */
export function useOfPod(spec: JsonObject): ResourceUse {
  const containers = objectsAt(spec, 'containers').map(useOf);
  const first = objectsAt(spec, 'initContainers').map(useOf);
  const amountOf =
    (of: keyof ResourceUse): AmountOf =>
    (resource) =>
      first.reduce(
        (most, use) => larger(most, use[of](resource)),
        sum(resource, containers, (use) => use[of](resource)),
      );
  return { requests: amountOf('requests'), limits: amountOf('limits') };
}

function larger(a: Quantity | undefined, b: Quantity | undefined): Quantity | undefined {
  return !a || (b && b.nanos > a.nanos) ? b : a;
}

function sum(
  resource: string,
  uses: readonly ResourceUse[],
  amountOf: (use: ResourceUse) => Quantity | undefined,
): Quantity | undefined {
  if (uses.length === 0) return undefined;
  const unit = unitOf(resource);
  let nanos = 0n;
  for (const use of uses) {
    const amount = amountOf(use);
    if (!amount) return undefined;
    nanos += roundedUp(amount.nanos, unit);
  }
  return { nanos, format: 'decimal' };
}

const [thousandth, whole] = [10n ** 6n, 10n ** 9n];

/** CPU is counted in thousandths, other resources in whole numbers, as in kube-apiserver. */
function unitOf(resource: string): bigint {
  return resource === 'cpu' ? thousandth : whole;
}

function roundedUp(nanos: bigint, unit: bigint): bigint {
  return nanos % unit === 0n ? nanos : ((nanos + unit - 1n) / unit) * unit;
}
