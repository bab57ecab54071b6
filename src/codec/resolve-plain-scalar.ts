import type { JsonValue } from '../meta/json-value.ts';

const literals: ReadonlyMap<string, JsonValue> = new Map<string, JsonValue>([
  ...['', '~', 'null', 'Null', 'NULL'].map((text) => [text, null] as const),
  ...['y', 'yes', 'true', 'on'].flatMap((text) => spellings(text).map((spelling) => [spelling, true] as const)),
  ...['n', 'no', 'false', 'off'].flatMap((text) => spellings(text).map((spelling) => [spelling, false] as const)),
]);

/** Returns `yes`, `Yes` and `YES`, but not `yEs`. */
function spellings(text: string): readonly string[] {
  return [text, text.charAt(0).toUpperCase() + text.slice(1), text.toUpperCase()];
}

const integer = /^([-+]?)(0b[01_]+|0o[0-7_]+|0x[0-9a-fA-F_]+|0[0-7_]*|[1-9][0-9_]*)$/;
const float = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const notJson = /^(?:[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$/;

/** The maximum number of characters of an integer; enough for 64 bits in base 2. */
const integerLimit = 80;

function parseInteger(sign: string, digits: string): JsonValue {
  const plain = digits.replaceAll('_', '');
  const value = BigInt(/^0[0-7]/.test(plain) ? `0o${plain.slice(1)}` : plain);
  const signed = sign === '-' ? -value : value;
  const number = Number(signed);
  return Number.isSafeInteger(number) ? number : signed;
}

/**
 * Resolves a plain scalar by the rules of YAML 1.1 as Kubernetes clients apply them: `yes` and `on`
 * are booleans, `0777` is octal, times are strings. Undefined for a number that JSON cannot
 * express.
 */
export function resolvePlainScalar(text: string): JsonValue | undefined {
  const literal = literals.get(text);
  if (literal !== undefined) return literal;
  const first = text.charCodeAt(0);
  // Most scalars are words. A number starts with a digit, a sign or a point.
  if (!((first >= 0x30 && first <= 0x39) || first === 0x2b || first === 0x2d || first === 0x2e)) return text;
  if (notJson.test(text)) return undefined;
  const match = text.length <= integerLimit ? integer.exec(text) : null;
  if (match) return parseInteger(match[1] ?? '', match[2] ?? '');
  if (!float.test(text)) return text;
  const number = Number(text);
  return Number.isFinite(number) ? number : undefined;
}
