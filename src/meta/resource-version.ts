/**
 * A resourceVersion as sent by a client. `any` is `0`: any cached version will do. `tooLarge` is
 * a number beyond the safe integers, which no revision reaches; it is treated as a future version
 * and not rounded.
 */
export type ResourceVersion =
  | { readonly type: 'unset' }
  | { readonly type: 'any' }
  | { readonly type: 'revision'; readonly revision: number }
  | { readonly type: 'tooLarge' }
  | { readonly type: 'malformed'; readonly message: string };

const digits = /^[0-9]+$/;

/** The largest number that Kubernetes can parse; a larger one is malformed. */
const uint64Max = 2n ** 64n - 1n;

/** Digits of the largest 64-bit number; longer numbers are not converted. */
const uint64Digits = 20;

/** How many characters of a malformed text a message shows. */
const shownLimit = 64;

function malformed(text: string, why: string): ResourceVersion {
  const shown = text.length > shownLimit ? `${text.slice(0, shownLimit)}...` : text;
  return { type: 'malformed', message: `strconv.ParseUint: parsing ${JSON.stringify(shown)}: ${why}` };
}

/**
 * Parses a resourceVersion. Does not throw: a malformed text gives the error message of
 * kube-apiserver.
 */
export function parseResourceVersion(text: string): ResourceVersion {
  if (text === '') return { type: 'unset' };
  if (!digits.test(text)) return malformed(text, 'invalid syntax');
  const significant = text.replace(/^0+/, '');
  if (significant === '') return { type: 'any' };
  if (significant.length > uint64Digits || BigInt(significant) > uint64Max)
    return malformed(text, 'value out of range');
  const revision = Number(significant);
  return Number.isSafeInteger(revision) ? { type: 'revision', revision } : { type: 'tooLarge' };
}
