import type {
  PodGroupResourceClaim,
  PodGroupSchedulingConstraints,
  PodGroupSchedulingPolicy,
} from '../../gen/stored/scheduling-v1alpha2.ts';
import { validateDnsLabel, validateDnsSubdomain, validateQualifiedName } from '../../meta/validate-name.ts';
import type { FieldCursor } from '../../status/field-cursor.ts';
import { checkList } from '../rules/devices/checked-list.ts';
import { checkString } from '../rules/fields/field-checks.ts';

/** The most entries of lists of a group, and the highest priority of users. */
const limits = { claims: 4, topologies: 1, priority: 1_000_000_000 };

/** The common fields of a PodGroup and its template. */
interface GroupSpec {
  readonly schedulingPolicy: PodGroupSchedulingPolicy;
  readonly schedulingConstraints?: PodGroupSchedulingConstraints | null;
  readonly resourceClaims?: PodGroupResourceClaim[];
  readonly priorityClassName?: string;
  readonly priority?: number;
}

/** Checks the scheduling fields of a group. */
export function checkGroupSpec<T extends GroupSpec>(group: FieldCursor<T>): void {
  const spec = group as unknown as FieldCursor<GroupSpec>;
  checkPolicy(spec.at('schedulingPolicy'));
  const constraints = spec.at('schedulingConstraints');
  checkList(constraints.at('topology'), { limit: limits.topologies }, (topology) => {
    topology.at('key').mustBeSet();
    topology.at('key').mustBe(validateQualifiedName);
  });
  checkList(spec.at('resourceClaims'), { limit: limits.claims, keyOf: ({ name }) => name }, checkClaim);
  spec.at('priorityClassName').mustBe(validateDnsSubdomain);
  const { priority = 0 } = spec.value;
  if (priority > limits.priority) {
    spec.at('priority').reportInvalid(`must be less than or equal to ${limits.priority}`);
  }
}

/** Checks a scheduling policy: exactly one of two kinds. */
function checkPolicy(policy: FieldCursor<PodGroupSchedulingPolicy>): void {
  const { basic, gang } = policy.value;
  if (!basic && !gang) policy.reportInvalid('must specify one of: `basic`, `gang`', '');
  if (basic && gang) policy.reportInvalid('must specify exactly one of: `basic`, `gang`', '{basic, gang}');
  if (!gang) return;
  const count = policy.at('gang').at('minCount');
  if (gang.minCount === 0) count.reportRequired();
  if (gang.minCount < 0) count.reportInvalid('must be greater than or equal to 1', gang.minCount);
}

/** Checks a claim of a group: exactly one of a claim name and a template name. */
function checkClaim(claim: FieldCursor<PodGroupResourceClaim>): void {
  const { resourceClaimName: name, resourceClaimTemplateName: template } = claim.value;
  const sources = '`resourceClaimName`, `resourceClaimTemplateName`';
  if (name === undefined && template === undefined) claim.reportInvalid(`must specify one of: ${sources}`, '');
  if (name !== undefined && template !== undefined) {
    claim.reportInvalid(`must specify exactly one of: ${sources}`, '{resourceClaimName, resourceClaimTemplateName}');
  }
  claim.at('name').mustBeSet();
  claim.at('name').mustBe(validateDnsLabel);
  for (const source of [claim.at('resourceClaimName'), claim.at('resourceClaimTemplateName')]) {
    // An empty name is invalid too.
    if (source.value !== undefined) claim.report(...checkString(source.path, source.value, validateDnsSubdomain));
  }
}
