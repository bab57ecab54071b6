/**
 * A resourceVersion as a client wrote it. `any` is `0`: whatever the server has at hand. `tooLarge` is a number that
 * no revision reaches and that would lose digits as a `number`; it is a future version, never a rounded one.
 */
export type ResourceVersion =
  | { readonly type: 'unset' }
  | { readonly type: 'any' }
  | { readonly type: 'revision'; readonly revision: number }
  | { readonly type: 'tooLarge' }
  | { readonly type: 'malformed'; readonly message: string };

const digits = /^[0-9]+$/;

/** The largest number that Kubernetes can read here; beyond it the text is malformed rather than in the future. */
const uint64Max = 2n ** 64n - 1n;

/** Digits that a 64-bit number can have; longer text is not even converted. */
const uint64Digits = 20;

/** The longest malformed text that a message repeats. */
const shownLimit = 64;

function malformed(text: string, why: string): ResourceVersion {
  const shown = text.length > shownLimit ? `${text.slice(0, shownLimit)}...` : text;
  return { type: 'malformed', message: `strconv.ParseUint: parsing ${JSON.stringify(shown)}: ${why}` };
}

/** Reads a resourceVersion. Never throws: malformed text is a value, with the message that clients know. */
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
