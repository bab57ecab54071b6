import { isJsonObject, type JsonValue } from '../../meta/json-value.ts';
import { goNumber } from '../../meta/go-value.ts';

/**
 * `-o kyaml`: YAML in the flow style, with quoted strings and braces, which reads the same whatever
 * its indentation.
 */
export function printKyaml(value: JsonValue): string {
  return `---\n${nodeText(value, '')}\n`;
}

const step = '  ';

function nodeText(value: JsonValue, indent: string): string {
  const inner = indent + step;
  if (Array.isArray(value)) return sequenceText(value, indent);
  if (isJsonObject(value)) {
    const keys = Object.keys(value)
      .filter((key) => value[key] !== undefined)
      .toSorted();
    if (keys.length === 0) return '{}';
    const lines = keys.map((key) => `${inner}${keyText(key)}: ${nodeText(value[key] ?? null, inner)},\n`);
    return `{\n${lines.join('')}${indent}}`;
  }
  if (typeof value === 'string') return stringText(value, inner);
  return typeof value === 'number' ? goNumber(value) : String(value);
}

/** Items that are objects or lists share the lines of the brackets. */
function sequenceText(items: readonly JsonValue[], indent: string): string {
  if (items.length === 0) return '[]';
  if (items.every((item) => typeof item === 'object' && item !== null)) {
    return `[${items.map((item) => nodeText(item, indent)).join(', ')}]`;
  }
  return `[\n${items.map((item) => `${indent}${step}${nodeText(item, indent + step)},\n`).join('')}${indent}]`;
}

/** Keys that are read as another type, if they are not quoted. */
const ambiguous = /^(?:y|yes|n|no|on|off|true|false|null|nan|inf|~)$/i;

function keyText(key: string): string {
  return /^[A-Za-z_][\w./-]*$/.test(key) && !ambiguous.test(key) ? key : JSON.stringify(key);
}

function stringText(value: string, indent: string): string {
  if (!value.includes('\n')) return `"${escaped(value)}"`;
  const lines = value.split('\n');
  const last = lines.pop() ?? '';
  const written = lines.map((line) => `${indent}${lineStart(line)}\\n\\\n`);
  const end = last === '' ? '' : `${indent}${lineStart(last)}\\\n`;
  return `"\\\n${written.join('')}${end}${indent}"`;
}

/** A leading space of a line is escaped, because indentation is not part of the text. */
function lineStart(line: string): string {
  return line.startsWith(' ') ? `\\${escaped(line)}` : ` ${escaped(line)}`;
}

function escaped(text: string): string {
  return JSON.stringify(text)
    .slice(1, -1)
    .replaceAll('\\t', '\t')
    .replaceAll('\ufeff', '\\ufeff')
    .replaceAll('\u00a0', '\\_')
    .replaceAll('\u2028', '\\L')
    .replaceAll('\u2029', '\\P');
}
