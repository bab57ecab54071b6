import type { DaemonSet, DaemonSetUpdateStrategy } from '../../../gen/stored/apps-v1.ts';
import { getOwn } from '../../../meta/json-value.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { allErrors } from '../../../status/all-errors.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { notSupported } from '../../../status/field-error.ts';
import { shownValue } from '../../../status/shown-value.ts';
import { badRequest } from '../../../status/status-error.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { checkAtMostAll, checkIntOrPercent, isNothing } from '../../rules/fields/check-int-or-percent.ts';
import { templateGeneration } from '../../rules/workloads/old-versions.ts';
import {
  checkCollisionCount,
  checkLastingTemplate,
  checkSelected,
  checkSelector,
  checkSelectorKept,
  checkStatusCounts,
} from '../../rules/workloads/check-selector.ts';
import { withOperatorsOfTemplate } from '../../core/pods/number-operators.ts';

/** The strategy of DaemonSets. */
export const strategy: Strategy<DaemonSet> = {
  templatePath: ['spec', 'template'],
  default: (daemonSet, context) => {
    readTemplateGeneration(daemonSet);
    defaultPodTemplate(daemonSet.spec.template, context);
    defaultRollout(daemonSet.spec.updateStrategy);
  },
  prepareForCreate: (daemonSet) => {
    const generation = templateGenerationOf(daemonSet);
    setTemplateGeneration(daemonSet, generation < 1n ? 1n : generation);
  },
  prepareForUpdate: (daemonSet, old) => {
    const generation = templateGenerationOf(old);
    const isSame = sameTemplate(daemonSet.spec.template, old.spec.template);
    setTemplateGeneration(daemonSet, isSame ? generation : generation + 1n);
  },
  validate: (daemonSet, context, old) => {
    const emulated = withOperatorsOfTemplate(old, context.emulated);
    const spec = new FieldCursor(daemonSet).at('spec');
    checkSelector(spec, 'daemonset');
    checkSelected(spec);
    checkLastingTemplate(spec.at('template'), { kind: 'DaemonSet', isReplicated: true, emulated });
    checkRollout(spec.at('updateStrategy'));
    return spec.errors;
  },
  validateUpdate: checkSelectorKept,
  subresources: {
    status: {
      default: readTemplateGeneration,
      prepareForUpdate: (daemonSet, old) => setTemplateGeneration(daemonSet, templateGenerationOf(old)),
      validateUpdate: (daemonSet, old) =>
        allErrors(checkStatusCounts(daemonSet, statusCounts), checkCollisionCount(daemonSet, old)),
    },
  },
};

const sameTemplate = sameMessage('api.core.v1.PodTemplateSpec');
const statusCounts = [
  'currentNumberScheduled',
  'numberMisscheduled',
  'desiredNumberScheduled',
  'numberReady',
  'observedGeneration',
  'updatedNumberScheduled',
  'numberAvailable',
  'numberUnavailable',
  'collisionCount',
] as const;

/**
 * Fills in `rollingUpdate`, if there is one: zeros if the type is not RollingUpdate, as
 * kube-apiserver does. Mutates.
 */
function defaultRollout({ type, rollingUpdate }: DaemonSetUpdateStrategy): void {
  if (!rollingUpdate) return;
  rollingUpdate.maxUnavailable ??= type === 'RollingUpdate' ? 1 : 0;
  rollingUpdate.maxSurge ??= 0;
}

const rollouts = ['RollingUpdate', 'OnDelete'];

/**
 * Checks the update strategy. Exactly one of `maxUnavailable` and `maxSurge` must be greater than
 * zero.
 */
function checkRollout(rollout: FieldCursor<DaemonSetUpdateStrategy>): void {
  const { type } = rollout.value;
  // Reported at the whole strategy.
  if (!rollouts.includes(type)) rollout.report(notSupported(rollout.path, rollout.value, rollouts));
  if (type !== 'RollingUpdate') return;
  const rolling = rollout.at('rollingUpdate');
  const [unavailable, surge] = [rolling.at('maxUnavailable'), rolling.at('maxSurge')];
  for (const { value, path, errors } of [unavailable, surge]) {
    errors.push(...checkIntOrPercent(path, value), ...checkAtMostAll(path, value));
  }
  const [down, up] = [!isNothing(unavailable.value), !isNothing(surge.value)];
  if (down && up) surge.reportInvalid('may not be set when maxUnavailable is non-zero');
  if (!down && !up) unavailable.reportRequired('cannot be 0 when maxSurge is 0');
}

/**
 * Normalises the annotation; a missing one counts as 0. The writer therefore owns it, as in
 * kube-apiserver. Throws 400 if it is not a 64-bit integer. Mutates.
 */
function readTemplateGeneration(daemonSet: DaemonSet): void {
  const text = getOwn(daemonSet.metadata.annotations ?? {}, templateGeneration) ?? '0';
  const number = /^[+-]?[0-9]+$/.test(text) ? BigInt(text) : undefined;
  if (number === undefined || BigInt.asIntN(64, number) !== number) {
    const why = number === undefined ? 'invalid syntax' : 'value out of range';
    throw badRequest(`${unreadable}: strconv.ParseInt: parsing ${shownValue(text, shownLimit)}: ${why}`);
  }
  setTemplateGeneration(daemonSet, number);
}

const unreadable = 'DaemonSet in version "v1" cannot be handled as a DaemonSet';
/** Maximum number of characters of the annotation in a message. */
const shownLimit = 100;

function templateGenerationOf({ metadata }: DaemonSet): bigint {
  return BigInt(metadata.annotations?.[templateGeneration] || '1');
}

function setTemplateGeneration({ metadata }: DaemonSet, generation: bigint): void {
  metadata.annotations ??= {};
  metadata.annotations[templateGeneration] = String(generation);
}
