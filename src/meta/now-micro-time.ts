/** The present time in RFC 3339 with six decimals, the format of MicroTime. */
export function nowMicroTime(): string {
  return new Date().toISOString().replace('Z', '000Z');
}
