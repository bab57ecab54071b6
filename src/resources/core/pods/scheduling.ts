import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
} from '../../../gen/stored/core-v1.ts';
import { validateDnsLabel, validateQualifiedName } from '../../../meta/validate-name.ts';
import { errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/check.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';

const hard = 'requiredDuringSchedulingIgnoredDuringExecution';
const soft = 'preferredDuringSchedulingIgnoredDuringExecution';

/** Checks the names of the gates that keep a Pod from being scheduled. */
export function checkSchedulingGates(spec: FieldCursor<PodSpec>): void {
  const seen = new Set<string>();
  for (const { value, path, errors } of spec.each('schedulingGates')) {
    errors.push(...checkString(path, value.name, validateQualifiedName));
    if (seen.has(value.name)) errors.push(duplicate(path, value.name));
    seen.add(value.name);
  }
}

/** Checks the affinity of a Pod to nodes and to other pods. */
export function checkAffinity(affinity: FieldCursor<Affinity | undefined>): void {
  if (!affinity.value) return;
  const nodes = affinity.at('nodeAffinity');
  checkNodeSelector(nodes.at(hard));
  for (const term of nodes.each(soft)) checkNodeTerm(term.at('preference'));
  checkPodAffinity(affinity.at('podAffinity'));
  checkPodAffinity(affinity.at('podAntiAffinity'));
}

/** Checks the terms of a node selector. The schema checks that it has one. */
export function checkNodeSelector(selector: FieldCursor<NodeSelector | undefined>): void {
  for (const term of selector.each('nodeSelectorTerms')) checkNodeTerm(term);
}

function checkNodeTerm(term: FieldCursor<NodeSelectorTerm>): void {
  for (const requirement of term.each('matchExpressions')) {
    checkOperator(requirement);
    const { value, path } = requirement.at('key');
    requirement.report(...checkString(path, value, validateQualifiedName));
  }
  for (const requirement of term.each('matchFields')) checkFieldRequirement(requirement);
}

function checkOperator(requirement: FieldCursor<NodeSelectorRequirement>): void {
  const { operator, values = [] } = requirement.value;
  const list = requirement.at('values');
  switch (operator) {
    case 'In':
    case 'NotIn':
      if (values.length === 0) list.reportRequired("must be specified when `operator` is 'In' or 'NotIn'");
      return;
    case 'Exists':
    case 'DoesNotExist':
      if (values.length > 0) list.reportForbidden("may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
      return;
    case 'Gt':
    case 'Lt':
      if (values.length !== 1) list.reportRequired("must be specified single value when `operator` is 'Lt' or 'Gt'");
      return;
    default:
      requirement.at('operator').reportInvalid('not a valid selector operator');
  }
}

function checkFieldRequirement(requirement: FieldCursor<NodeSelectorRequirement>): void {
  const { key, operator, values = [] } = requirement.value;
  if (!['In', 'NotIn'].includes(operator)) requirement.at('operator').reportInvalid('not a valid selector operator');
  else if (values.length !== 1) {
    const message = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector";
    requirement.at('values').reportRequired(message);
  }
  if (key !== 'metadata.name') requirement.at('key').reportInvalid('not a valid field selector key');
}

function checkPodAffinity(affinity: FieldCursor<PodAffinity | undefined>): void {
  for (const term of affinity.each(hard)) checkPodTerm(term);
  for (const term of affinity.each(soft)) checkPodTerm(term.at('podAffinityTerm'));
}

function checkPodTerm(term: FieldCursor<PodAffinityTerm>): void {
  const { namespaces = [] } = term.value;
  for (const name of ['labelSelector', 'namespaceSelector'] as const) {
    const { value, path } = term.at(name);
    if (value) term.report(...checkLabelSelector(path, value));
  }
  const field = `${term.path}.namespace`;
  term.report(...errorsOfEach(namespaces, (name) => checkString(field, name, validateDnsLabel)));
  const topologyKey = term.at('topologyKey');
  topologyKey.mustBeSet('can not be empty');
  // Both errors are reported for an empty key.
  term.report(...checkString(topologyKey.path, topologyKey.value, validateQualifiedName));
}

/**
 * Checks topology spread constraints: each pair of topology key and action is unique. Of equal
 * pairs all but the last one are reported.
 */
export function checkTopologySpread(spec: FieldCursor<PodSpec>): void {
  const { topologySpreadConstraints = [] } = spec.value;
  const pairs = topologySpreadConstraints.map((one) => `{${one.topologyKey}, ${one.whenUnsatisfiable}}`);
  const last = new Map(pairs.map((pair, index) => [pair, index]));
  const { path } = spec.at('topologySpreadConstraints');
  const repeats = errorsOfEach(pairs, (pair, index) =>
    last.get(pair) === index ? noErrors : [duplicate(`${path}[${index}].{topologyKey, whenUnsatisfiable}`, pair)],
  );
  spec.report(...repeats);
}
