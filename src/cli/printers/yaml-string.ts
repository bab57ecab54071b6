/** The place of a scalar, for those that are folded or take several lines. */
interface ScalarPlace {
  /** Spaces before the lines after the first. */
  readonly indent: number;
  /** Characters on the line before the scalar. */
  readonly column: number;
  /** True for a key: it stays on its line. */
  readonly isKey: boolean;
}

/** A line is folded at the first single space after this column. */
const foldAfter = 80;

/**
 * Formats a string as Go's YAML library (version 2) does, which most clients of these servers use:
 * plain if it stays a string in YAML 1.1, quoted if it would not, a block if it has several lines.
 */
export function yamlString(value: string, place: ScalarPlace): string {
  const forms = formsOf(value);
  if (value.includes('\n'))
    return forms.block && !place.isKey ? block(value, place.indent) : doubleQuoted(value, place);
  if (!staysString(value)) return doubleQuoted(value, place);
  if (forms.plain) return place.isKey ? value : folded(value, value, place, { first: 0, ends: true });
  if (forms.single) return singleQuoted(value, place);
  return doubleQuoted(value, place);
}

/** Words that are null, booleans or a merge in YAML 1.1. */
const otherWords = new Set(
  ['', '~', 'null', 'y', 'yes', 'true', 'on', 'n', 'no', 'false', 'off', '.nan', '.inf', '-.inf', '+.inf'].flatMap(
    (word) => [word, word.toUpperCase(), word.replace(/[a-z]/, (letter) => letter.toUpperCase())],
  ),
).add('.NaN');

const number = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/;
const based = /^[-+]?0(?:x[\da-fA-F]+|o?[0-7]+|b[01]+)$/i;
const baseSixty = /^[-+]?\d[\d_]*(?::[0-5]?\d)+(?:\.[\d_]*)?$/;
const dateOrTime = /^\d{4}-\d{1,2}-\d{1,2}(?:(?:[tT]|\s)\d{1,2}:\d{1,2}:\d{1,2}(?:\.\d+)?(?:Z|[-+]\d{2}:\d{2})?)?$/;

function staysString(value: string): boolean {
  if (otherWords.has(value)) return false;
  if (!/^[-+.\d]/.test(value)) return true;
  const plain = value.startsWith('.') ? value : value.replaceAll('_', '');
  return ![number, based].some((form) => form.test(plain)) && !baseSixty.test(value) && !dateOrTime.test(value);
}

/** Reports which forms keep the value. */
function formsOf(value: string): { readonly plain: boolean; readonly single: boolean; readonly block: boolean } {
  const special = unprintable.test(value) || / [\n\r]/.test(value);
  const edges = /^[ \n]|[ \n]$/.test(value);
  const indicates = firstIndicators.test(value) || /: |:$| #/.test(value);
  const spaceAfterBreak = /\n /.test(value);
  return {
    plain: !special && !edges && !indicates && !value.includes('\n'),
    single: !special && !spaceAfterBreak,
    block: !special && !value.endsWith(' '),
  };
}

/** Beginnings that a plain scalar may not have. */
const firstIndicators = /^(?:[#,[\]{}&*!|>'"%@`]|[?:-](?:\s|$)|---|\.\.\.)/;

/** Characters that are only written escaped. */
// oxlint-disable-next-line no-control-regex -- they are escaped
const unprintable = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]/;

function block(value: string, indent: number): string {
  const hint = /^[ \n]/.test(value) ? '2' : '';
  const end = /(?:^|\n)\n$/.test(value) ? '+' : value.endsWith('\n') ? '' : '-';
  const lines = value.replace(/\n$/, '').split('\n');
  return `|${hint}${end}\n${lines.map((line) => (line === '' ? '' : ' '.repeat(indent) + line)).join('\n')}`;
}

function singleQuoted(value: string, place: ScalarPlace): string {
  const doubled = value.replaceAll("'", "''");
  const text = place.isKey
    ? doubled
    : folded(doubled, value, { ...place, column: place.column + 1 }, { first: 1, ends: false });
  return `'${text}'`;
}

/** The places at which a text may be folded. */
interface FoldRule {
  /** The index of the first character that may be a fold. */
  readonly first: number;
  /** True if the last character may be one. */
  readonly ends: boolean;
}

/** Breaks a text at single spaces beyond the width. */
function folded(text: string, value: string, { indent, column }: ScalarPlace, { first, ends }: FoldRule): string {
  if (column + text.length <= foldAfter || !value.includes(' ')) return text;
  let out = '';
  let at = column;
  const characters = Array.from(text);
  for (const [index, character] of characters.entries()) {
    const mayFold = index >= first && (ends || index < characters.length - 1);
    const isSingle = characters[index - 1] !== ' ' && characters[index + 1] !== ' ';
    if (character === ' ' && at > foldAfter && mayFold && isSingle) {
      out += `\n${' '.repeat(indent)}`;
      at = indent;
    } else {
      out += character;
      at += 1;
    }
  }
  return out;
}

const escapes: Readonly<Record<string, string>> = {
  '\0': '0',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
  '\u001b': 'e',
  '"': '"',
  '\\': '\\',
  '\u0085': 'N',
  '\u00a0': '_',
  '\u2028': 'L',
  '\u2029': 'P',
};

function escaped(character: string): string {
  if (!/["\\\n]/.test(character) && !unprintable.test(character)) return character;
  const short = escapes[character];
  if (short !== undefined) return `\\${short}`;
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  if (code.length <= 2) return `\\x${code.padStart(2, '0')}`;
  return code.length <= 4 ? `\\u${code.padStart(4, '0')}` : `\\U${code.padStart(8, '0')}`;
}

function doubleQuoted(value: string, { indent, column, isKey }: ScalarPlace): string {
  const characters = Array.from(value);
  let out = '"';
  let at = column + 1;
  for (const [index, character] of characters.entries()) {
    const inside = index > 0 && index < characters.length - 1 && characters[index - 1] !== ' ';
    if (character === ' ' && !isKey && at > foldAfter && inside) {
      const next = characters[index + 1] === ' ' ? '\\' : '';
      out += `\n${' '.repeat(indent)}${next}`;
      at = indent + next.length;
    } else {
      const text = escaped(character);
      out += text;
      at += text.length;
    }
  }
  return `${out}"`;
}
