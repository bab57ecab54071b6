import type { PodSecurityPolicySpec } from '../../../gen/stored/policy-v1beta1.ts';
import { allErrors, collectedErrorLimit, noErrors } from '../../../status/all-errors.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import { checkEach } from '../../rules/fields/field-checks.ts';

const allowedField = 'spec.allowedUnsafeSysctls';
const forbiddenField = 'spec.forbiddenSysctls';

/**
 * Checks the allowed and the forbidden sysctls, which are names or patterns. No sysctl may be in
 * both lists.
 */
export function checkSysctlLists(spec: PodSecurityPolicySpec): readonly FieldError[] {
  const { allowedUnsafeSysctls: allowed = [], forbiddenSysctls: refused = [] } = spec;
  return allErrors(
    listErrors(allowed, allowedField),
    listErrors(refused, forbiddenField),
    overlapErrors(allowed, refused),
  );
}

const lengthLimit = 253;
const segments = '([a-z0-9]([-_a-z0-9]*[a-z0-9])?\\.)*([a-z0-9][-_a-z0-9]*)?[a-z0-9*]';
const form = new RegExp(`^${segments}$`);

function listErrors(sysctls: readonly string[], field: string): readonly FieldError[] {
  return allErrors(
    checkEach(field, sysctls, (sysctl, path) => {
      if (sysctl === '') return [invalid(path, sysctl, 'empty sysctl not allowed')];
      return sysctl.length <= lengthLimit && form.test(sysctl)
        ? noErrors
        : [invalid(path, sysctl, `must have at most ${lengthLimit} characters and match regex ${segments}`)];
    }),
    sysctls.length > 1 && sysctls.includes('*')
      ? [forbidden(`${field}.items`, "if '*' is present, must not specify other sysctls")]
      : noErrors,
  );
}

/** A sysctl of a list. A pattern matches all names that begin with `start`. */
interface Sysctl {
  readonly text: string;
  readonly start: string;
  readonly isPattern: boolean;
  readonly index: number;
}

/** A sysctl that is both allowed and forbidden. */
interface Overlap {
  readonly allowed: Sysctl;
  readonly refused: Sysctl;
  readonly error: FieldError;
}

/**
 * The errors of sysctls that are in both lists. If one pattern covers another, the error is at the
 * narrower one. If both are equal, it is at the allowed one.
 */
function overlapErrors(allowedTexts: readonly string[], refusedTexts: readonly string[]): readonly FieldError[] {
  const [allowed, refused] = [sortedSysctls(allowedTexts), sortedSysctls(refusedTexts)];
  const overlaps: Overlap[] = [];
  for (const [by, one] of coveredPairs(refused, allowed)) {
    overlaps.push({ allowed: one, refused: by, error: overlapError(allowedField, one, by) });
    // Limits the work: the second search skips equal pairs, all of which the first search has
    // found.
    if (overlaps.length >= collectedErrorLimit) return errorsOf(overlaps);
  }
  for (const [by, one] of coveredPairs(allowed, refused)) {
    if (isSame(one, by)) continue;
    overlaps.push({ allowed: by, refused: one, error: overlapError(forbiddenField, one, by) });
    if (overlaps.length >= collectedErrorLimit) break;
  }
  return errorsOf(overlaps);
}

function overlapError(field: string, sysctl: Sysctl, by: Sysctl): FieldError {
  return invalid(`${field}[${sysctl.index}]`, sysctl.text, `sysctl overlaps with ${by.text}`);
}

function errorsOf(overlaps: readonly Overlap[]): readonly FieldError[] {
  return overlaps
    .toSorted((a, b) => a.allowed.index - b.allowed.index || a.refused.index - b.refused.index)
    .map(({ error }) => error);
}

function isSame(left: Sysctl, right: Sysctl): boolean {
  return left.start === right.start && left.isPattern === right.isPattern;
}

/** Sorts sysctls by `start`. A name precedes a pattern with the same `start`. */
function sortedSysctls(texts: readonly string[]): readonly Sysctl[] {
  return texts
    .map((text, index) => {
      const isPattern = text.endsWith('*');
      return { text, start: isPattern ? text.slice(0, -1) : text, isPattern, index };
    })
    .toSorted((a, b) => (a.start < b.start ? -1 : a.start > b.start ? 1 : Number(a.isPattern) - Number(b.isPattern)));
}

/**
 * All pairs in which a sysctl of one list covers one of another, sorted list. The covered ones are
 * adjacent, so a binary search finds them.
 */
function* coveredPairs(
  covers: readonly Sysctl[],
  sysctls: readonly Sysctl[],
): Iterable<readonly [cover: Sysctl, covered: Sysctl]> {
  for (const cover of covers) {
    for (let index = firstFrom(sysctls, cover.start); index < sysctls.length; index++) {
      // In bounds because of the loop condition.
      const sysctl = sysctls[index] as Sysctl;
      if (!(cover.isPattern ? sysctl.start.startsWith(cover.start) : isSame(sysctl, cover))) break;
      yield [cover, sysctl];
    }
  }
}

/** The index of the first item of a sorted list whose `start` is not less than the given one. */
function firstFrom(sysctls: readonly Sysctl[], start: string): number {
  let [low, high] = [0, sysctls.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sysctls[middle] as Sysctl).start < start) low = middle + 1;
    else high = middle;
  }
  return low;
}
