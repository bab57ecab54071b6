import type {
  Affinity,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  PodAffinity,
  PodAffinityTerm,
  PodSpec,
  TopologySpreadConstraint,
} from '../../../gen/stored/core-v1.ts';
import {
  validateDnsLabel,
  validateDnsSubdomain,
  validateLabelValue,
  validateQualifiedName,
} from '../../../meta/validate-name.ts';
import { isSince } from '../../../scheme/api-release.ts';
import type { EmulatedRelease } from '../../../scheme/emulated-release.ts';
import { errorsOfEach, noErrors } from '../../../status/all-errors.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { duplicate, invalid, notSupported } from '../../../status/field-error.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { mergesSpreadKeys } from './merge-label-keys.ts';

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

/**
 * Checks a node selector as `checkNodeSelector` does, and that values are label values and node
 * names.
 */
export function checkStrictNodeSelector(selector: FieldCursor<NodeSelector | undefined>): void {
  checkNodeSelector(selector);
  for (const term of selector.each('nodeSelectorTerms')) {
    for (const requirement of term.each('matchExpressions')) {
      for (const value of requirement.each('values')) value.mustBe(validateLabelValue);
    }
    for (const requirement of term.each('matchFields')) {
      for (const { value, path } of requirement.each('values')) {
        requirement.report(...checkString(path, value, validateDnsSubdomain));
      }
    }
  }
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
  checkTermKeys(term);
  const topologyKey = term.at('topologyKey');
  topologyKey.mustBeSet('can not be empty');
  // Both errors are reported for an empty key.
  term.report(...checkString(topologyKey.path, topologyKey.value, validateQualifiedName));
}

const withoutSelector = 'must not be specified when labelSelector is not set';

/**
 * Checks `matchLabelKeys` and `mismatchLabelKeys` of a term. Their requirements have already been
 * merged into the selector (`mergeLabelKeys`), so that a key used by the client appears twice.
 */
function checkTermKeys(term: FieldCursor<PodAffinityTerm>): void {
  const { labelSelector: selector, matchLabelKeys = [], mismatchLabelKeys = [] } = term.value;
  for (const name of ['matchLabelKeys', 'mismatchLabelKeys'] as const) {
    if (!selector && (term.value[name] ?? []).length > 0) term.at(name).reportForbidden(withoutSelector);
    else if (selector) for (const key of term.each(name)) key.mustBe(validateQualifiedName);
  }
  const seen = new Set(Object.keys(selector?.matchLabels ?? {}));
  for (const { key } of selector?.matchExpressions ?? []) {
    const index = matchLabelKeys.lastIndexOf(key);
    if (index >= 0 && seen.has(key)) {
      // kube-apiserver leaves out the name of the list.
      term.report(invalid(`${term.path}[${index}]`, key, 'exists in both matchLabelKeys and labelSelector'));
    }
    seen.add(key);
  }
  for (const key of term.each('matchLabelKeys')) {
    if (mismatchLabelKeys.includes(key.value)) key.reportInvalid('exists in both matchLabelKeys and mismatchLabelKeys');
  }
}

/**
 * Checks topology spread constraints: each pair of topology key and action is unique. Of equal
 * pairs all but the last one are reported.
 */
export function checkTopologySpread(spec: FieldCursor<PodSpec>, emulated: EmulatedRelease): void {
  const { topologySpreadConstraints = [] } = spec.value;
  const pairs = topologySpreadConstraints.map((one) => `{${one.topologyKey}, ${one.whenUnsatisfiable}}`);
  const last = new Map(pairs.map((pair, index) => [pair, index]));
  const { path } = spec.at('topologySpreadConstraints');
  const repeats = errorsOfEach(pairs, (pair, index) =>
    last.get(pair) === index ? noErrors : [duplicate(`${path}[${index}].{topologyKey, whenUnsatisfiable}`, pair)],
  );
  spec.report(...repeats);
  for (const constraint of spec.each('topologySpreadConstraints')) checkConstraint(constraint, emulated);
}

const inclusions = ['Honor', 'Ignore'];

function checkConstraint(constraint: FieldCursor<TopologySpreadConstraint>, emulated: EmulatedRelease): void {
  const { labelSelector, whenUnsatisfiable } = constraint.value;
  const domains = constraint.at('minDomains');
  if (domains.value !== undefined) {
    if (domains.value <= 0) domains.reportInvalid('must be greater than zero');
    if (whenUnsatisfiable !== 'DoNotSchedule') {
      const detail = `can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ${whenUnsatisfiable}`;
      domains.reportInvalid(detail);
    }
  }
  for (const name of ['nodeAffinityPolicy', 'nodeTaintsPolicy'] as const) {
    const { value, path, errors } = constraint.at(name);
    if (value !== undefined && !inclusions.includes(value)) errors.push(notSupported(path, value, inclusions));
  }
  checkSpreadKeys(constraint, emulated);
  const selector = constraint.at('labelSelector');
  if (labelSelector && isSince(emulated.release, '1.27')) {
    constraint.report(...checkLabelSelector(selector.path, labelSelector));
  }
}

/**
 * Checks `matchLabelKeys` of a constraint. Since release 1.34 their requirements have already been
 * merged into the selector (`mergeLabelKeys`).
 */
function checkSpreadKeys(constraint: FieldCursor<TopologySpreadConstraint>, emulated: EmulatedRelease): void {
  const { labelSelector, matchLabelKeys = [] } = constraint.value;
  if (matchLabelKeys.length === 0) return;
  if (!labelSelector) constraint.at('matchLabelKeys').reportForbidden(withoutSelector);
  const { matchLabels = {}, matchExpressions = [] } = labelSelector ?? {};
  const isMerged = mergesSpreadKeys(emulated);
  for (const key of constraint.each('matchLabelKeys')) {
    key.mustBe(validateQualifiedName);
    const uses = matchExpressions.filter((expression) => expression.key === key.value).length;
    const isTaken = Object.hasOwn(matchLabels, key.value) || uses > (isMerged ? 1 : 0);
    if (isTaken) key.reportInvalid('exists in both matchLabelKeys and labelSelector');
  }
}
