import { PkiError } from './pki-error.ts';

/** One block of a PEM text. */
interface PemBlock {
  /** The text between `BEGIN` and the dashes: `CERTIFICATE`. */
  readonly label: string;
  readonly der: Buffer;
}

const columns = 64;
const boundary = /^-----(BEGIN|END) ([A-Z0-9 ]{1,64})-----\s*$/;
const base64Line = /^[A-Za-z0-9+/]*={0,2}$/;

/** Encodes one block, in lines of 64 characters (RFC 7468 section 2). */
export function encodePem(label: string, der: Uint8Array): string {
  const text = Buffer.from(der).toString('base64');
  const lines: string[] = [];
  for (let at = 0; at < text.length; at += columns) lines.push(text.slice(at, at + columns));
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}

/**
 * Reads all blocks of a text, in order. Text between blocks is skipped, as RFC 7468 allows for
 * explanations. Inside a block only base64 is accepted, no encapsulated headers. Throws PkiError
 * `InvalidPem`.
 */
export function decodePem(text: string): PemBlock[] {
  const blocks: PemBlock[] = [];
  let open: { label: string; lines: string[] } | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, word, label] = boundary.exec(line) ?? [];
    if (word === 'BEGIN' && label !== undefined) {
      if (open) throw new PkiError('InvalidPem', `PEM block "${open.label}" is not closed`);
      open = { label, lines: [] };
    } else if (word === 'END') {
      if (open?.label !== label || !open) throw new PkiError('InvalidPem', `PEM end "${label}" does not close a block`);
      blocks.push({ label: open.label, der: decodeBody(open.label, open.lines.join('')) });
      open = undefined;
    } else if (open) open.lines.push(line.trim());
  }
  if (open) throw new PkiError('InvalidPem', `PEM block "${open.label}" is not closed`);
  return blocks;
}

function decodeBody(label: string, base64: string): Buffer {
  if (base64.length === 0 || base64.length % 4 !== 0 || !base64Line.test(base64)) {
    throw new PkiError('InvalidPem', `PEM block "${label}" is not valid base64`);
  }
  return Buffer.from(base64, 'base64');
}

/** A block of the lenient parser. */
interface LoosePemBlock extends PemBlock {
  /** True if there are `Key: value` lines before the content. */
  readonly hasHeaders: boolean;
}

/**
 * Finds the well-formed blocks of a text as Go's `encoding/pem` does: other text and malformed
 * blocks are skipped.
 */
export function* loosePemBlocks(text: string): Generator<LoosePemBlock, undefined, undefined> {
  let open: { label: string; lines: string[] } | undefined;
  for (const line of text.split('\n')) {
    const [, word, label = ''] = anyBoundary.exec(line.trimEnd()) ?? [];
    if (word === 'BEGIN') open = { label, lines: [] };
    else if (word === 'END') {
      const der = open?.label === label ? decodedBody(open.lines) : undefined;
      if (der) yield { label, der, hasHeaders: open?.lines[0]?.includes(':') === true };
      open = undefined;
    } else open?.lines.push(line);
  }
  return undefined;
}

/** The first block of `loosePemBlocks`; undefined if there is none. */
export function firstPemBlock(text: string): PemBlock | undefined {
  return loosePemBlocks(text).next().value;
}

const anyBoundary = /^-----(BEGIN|END) (.*)-----$/;

function decodedBody(lines: readonly string[]): Buffer | undefined {
  const start = lines.findIndex((line) => !line.includes(':'));
  const base64 = start < 0 ? '' : lines.slice(start).join('').replaceAll(/\s/g, '');
  return base64.length % 4 === 0 && base64Line.test(base64) ? Buffer.from(base64, 'base64') : undefined;
}
