const decimal = /^[0-9]+$/;

/**
 * True if a resourceVersion is the wanted one or a later one. Versions are compared as numbers, as
 * the servers count them; versions that are none can only be equal.
 */
export function reachedVersion(seen: string, wanted: string): boolean {
  if (seen === wanted) return true;
  if (!decimal.test(seen) || !decimal.test(wanted)) return false;
  return seen.length === wanted.length ? seen > wanted : seen.length > wanted.length;
}
