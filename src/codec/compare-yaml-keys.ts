/**
 * Compares two keys of a YAML mapping as kube-apiserver orders them: digits by their number, `a2`
 * before `a10`, and letters after everything else, but before it where digits end.
 */
export function compareYamlKeys(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at++;
  const [one, other] = [a[at], b[at]];
  if (one === undefined || other === undefined) return a.length - b.length;
  const [isLetter, isOtherLetter] = [letter.test(one), letter.test(other)];
  if (isLetter && isOtherLetter) return byCodePoint(one, other);
  if (isLetter || isOtherLetter) return isLetter === digit.test(a[at - 1] ?? '') ? -1 : 1;
  return compareNumbers(a, b, at) || byCodePoint(one, other);
}

const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

/** Compares the numbers that begin at a place where two texts part; 0 if neither decides. */
function compareNumbers(a: string, b: string, at: number): number {
  const [digits, otherDigits] = [digitsAt(a, at), digitsAt(b, at)];
  // A zero behind other digits is a place of their number, not the start of one.
  const lead = hasNumberBefore(a, at) ? '1' : '';
  const zero = digits.startsWith('0') || otherDigits.startsWith('0') ? lead : '';
  const difference = Number(zero + digits) - Number(zero + otherDigits);
  return difference || digits.length - otherDigits.length;
}

function digitsAt(text: string, at: number): string {
  return /^\d*/.exec(text.slice(at))?.[0] ?? '';
}

function hasNumberBefore(text: string, at: number): boolean {
  for (let before = at - 1; /\d/.test(text[before] ?? ''); before--) if (text[before] !== '0') return true;
  return false;
}

function byCodePoint(a: string, b: string): number {
  return (a.codePointAt(0) ?? 0) - (b.codePointAt(0) ?? 0);
}
