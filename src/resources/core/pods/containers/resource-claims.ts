import type { PodResourceClaim, PodSpec, ResourceRequirements } from '../../../../gen/stored/core-v1.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../../status/field-cursor.ts';
import { duplicate, notFoundField } from '../../../../status/field-error.ts';
import { checkString } from '../../../rules/fields/field-checks.ts';

/** Checks the resource claims of a pod: unique names, each with either a claim or a template. */
export function checkResourceClaims(spec: FieldCursor<PodSpec>): void {
  const seen = new Set<string>();
  for (const claim of spec.each('resourceClaims')) {
    const name = claim.at('name');
    name.mustBeSet();
    if (seen.has(name.value ?? '')) name.reportDuplicate();
    else name.mustBe(validateDnsLabel);
    seen.add(name.value ?? '');
    checkSource(claim);
  }
}

function checkSource(claim: FieldCursor<PodResourceClaim>): void {
  const [named, template] = [claim.at('resourceClaimName'), claim.at('resourceClaimTemplateName')];
  if (named.isPresent() && template.isPresent()) {
    claim.reportInvalid('at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified');
  }
  if (!named.isPresent() && !template.isPresent()) {
    claim.reportInvalid('must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
  }
  for (const { value, path, errors } of [named, template]) {
    if (value !== undefined) errors.push(...checkString(path, value, validateDnsSubdomain));
  }
}

/** Checks that a container refers only to claims of its pod, and to no request twice. */
export function checkClaimReferences(
  resources: FieldCursor<ResourceRequirements>,
  { resourceClaims = [] }: PodSpec,
): void {
  const known = resourceClaims.map(({ name = '' }) => name).filter((name) => name !== '');
  const [whole, requests] = [new Set<string>(), new Set<string>()];
  for (const claim of resources.each('claims')) {
    const { name, request = '' } = claim.value;
    if (name === '') {
      claim.reportRequired();
      continue;
    }
    claim.at('request').mustBe(validateDnsLabel);
    const key = request === '' ? name : `${name}/${request}`;
    if (whole.has(name)) claim.report(duplicate(claim.path, name));
    else if (requests.has(key)) claim.report(duplicate(claim.path, key));
    else if (request === '') whole.add(name);
    requests.add(key);
    if (!known.includes(name)) claim.report(notFoundField(claim.path, name, missing(known)));
  }
}

function missing(known: readonly string[]): string {
  const of = 'must be one of the names in pod.spec.resourceClaims';
  return known.length === 0 ? `${of} which is empty` : `${of}: ${known.toSorted().join(', ')}`;
}
