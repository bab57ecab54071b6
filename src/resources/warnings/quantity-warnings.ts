import { formatQuantity, parseQuantity } from '../../meta/quantity.ts';

const nanosPerUnit = 1_000_000_000n;
const nanosPerThousandth = 1_000_000n;

/** The warning about a byte amount with a fraction, in thousandths. */
export function fractionWarnings(path: string, amount: string | undefined): readonly string[] {
  if (amount === undefined) return [];
  const quantity = parseQuantity(amount);
  if ('error' in quantity) return [];
  // Smaller fractions are rounded up to thousandths first.
  const rest = quantity.nanos % nanosPerUnit;
  if (rest === 0n || rest > nanosPerUnit - nanosPerThousandth) return [];
  return [`${path}: fractional byte value ${JSON.stringify(formatQuantity(quantity))} is invalid, must be an integer`];
}

/** The warning about a fraction in the storage request of a claim. */
export function claimWarnings(
  path: string,
  { resources }: { readonly resources?: { readonly requests?: Amounts; readonly limits?: Amounts } },
): readonly string[] {
  return [
    ...fractionWarnings(`${path}.resources.requests[storage]`, resources?.requests?.['storage']),
    ...fractionWarnings(`${path}.resources.limits[storage]`, resources?.limits?.['storage']),
  ];
}

/** Amounts of resources by name. */
type Amounts = Readonly<Record<string, string>>;
