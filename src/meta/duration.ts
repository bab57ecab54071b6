const nanosPer: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
};

const maxNanos = 2n ** 63n - 1n;
const minNanos = -(2n ** 63n);

/** Longer texts are refused unread. */
const textLimit = 256;

const part = /([0-9]*)(?:\.([0-9]*))?(ns|us|µs|μs|ms|s|m|h)/y;

/**
 * Parses a duration in Go's syntax (`1h30m`, `1.5s`, `-2ms`, `0`). Returns nanoseconds, or
 * undefined if the text is not a duration or exceeds 64 bits.
 */
export function parseDuration(text: string): bigint | undefined {
  const negative = text.startsWith('-');
  const unsigned = text.replace(/^[+-]/, '');
  if (unsigned === '0') return 0n;
  if (unsigned === '' || unsigned.length > textLimit) return undefined;
  let nanos = 0n;
  for (let at = 0; at < unsigned.length; at = part.lastIndex) {
    part.lastIndex = at;
    const [, whole = '', fraction = '', unit = ''] = part.exec(unsigned) ?? [];
    const scale = nanosPer[unit];
    if (scale === undefined || whole + fraction === '') return undefined;
    nanos += BigInt(whole || 0) * scale + (BigInt(fraction || 0) * scale) / 10n ** BigInt(fraction.length);
  }
  const value = negative ? -nanos : nanos;
  return value > maxNanos || value < minNanos ? undefined : value;
}

/** The digits of `value / unit`, without trailing zeros: `1.5`. */
function decimal(value: bigint, unit: bigint): string {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return `${value / unit}${fraction && value % unit ? `.${fraction}` : ''}`;
}

/** Formats nanoseconds as Go does: `1h30m0s`, `1.5s`, `20ms`, `0s`. */
export function formatDuration(nanos: bigint): string {
  const sign = nanos < 0n ? '-' : '';
  const value = nanos < 0n ? -nanos : nanos;
  if (value === 0n) return '0s';
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${decimal(value, 1_000n)}µs`;
  if (value < 1_000_000_000n) return `${sign}${decimal(value, 1_000_000n)}ms`;
  const minutes = value / 60_000_000_000n;
  const seconds = `${decimal(value % 60_000_000_000n, 1_000_000_000n)}s`;
  if (minutes === 0n) return sign + seconds;
  return minutes < 60n ? `${sign}${minutes}m${seconds}` : `${sign}${minutes / 60n}h${minutes % 60n}m${seconds}`;
}

/** The canonical form of a duration; undefined if the text is not a duration. */
export function normaliseDuration(text: string): string | undefined {
  const nanos = parseDuration(text);
  return nanos === undefined ? undefined : formatDuration(nanos);
}
