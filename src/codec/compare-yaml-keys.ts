/**
 * Compares two keys of a YAML mapping in the order of kube-apiserver. Numbers in keys are compared
 * by value, `a2` before `a10`. Letters come after other characters, except at the end of a number.
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

/** Compares the numbers around the first difference of two texts; 0 if they do not decide. */
function compareNumbers(a: string, b: string, at: number): number {
  const [digits, otherDigits] = [digitsAt(a, at), digitsAt(b, at)];
  // A zero after other digits belongs to their number, so that it is not a leading zero.
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
