import type { NodeSelectorTerm } from '../../gen/types/core-v1.ts';
import { validateLabelValue } from '../../meta/validate-name.ts';
import { type WarningRelease, warnsSince, withDomains } from './warning-context.ts';

/**
 * The deprecated node labels with the advice, and the release that added it if after 1.23. Texts
 * have the placeholders of `withDomains`.
 */
const deprecatedLabels: Readonly<Record<string, readonly [advice: string, since?: string]>> = {
  'beta.{label}/arch': ['deprecated since v1.14; use "{label}/arch" instead'],
  'beta.{label}/os': ['deprecated since v1.14; use "{label}/os" instead'],
  'failure-domain.beta.{label}/region': ['deprecated since v1.17; use "topology.{label}/region" instead'],
  'failure-domain.beta.{label}/zone': ['deprecated since v1.17; use "topology.{label}/zone" instead'],
  'beta.{label}/instance-type': ['deprecated since v1.17; use "node.{label}/instance-type" instead'],
  'app.{label}/created-by': ['deprecated since v1.9'],
  'scheduler.alpha.{label}/preferAvoidPods': ['deprecated since v1.22; use Taints and Tolerations instead'],
  'node-role.{label}/master': ['use "node-role.{label}/control-plane" instead', '1.31'],
};

/** The advice about a node label; undefined if it is not deprecated. */
export function labelAdvice(label: string, emulated: WarningRelease): string | undefined {
  const general = label.replace(emulated.identifiers.labelDomain, '{label}');
  const [advice, since] = Object.hasOwn(deprecatedLabels, general) ? (deprecatedLabels[general] ?? []) : [];
  const isGiven = advice !== undefined && (since === undefined || warnsSince(emulated, since));
  return isGiven ? withDomains(advice, emulated) : undefined;
}

/** The warning about a deprecated label key: `<path>: <label> is <advice>`. */
export function labelKeyWarnings(path: string, label: string, emulated: WarningRelease): readonly string[] {
  const advice = labelAdvice(label, emulated);
  return advice === undefined ? [] : [`${path}: ${label} is ${advice}`];
}

/** The warnings about a node selector term; since 1.33 also about values of preferred terms. */
export function selectorTermWarnings(
  path: string,
  { matchExpressions = [] }: NodeSelectorTerm,
  emulated: WarningRelease,
  isPreferred = false,
): readonly string[] {
  return matchExpressions.flatMap(({ key, values = [] }, index) => {
    const at = `${path}.matchExpressions[${index}]`;
    const badValues = isPreferred && warnsSince(emulated, '1.33') ? values : [];
    return [
      ...labelKeyWarnings(`${at}.key`, key, emulated),
      ...badValues.flatMap((value, position) =>
        validateLabelValue(value).map((problem) => `${at}.values[${position}]: ${value} is invalid, ${problem}`),
      ),
    ];
  });
}
