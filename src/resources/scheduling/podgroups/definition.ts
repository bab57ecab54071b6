import type { PodGroup } from '../../../gen/stored/scheduling-v1alpha2.ts';
import { validateDnsLabel, validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Column } from '../../../codec/table-definition.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn, orNone, textColumn } from '../../columns/column.ts';
import { checkList } from '../../rules/devices/checked-list.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkConditions } from '../../rules/fields/check-conditions.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { keepMetadata, userFields } from '../../rules/fields/keep-metadata.ts';
import { statusSubresource } from '../../subresources.ts';
import { checkGroupSpec } from '../pod-group-rules.ts';

const mostClaims = 4;

/** All errors of a new PodGroup. */
function validateGroup(group: PodGroup): readonly FieldError[] {
  const spec = new FieldCursor(group).at('spec');
  const reference = spec.at('podGroupTemplateRef');
  if (reference.isPresent()) {
    if (!reference.value.workload) reference.reportInvalid('must specify one of: `workload`', '');
    const template = reference.at('workload');
    if (template.isPresent()) {
      template.at('workloadName').mustBeSet();
      template.at('workloadName').mustBe(validateDnsSubdomain);
      template.at('podGroupTemplateName').mustBeSet();
      template.at('podGroupTemplateName').mustBe(validateDnsLabel);
    }
  }
  checkGroupSpec(spec);
  return spec.errors;
}

function validateStatus(group: PodGroup): readonly FieldError[] {
  const status = new FieldCursor(group).at('status');
  status.report(...checkConditions('status.conditions', status.value.conditions ?? []));
  const claims = { limit: mostClaims, keyOf: ({ name }: { readonly name: string }) => name };
  const known = new Set((group.spec.resourceClaims ?? []).map(({ name }) => name));
  checkList(status.at('resourceClaimStatuses'), claims, (claim) => {
    const [name, source] = [claim.at('name'), claim.at('resourceClaimName')];
    if (!known.has(name.value)) name.reportInvalid('must match the name of an entry in `spec.resourceClaims`');
    if (source.value !== undefined) claim.report(...checkString(source.path, source.value, validateDnsSubdomain));
  });
  return status.errors;
}

/** The immutable fields of the spec, with the message types of some. */
const fixed = [
  'podGroupTemplateRef',
  'schedulingPolicy',
  'schedulingConstraints',
  'resourceClaims',
  'disruptionMode',
  'priorityClassName',
  'priority',
] as const;

const samePolicy = sameMessage('api.scheduling.v1alpha2.PodGroupSchedulingPolicy');

/** The strategy of PodGroups. */
const strategy: Strategy<PodGroup> = {
  generation: false,
  resetFields: () => ({ '': [] }),
  default: ({ spec }, { emulated }) => {
    if (emulated.isFeatureEnabled('WorkloadAwarePreemption')) spec.disruptionMode ??= 'Pod';
  },
  validate: (group, _, old) => (old ? [] : validateGroup(group)),
  validateUpdate: ({ spec }, { spec: old }) =>
    fixed.flatMap((name) =>
      name === 'schedulingPolicy'
        ? checkImmutable(`spec.${name}`, spec[name], old[name], samePolicy)
        : checkImmutable(`spec.${name}`, spec[name], old[name]),
    ),
  subresources: {
    status: { ...keepMetadata([...userFields, 'deletionTimestamp']), validateUpdate: validateStatus },
  },
};

/** The columns of PodGroups. */
const columns: readonly Column<PodGroup>[] = [
  nameColumn,
  textColumn('Policy', 'How the pods are scheduled.', ({ spec }) => (spec.schedulingPolicy.gang ? 'Gang' : 'Basic')),
  textColumn('Workload', 'Name of the Workload of the group.', ({ spec }) =>
    orNone(spec.podGroupTemplateRef?.workload?.workloadName),
  ),
  textColumn('Status', 'State of the group.', stateOf),
  ageColumn,
];

function stateOf({ status: { conditions = [] } }: PodGroup): string {
  const [scheduled, disrupted] = ['PodGroupScheduled', 'DisruptionTarget'].map((type) =>
    conditions.findLast((condition) => condition.type === type),
  );
  if (disrupted) return disrupted.reason;
  if (!scheduled) return 'Pending';
  return scheduled.status === 'True' ? 'Scheduled' : 'Unschedulable';
}

/** The resource `podgroups` of the group `scheduling`. */
export const podGroups = builtIn<PodGroup>({
  group: 'scheduling',
  resource: 'podgroups',
  kind: 'PodGroup',
  namespaced: true,
  versions: { v1alpha2: { introduced: '1.36', gate: 'GenericWorkload' } },
  subresources: [statusSubresource],
  columns,
  strategy,
});
