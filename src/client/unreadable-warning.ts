/**
 * Reports whether a warning of a list names objects that the list lacks, because the server cannot
 * read what is stored of them.
 */
export function isUnreadableWarning(text: string): boolean {
  return text.includes('stored values cannot be read');
}
