/** Converts bodies to values and back. */
export interface JsonCodec {
  parse(bytes: Buffer): unknown;
  stringify(value: unknown): string;
}

/**
 * The runtime's JSON. Integers beyond 2^53 are rounded; a caller that shows them can use another
 * codec.
 */
export const runtimeJson: JsonCodec = Object.freeze({
  parse: (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8')),
  stringify: (value: unknown) => JSON.stringify(value),
});
