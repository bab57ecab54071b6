/** The size of a header, and the unit of contents. */
export const blockBytes = 512;

/** The kinds of entries. */
export const tarTypes = Object.freeze({
  file: '0',
  hardLink: '1',
  symbolicLink: '2',
  folder: '5',
  longName: 'L',
  longLink: 'K',
  extended: 'x',
  global: 'g',
});

/** An entry of an archive. */
export interface TarHeader {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly mode: number;
  readonly modifiedAtSeconds: number;
  /** The target of a link. */
  readonly target: string;
}

/** The places of the fields: start and length. */
const fields = Object.freeze({
  name: [0, 100],
  mode: [100, 8],
  owner: [108, 8],
  group: [116, 8],
  size: [124, 12],
  modified: [136, 12],
  checksum: [148, 8],
  type: [156, 1],
  target: [157, 100],
  magic: [257, 6],
  prefix: [345, 155],
} as const);

/** The longest name in a header; a longer one has an entry of its own before it. */
const nameBytes = 100;
/** The greatest size in octal digits; a larger one is written as a binary number. */
const octalLimit = 8 ** 11;

/** Encodes the header of an entry. */
export function encodeTarHeader(header: Omit<TarHeader, 'target'>): Buffer {
  const name = Buffer.from(header.name);
  if (name.length <= nameBytes) return encodeBlock(name, header);
  const long = Buffer.concat([name, Buffer.alloc(1)]);
  const first = encodeBlock(Buffer.from('././@LongLink'), { ...header, type: tarTypes.longName, size: long.length });
  return Buffer.concat([first, long, tarPadding(long.length), encodeBlock(name.subarray(0, nameBytes), header)]);
}

/** The zeros after contents of a size. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((blockBytes - (size % blockBytes)) % blockBytes);
}

function encodeBlock(name: Buffer, { mode, size, modifiedAtSeconds, type }: Omit<TarHeader, 'target'>): Buffer {
  const block = Buffer.alloc(blockBytes);
  const octal = ([start, length]: readonly [number, number], value: number): void =>
    void block.write(`${value.toString(8).padStart(length - 1, '0')}\0`, start, 'latin1');
  name.copy(block);
  octal(fields.mode, mode);
  octal(fields.owner, 0);
  octal(fields.group, 0);
  if (size < octalLimit) octal(fields.size, size);
  else writeBinary(block, size);
  octal(fields.modified, Math.max(0, modifiedAtSeconds));
  block.write(type, fields.type[0], 'latin1');
  // As GNU tar writes it, whose form long names have.
  block.write('ustar  \0', fields.magic[0], 'latin1');
  block.write(`${checksumOf(block).toString(8).padStart(6, '0')}\0 `, fields.checksum[0], 'latin1');
  return block;
}

function writeBinary(block: Buffer, size: number): void {
  const [start, length] = fields.size;
  block[start] = 0x80;
  block.writeBigUInt64BE(BigInt(size), start + length - 8);
}

/** The sum of all bytes, with spaces in place of the sum. */
function checksumOf(block: Buffer): number {
  const [start, length] = fields.checksum;
  return block.reduce((sum, byte, at) => sum + (at >= start && at < start + length ? 0x20 : byte), 0);
}

/** Decodes a header; undefined for a block of zeros, which ends an archive. Throws if damaged. */
export function decodeTarHeader(block: Buffer): TarHeader | undefined {
  if (block.every((byte) => byte === 0)) return undefined;
  const textAt = ([start, length]: readonly [number, number]): string => {
    const bytes = block.subarray(start, start + length);
    const end = bytes.indexOf(0);
    return bytes.subarray(0, end < 0 ? length : end).toString();
  };
  const octalAt = (field: readonly [number, number]): number => Number.parseInt(textAt(field).trim() || '0', 8);
  if (octalAt(fields.checksum) !== checksumOf(block)) throw new Error('the archive is damaged');
  // Only the form of POSIX has a first part of the name.
  const prefix = textAt(fields.magic) === 'ustar' ? textAt(fields.prefix) : '';
  const name = textAt(fields.name);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    type: textAt(fields.type) || tarTypes.file,
    size: sizeOf(block, octalAt),
    mode: octalAt(fields.mode),
    modifiedAtSeconds: octalAt(fields.modified),
    target: textAt(fields.target),
  };
}

function sizeOf(block: Buffer, octalAt: (field: readonly [number, number]) => number): number {
  const [start, length] = fields.size;
  const isBinary = ((block[start] ?? 0) & 0x80) !== 0;
  return isBinary ? Number(block.readBigUInt64BE(start + length - 8)) : octalAt(fields.size);
}
