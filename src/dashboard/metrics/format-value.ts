import type { Unit } from './panels.ts';

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Writes a value with its unit, with about three digits: `1.25 ms`, `3.4 MiB`, `12.5/s`. */
export function formatValue(value: number | undefined, unit: Unit): string {
  return value === undefined ? '–' : formats[unit](value);
}

const formats: Readonly<Record<Unit, (value: number) => string>> = {
  count: digits,
  cores: digits,
  perSecond: (value) => `${digits(value)}/s`,
  seconds: (value) => (value < 1 ? `${digits(value * 1000)} ms` : `${digits(value)} s`),
  bytes: bytesText,
  bytesPerSecond: (value) => `${bytesText(value)}/s`,
};

function bytesText(value: number): string {
  const power = value < 1 ? 0 : Math.min(sizes.length - 1, Math.floor(Math.log2(value) / 10));
  return `${digits(value / 1024 ** power)} ${sizes[power] ?? ''}`;
}

function digits(value: number): string {
  const places = value >= 100 || Number.isInteger(value) ? 0 : value >= 10 ? 1 : 2;
  return value.toLocaleString('en', { maximumFractionDigits: places, useGrouping: false });
}
