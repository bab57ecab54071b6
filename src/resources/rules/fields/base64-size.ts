/**
 * The number of bytes that a valid base64 string (RFC 4648 section 4) encodes, without decoding it.
 */
export function base64Size(text: string): number {
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  return (text.length / 4) * 3 - padding;
}
