import { libraryTypes } from '../../identifiers/expression-types.ts';
import { compareQuantities, parseQuantity, type Quantity } from '../../meta/quantity.ts';
import { type CelValue, Failure, Opaque } from '../values/cel-value.ts';
import { checkInt } from './arithmetic.ts';
import type { Library } from './library.ts';

const nanosPerUnit = 1_000_000_000n;

/** A quantity as a value. */
export function quantityValue(amount: Quantity): Opaque {
  return new Opaque(`${libraryTypes}Quantity`, String(amount.nanos), amount);
}

function quantity(text: string): CelValue {
  const parsed = parseQuantity(text);
  return 'error' in parsed ? new Failure(parsed.error) : quantityValue(parsed);
}

function amountOf(value: Opaque): Quantity {
  return value.content as Quantity;
}

function plus(value: Opaque, nanos: bigint): Opaque {
  return quantityValue({ nanos: amountOf(value).nanos + nanos, format: amountOf(value).format });
}

function isInteger({ nanos }: Quantity): boolean {
  return nanos % nanosPerUnit === 0n && !(checkInt(nanos / nanosPerUnit) instanceof Failure);
}

/** Quantities of Kubernetes. */
export const quantities: Library = {
  functions: [
    ['quantity(string): Quantity', quantity],
    ['isQuantity(string): bool', (text: string) => !('error' in parseQuantity(text))],
    [
      'sign(Quantity): int',
      (value: Opaque) => {
        const { nanos } = amountOf(value);
        return nanos < 0n ? -1n : nanos > 0n ? 1n : 0n;
      },
    ],
  ],
  methods: [
    ['isInteger(Quantity): bool', (value: Opaque) => isInteger(amountOf(value))],
    [
      'asInteger(Quantity): int',
      (value: Opaque) =>
        isInteger(amountOf(value))
          ? amountOf(value).nanos / nanosPerUnit
          : new Failure('cannot convert value to integer'),
    ],
    ['asApproximateFloat(Quantity): double', (value: Opaque) => Number(amountOf(value).nanos) / 1e9],
    ['add(Quantity, Quantity): Quantity', (a: Opaque, b: Opaque) => plus(a, amountOf(b).nanos)],
    ['add(Quantity, int): Quantity', (a: Opaque, b: bigint) => plus(a, b * nanosPerUnit)],
    ['sub(Quantity, Quantity): Quantity', (a: Opaque, b: Opaque) => plus(a, -amountOf(b).nanos)],
    ['sub(Quantity, int): Quantity', (a: Opaque, b: bigint) => plus(a, -b * nanosPerUnit)],
    [
      'isGreaterThan(Quantity, Quantity): bool',
      (a: Opaque, b: Opaque) => compareQuantities(amountOf(a), amountOf(b)) > 0,
    ],
    ['isLessThan(Quantity, Quantity): bool', (a: Opaque, b: Opaque) => compareQuantities(amountOf(a), amountOf(b)) < 0],
    [
      'compareTo(Quantity, Quantity): int',
      (a: Opaque, b: Opaque) => BigInt(compareQuantities(amountOf(a), amountOf(b))),
    ],
  ],
};
