/** How bodies become values and back. */
export interface JsonCodec {
  parse(bytes: Buffer): unknown;
  stringify(value: unknown): string;
}

/** The runtime's own JSON; integers beyond 2^53 are rounded, which a caller that shows them can avoid with a codec. */
export const runtimeJson: JsonCodec = Object.freeze({
  parse: (bytes: Buffer): unknown => JSON.parse(bytes.toString('utf8')),
  stringify: (value: unknown) => JSON.stringify(value),
});
