import type { PodGroupTemplate, Workload } from '../../../gen/stored/scheduling-v1alpha2.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../meta/json-value.ts';
import { objectAt } from '../../../meta/read-field.ts';
import { validateDnsLabel, validateDnsSubdomain, validatePathSegment } from '../../../meta/validate-name.ts';
import type { Conversion } from '../../../registry/definition/resource-definition.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { sameMessage, type SameValue } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, required, tooMany } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn } from '../../columns/column.ts';
import { checkList } from '../../rules/devices/checked-list.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { keepingParts } from '../../rules/versions/kept-parts.ts';
import { checkGroupSpec } from '../pod-group-rules.ts';

const mostGroups = 8;

/** All errors of a new Workload. */
function validateWorkload(workload: Workload): readonly FieldError[] {
  const spec = new FieldCursor(workload).at('spec');
  checkTypedReference(spec.at('controllerRef'));
  const templates = spec.at('podGroupTemplates') as FieldCursor<readonly PodGroupTemplate[] | undefined>;
  if ((templates.value ?? []).length === 0) templates.reportRequired();
  checkList(templates, { limit: mostGroups, keyOf: ({ name }) => name }, (template) => {
    template.at('name').mustBeSet();
    template.at('name').mustBe(validateDnsLabel);
    checkGroupSpec(template);
  });
  return spec.errors;
}

/** The errors of the number of groups, which updates check too. */
function countErrors({ spec: { podGroupTemplates } }: Workload): readonly FieldError[] {
  const field = 'spec.podGroupTemplates';
  const count = podGroupTemplates?.length ?? 0;
  if (count === 0) return [required(field)];
  return count > mostGroups ? [tooMany(field, count, mostGroups)] : [];
}

const sameTemplate = sameMessage('api.scheduling.v1alpha2.PodGroupTemplate');

const sameTemplates: SameValue = (left, right) =>
  Array.isArray(left) && Array.isArray(right)
    ? left.length === right.length && left.every((template, index) => sameTemplate(template, right[index]))
    : left === right;

const sameReference = sameMessage('api.scheduling.v1alpha2.TypedLocalObjectReference');

/** The strategy of Workloads. Groups are immutable, and the controller reference once it is set. */
const strategy: Strategy<Workload> = {
  validate: (workload, _, old) => (old?.spec.controllerRef ? countErrors(workload) : validateWorkload(workload)),
  validateUpdate: ({ spec }, { spec: old }) => [
    ...(old.controllerRef
      ? checkImmutable('spec.controllerRef', spec.controllerRef, old.controllerRef, sameReference)
      : []),
    ...checkImmutable('spec.podGroupTemplates', spec.podGroupTemplates, old.podGroupTemplates, sameTemplates),
  ],
};

/** The conversion of v1alpha1, in which groups have another name and fewer fields. */
const firstWorkloads: Conversion = keepingParts(
  {
    toStorage: (workload) =>
      withGroups(workload, ['podGroups', 'podGroupTemplates'], ({ policy, ...group }) => ({
        ...group,
        schedulingPolicy: policy ?? {},
        schedulingConstraints: null,
      })),
    fromStorage: (workload) =>
      withGroups(workload, ['podGroupTemplates', 'podGroups'], ({ name, schedulingPolicy }) => ({
        ...(name === undefined ? {} : { name }),
        policy: schedulingPolicy ?? {},
      })),
  },
  'scheduling',
  'api.scheduling.v1alpha2.Workload',
);

function withGroups(
  workload: JsonObject,
  [from, to]: readonly [from: string, to: string],
  convert: (group: JsonObject) => JsonObject,
): JsonObject {
  const { [from]: groups = null, ...spec } = objectAt(workload, 'spec');
  const converted: JsonValue = Array.isArray(groups)
    ? groups.map((group) => (isJsonObject(group) ? convert(group) : group))
    : groups;
  return { ...workload, spec: { ...spec, [to]: converted } };
}

/** The resource `workloads` of the group `scheduling`. */
export const workloads = builtIn<Workload>({
  group: 'scheduling',
  resource: 'workloads',
  kind: 'Workload',
  namespaced: true,
  versions: {
    v1alpha2: { introduced: '1.36', gate: 'GenericWorkload' },
    v1alpha1: {
      introduced: '1.35',
      gate: 'GenericWorkload',
      deprecated: { since: '1.36', removed: '1.36', replacement: 'v1alpha2' },
      conversion: firstWorkloads,
    },
  },
  columns: [nameColumn, ageColumn],
  strategy,
});

/** A reference to an object in the same namespace. */
interface TypedReference {
  readonly apiGroup?: string;
  readonly kind: string;
  readonly name: string;
}

/** Checks a reference to an object in the same namespace. */
function checkTypedReference<T extends TypedReference>(reference: FieldCursor<T | undefined>): void {
  if (!reference.value) return;
  const typed = reference as unknown as FieldCursor<TypedReference>;
  typed.at('apiGroup').mustBe(validateDnsSubdomain);
  for (const name of ['kind', 'name'] as const) {
    typed.at(name).mustBeSet();
    typed.at(name).mustBe(validatePathSegment);
  }
}
