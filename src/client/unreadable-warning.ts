/**
 * Reports whether a warning says that a list lacks objects, because the server cannot read their
 * stored values.
 */
export function isUnreadableWarning(text: string): boolean {
  return text.includes('stored values cannot be read');
}
