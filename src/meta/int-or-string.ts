import type { JsonValue } from './json-value.ts';

const int32Max = 2 ** 31 - 1;
const int32Min = -(2 ** 31);

/** A number of things or a text, most often a share (`25%`) or the name of a port. */
export type IntOrString = number | string;

/** Whether a value is what an IntOrString field takes: a 32-bit integer or a string. */
export function isIntOrString(value: JsonValue | undefined): value is IntOrString {
  if (typeof value === 'string') return true;
  return typeof value === 'number' && Number.isInteger(value) && value >= int32Min && value <= int32Max;
}

/** The share that a text like `25%` stands for, in percent; undefined for any other text. */
export function parsePercent(text: string): number | undefined {
  return /^[0-9]{1,9}%$/.test(text) ? Number(text.slice(0, -1)) : undefined;
}
