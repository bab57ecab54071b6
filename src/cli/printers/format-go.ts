import type { JsonValue } from '../../meta/json-value.ts';
import { goFloat, goText } from '../../meta/go-value.ts';

const verb = /%([-+# 0]*)(\d+|\*)?(?:\.(\d+))?([a-zA-Z%])/g;

/**
 * Formats values as Go's `printf`: the verbs `s v d q t x c f e g` with width, precision, and the
 * flags for signs, zeros and the left side.
 */
export function formatGo(format: string, values: readonly (JsonValue | undefined)[]): string {
  const left = [...values];
  const text = format.replaceAll(
    verb,
    (_, flags: string, widthText = '', precision: string | undefined, letter: string) => {
      if (letter === '%') return '%';
      const width = widthText === '*' ? Number(left.shift() ?? 0) : Number(widthText);
      if (left.length === 0) return `%!${letter}(MISSING)`;
      const digits = precision === undefined ? undefined : Number(precision);
      return padded(verbText(letter, left.shift() ?? null, flags, digits), flags, width);
    },
  );
  const rest = left.map((value) => `${typeof value}=${goText(value ?? null, goFloat)}`);
  return rest.length > 0 ? `${text}%!(EXTRA ${rest.join(', ')})` : text;
}

function padded(text: string, flags: string, width: number): string {
  if (flags.includes('-')) return text.padEnd(width);
  const sign = /^[-+]/.exec(text)?.[0] ?? '';
  const canBeZero = flags.includes('0') && /^[-+]?[\d.]+$/.test(text);
  return canBeZero ? sign + text.slice(sign.length).padStart(width - sign.length, '0') : text.padStart(width);
}

function verbText(letter: string, value: JsonValue, flags: string, digits: number | undefined): string {
  const plain = goText(value, goFloat);
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  const plus = flags.includes('+') && isNumber && Number(value) >= 0 ? '+' : '';
  switch (letter) {
    case 's':
    case 'v':
      return plus + (digits === undefined ? plain : plain.slice(0, digits));
    case 'q':
      return JSON.stringify(plain);
    case 'd':
      return isNumber ? plus + BigInt(Math.trunc(Number(value))).toString() : `%!d(${typeof value}=${plain})`;
    case 'x':
    case 'X': {
      const hex = isNumber ? Math.trunc(Number(value)).toString(16) : Buffer.from(plain).toString('hex');
      return letter === 'x' ? hex : hex.toUpperCase();
    }
    case 'f':
    case 'F':
      return plus + Number(value).toFixed(digits ?? 6);
    case 'e':
      return (
        plus +
        Number(value)
          .toExponential(digits ?? 6)
          .replace(/e([-+])(\d)$/, 'e$10$2')
      );
    case 'g':
      return plus + plain;
    case 'c':
      return String.fromCodePoint(Number(value));
    case 't':
      return plain;
    default:
      return `%!${letter}(${typeof value}=${plain})`;
  }
}
