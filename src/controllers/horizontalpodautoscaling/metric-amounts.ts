import { formatQuantity, parseQuantity } from '../../meta/quantity.ts';

const nanosPerThousandth = 1_000_000n;

/** A quantity in thousandths, rounded up; 0 for a text that is none. */
export function thousandthsOf(text: string | undefined): number {
  const quantity = parseQuantity(text ?? '0');
  if ('error' in quantity) return 0;
  const rest = quantity.nanos % nanosPerThousandth;
  return Number(quantity.nanos / nanosPerThousandth) + (rest > 0n ? 1 : 0);
}

/** The quantity of a number of thousandths. */
export function quantityOf(thousandths: number): string {
  return formatQuantity({ nanos: BigInt(Math.trunc(thousandths)) * nanosPerThousandth, format: 'decimal' });
}
