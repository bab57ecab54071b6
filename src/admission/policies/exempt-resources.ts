import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { AdmissionAttributes } from '../admission.ts';

/** Resources that no policy decides on, by short group. */
const exempt: Readonly<Record<string, readonly string[]>> = {
  // A wrong policy could not be mended.
  admissionregistration: [
    'mutatingadmissionpolicies',
    'mutatingadmissionpolicybindings',
    'validatingadmissionpolicies',
    'validatingadmissionpolicybindings',
  ],
  // Requests are authenticated and authorized by them.
  authentication: ['selfsubjectreviews', 'tokenreviews'],
  authorization: [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
};

/** Creates the test for requests that no policy decides on. */
export function exemptRequests({ apiDomain }: Identifiers): (attributes: AdmissionAttributes) => boolean {
  const byGroup = new Map(
    Object.entries(exempt).map(([group, resources]) => [`${group}.${apiDomain}`, new Set(resources)]),
  );
  return ({ resource }) => byGroup.get(resource.group)?.has(resource.resource) === true;
}
