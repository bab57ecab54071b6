const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const space = 0x20;
const letterU = 0x75;

/** The characters after a backslash, but for `u`. */
const escapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

/** Everything that is no string and has no parts: scarce in objects, and short. */
const scalar = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

const spaces: ReadonlySet<number> = new Set(Buffer.from(' \t\r\n'));

/** Longer than any number that is written. */
const longestScalar = 400;

/**
 * Reports whether bytes are one JSON object, without anything after it. It makes no values of the
 * strings, so that it costs a fraction of parsing. Bytes that are no UTF-8 pass.
 */
export function isWellFormedJson(bytes: Buffer): boolean {
  if (bytes[0] !== openBrace) return false;
  /** The closing bytes of the open objects and lists. */
  const closes: number[] = [];
  let index = 0;
  for (;;) {
    // Here begins a value.
    index = afterSpace(bytes, index);
    const byte = bytes[index];
    if (byte === openBrace || byte === openBracket) {
      const close = byte === openBrace ? closeBrace : closeBracket;
      index = afterSpace(bytes, index + 1);
      if (bytes[index] !== close) {
        closes.push(close);
        if (close === closeBrace) index = afterName(bytes, index);
        if (index < 0) return false;
        continue;
      }
      index++;
    } else index = byte === quote ? afterString(bytes, index + 1) : afterScalar(bytes, index);
    if (index < 0) return false;
    // Here ends a value, and perhaps those around it.
    index = afterSpace(bytes, index);
    while (closes.length > 0 && bytes[index] === closes.at(-1)) {
      closes.pop();
      index = afterSpace(bytes, index + 1);
    }
    if (closes.length === 0) return index === bytes.length;
    if (bytes[index] !== comma) return false;
    index = afterSpace(bytes, index + 1);
    if (closes.at(-1) === closeBrace) index = afterName(bytes, index);
    if (index < 0) return false;
  }
}

/** Returns the index after the name of a field and its colon; -1 if there is none. */
function afterName(bytes: Buffer, from: number): number {
  if (bytes[from] !== quote) return -1;
  const end = afterString(bytes, from + 1);
  if (end < 0) return -1;
  const at = afterSpace(bytes, end);
  return bytes[at] === colon ? at + 1 : -1;
}

function afterSpace(bytes: Buffer, from: number): number {
  let index = from;
  // The stored JSON has hardly any.
  while ((bytes[index] ?? quote) <= space && spaces.has(bytes[index] ?? 0)) index++;
  return index;
}

/** Returns the index after a string whose first character is at `from`; -1 if it is none. */
function afterString(bytes: Buffer, from: number): number {
  for (let index = from; index < bytes.length; index++) {
    const byte = bytes[index] ?? 0;
    if (byte === quote) return index + 1;
    if (byte < space) return -1;
    if (byte !== backslash) continue;
    index++;
    const escaped = bytes[index] ?? 0;
    if (escaped !== letterU && !escapes.has(escaped)) return -1;
    if (escaped !== letterU) continue;
    if (!/^[0-9a-fA-F]{4}$/.test(bytes.toString('latin1', index + 1, index + 5))) return -1;
    index += 4;
  }
  return -1;
}

/** Returns the index after a number or a word; -1 if it is none. */
function afterScalar(bytes: Buffer, from: number): number {
  let end = from;
  const last = Math.min(bytes.length, from + longestScalar);
  for (; end < last; end++) {
    const byte = bytes[end];
    if (byte === comma || byte === closeBrace || byte === closeBracket) break;
  }
  return scalar.test(bytes.toString('latin1', from, end).trimEnd()) ? end : -1;
}
