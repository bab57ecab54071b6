/** The smallest step between half-precision numbers, 2^-24. */
const step = 2 ** -24;

const fractionSize = 1024;
const largestExponent = 15;
const smallestExponent = -14;

/** Converts a number to half precision (IEEE 754, 16 bits); undefined if it is not exact. */
export function toHalf(value: number): number | undefined {
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const magnitude = Math.abs(value);
  const steps = magnitude / step;
  // Subnormal numbers have no implicit leading one.
  if (steps < fractionSize) return Number.isInteger(steps) ? sign | steps : undefined;
  const exponent = Math.floor(Math.log2(magnitude));
  const fraction = (magnitude / 2 ** exponent - 1) * fractionSize;
  if (exponent > largestExponent || exponent < smallestExponent || !Number.isInteger(fraction)) return undefined;
  return sign | ((exponent + largestExponent) << 10) | fraction;
}

/** Converts a half-precision number; the result may be infinite or NaN. */
export function fromHalf(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & (fractionSize - 1);
  if (exponent === 0) return sign * fraction * step;
  if (exponent > 2 * largestExponent) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN;
  return sign * (1 + fraction / fractionSize) * 2 ** (exponent - largestExponent);
}
