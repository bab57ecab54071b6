import type { DecideRight } from '../../../admission/resource-right.ts';
import type { CheckReferences } from '../../../registry/definition/check-references.ts';
import { statusRightsRule } from './status-rights.ts';
import type { DeviceClaim, ResourceClaim, ResourceClaimTemplate } from '../../../gen/stored/resource-v1.ts';
import type { JsonObject } from '../../../meta/json-value.ts';
import { noErrors } from '../../../status/all-errors.ts';
import { forbidden } from '../../../status/field-error.ts';

/** The rules about ResourceClaims that depend on the namespace and on the user's rights. */
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

/** Returns the labels of a namespace; none if there is no such namespace. */
type NamespaceLabels = (name: string, signal: AbortSignal) => Promise<Readonly<Record<string, string>>>;

/**
 * The rule about admin access to devices: claims may request and get it only in a namespace with a
 * certain label.
 */
function adminAccessRule(
  labelsOf: NamespaceLabels,
  placeIn: (object: JsonObject, old: JsonObject | undefined) => string | undefined,
): CheckReferences {
  return async (object, old, { identifiers, namespace, cancellation }) => {
    const place = placeIn(object, old);
    if (place === undefined) return noErrors;
    const label = `resource.${identifiers.labelDomain}/admin-access`;
    const labels = await labelsOf(namespace, cancellation.signal);
    if (labels[label] === 'true') return noErrors;
    const message = `admin access to devices requires the \`${label}: true\` label on the containing namespace`;
    return [forbidden(place, message)];
  };
}

/** The path of a request for admin access in a new template; undefined if there is none. */
function placeInTemplate(object: JsonObject, old: JsonObject | undefined): string | undefined {
  return old ? undefined : placeInRequests((object as unknown as ResourceClaimTemplate).spec.spec.devices);
}

/**
 * The path of a request for admin access in a new claim, or of an allocation that newly grants it;
 * undefined if there is none.
 */
function placeInClaim(object: JsonObject, oldObject: JsonObject | undefined): string | undefined {
  const claim = object as unknown as ResourceClaim;
  if (!oldObject) return placeInRequests(claim.spec.devices);
  const old = oldObject as unknown as ResourceClaim;
  return grantIn(old) === undefined ? grantIn(claim) : undefined;
}

function placeInRequests({ requests }: DeviceClaim): string | undefined {
  const index = (requests ?? []).findIndex(({ exactly }) => exactly?.adminAccess === true);
  return index < 0 ? undefined : `spec.devices.requests[${index}].adminAccess`;
}

function grantIn({ status }: ResourceClaim): string | undefined {
  const index = (status.allocation?.devices.results ?? []).findIndex(({ adminAccess }) => adminAccess === true);
  return index < 0 ? undefined : `status.allocation.devices.results[${index}].adminAccess`;
}
