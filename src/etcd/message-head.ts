/**
 * Length of the header of a gRPC message: a compression flag and the length of the message (gRPC
 * over HTTP/2, Length-Prefixed-Message).
 */
export const messageHeadBytes = 5;

/** Writes the header of an uncompressed message. Returns the offset of the message. */
export function writeMessageHead(bytes: Buffer, length: number): number {
  bytes[0] = 0;
  return bytes.writeUInt32BE(length, 1);
}
