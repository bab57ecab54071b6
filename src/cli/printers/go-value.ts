import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';

/**
 * Formats a value as Go's `%v`: `map[a:1 b:2]`, `[a b]`, `<nil>`. `numberText` is `goFloat` where
 * Go has no integers.
 */
export function goText(value: JsonValue, numberText: (value: number) => string = goNumber): string {
  if (typeof value === 'number') return numberText(value);
  if (value === null) return '<nil>';
  if (Array.isArray(value)) return `[${value.map((item) => goText(item, numberText)).join(' ')}]`;
  if (!isJsonObject(value)) return String(value);
  const keys = Object.keys(value).toSorted();
  return `map[${keys.map((key) => `${key}:${goText(value[key] ?? null, numberText)}`).join(' ')}]`;
}

/** Formats a number as Go's `%v`: integers in full, others like `goFloat`. */
export function goNumber(value: number): string {
  return Number.isSafeInteger(value) ? String(value) : goFloat(value);
}

/** Numbers from ten to the power of this on have an exponent. */
const longestExponent = 6;

/** Formats a number as Go's `%v` of a float: `0.5`, `100000`, `1e+06`, `1e-05`. */
export function goFloat(value: number): string {
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e');
  const exponent = Number(exponentText);
  // JavaScript writes no exponent from 1e-6 to 1e21.
  if (value === 0 || (exponent >= -4 && exponent < longestExponent)) return String(value);
  const digits = String(Math.abs(exponent)).padStart(2, '0');
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${digits}`;
}
