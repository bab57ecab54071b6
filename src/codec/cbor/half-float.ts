/** The smallest step between numbers of 16 bits, 2^-24. */
const step = 2 ** -24;

const fractionSize = 1024;
const largestExponent = 15;
const smallestExponent = -14;

/** Returns a number as an IEEE 754 number of 16 bits; undefined if it would be rounded. */
export function toHalf(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  const steps = magnitude / step;
  // The smallest numbers have no leading one.
  if (steps < fractionSize) return Number.isInteger(steps) ? sign | steps : undefined;
  const exponent = Math.floor(Math.log2(magnitude));
  const fraction = (magnitude / 2 ** exponent - 1) * fractionSize;
  if (exponent > largestExponent || exponent < smallestExponent || !Number.isInteger(fraction)) return undefined;
  return sign | ((exponent + largestExponent) << 10) | fraction;
}

/** Returns the value of an IEEE 754 number of 16 bits, perhaps infinite or NaN. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & (fractionSize - 1);
  if (exponent === 0) return sign * fraction * step;
  if (exponent > 2 * largestExponent) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / fractionSize) * 2 ** (exponent - largestExponent);
}
