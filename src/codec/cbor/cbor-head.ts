/** The major types of CBOR (RFC 8949, section 3.1), in the upper three bits of an initial byte. */
export const majorType = Object.freeze({
  unsigned: 0,
  negative: 1,
  bytes: 2,
  text: 3,
  array: 4,
  map: 5,
  tag: 6,
  simple: 7,
});

/** The initial bytes of simple values and floating-point numbers (RFC 8949, section 3.3). */
export const simpleByte = Object.freeze({
  false: 0xf4,
  true: 0xf5,
  null: 0xf6,
  half: 0xf9,
  single: 0xfa,
  double: 0xfb,
});

/** The tag of a self-described document, which marks CBOR files (RFC 8949, section 3.4.6). */
export const selfDescribed: Buffer = Buffer.from([0xd9, 0xd9, 0xf7]);

/** The tag of bytes that become base64 in JSON (RFC 8949, section 3.4.5.2). */
export const base64Tag = 22;
