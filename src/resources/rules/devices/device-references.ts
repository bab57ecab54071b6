import type { DecideRight } from '../../../admission/resource-right.ts';
import type { CheckReferences } from '../../../registry/definition/check-references.ts';
import { adminAccessRule, type NamespaceLabels, placeInClaim, placeInTemplate } from './admin-access.ts';
import { statusRightsRule } from './status-rights.ts';

/** The rules about claims of devices that depend on the namespace, and on rights of the user. */
export function deviceReferences(
  decide: DecideRight,
  labelsOf: NamespaceLabels,
): Readonly<Record<string, CheckReferences>> {
  const [access, rights] = [adminAccessRule(labelsOf, placeInClaim), statusRightsRule(decide)];
  return {
    'resource/resourceclaims': async (...write) => [...(await access(...write)), ...(await rights(...write))],
    'resource/resourceclaimtemplates': adminAccessRule(labelsOf, placeInTemplate),
  };
}
