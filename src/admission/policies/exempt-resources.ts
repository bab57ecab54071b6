import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { AdmissionAttributes } from '../admission.ts';
import { isOwnRecord } from '../matching/own-records.ts';

/** The policy resources. Stored policies do not apply to them: nobody could fix a wrong policy. */
const policies: readonly string[] = [
  'mutatingadmissionpolicies',
  'mutatingadmissionpolicybindings',
  'validatingadmissionpolicies',
  'validatingadmissionpolicybindings',
];

/** The resources that authenticate and authorize requests, by short group. */
const reviews: Readonly<Record<string, readonly string[]>> = {
  authentication: ['selfsubjectreviews', 'tokenreviews'],
  authorization: [
    'localsubjectaccessreviews',
    'selfsubjectaccessreviews',
    'selfsubjectrulesreviews',
    'subjectaccessreviews',
  ],
};

/** The policies that apply to a request: none, only those from files, or all. */
type DecidingPolicies = 'none' | 'static' | 'all';

/** Creates the function that returns which policies apply to a request. */
export function decidingPolicies({
  apiDomain,
}: Pick<Identifiers, 'apiDomain'>): (attributes: AdmissionAttributes) => DecidingPolicies {
  const rows = [
    ...Object.entries(reviews).map(([group, resources]) => [group, resources, 'none'] as const),
    ['admissionregistration', policies, 'static'] as const,
  ];
  const byGroup = new Map(
    rows.map(([group, resources, deciding]) => [`${group}.${apiDomain}`, { resources: new Set(resources), deciding }]),
  );
  return (attributes) => {
    const { group, resource } = attributes.resource;
    const row = byGroup.get(group);
    if (row?.resources.has(resource)) return row.deciding;
    return isOwnRecord(attributes) ? 'none' : 'all';
  };
}
