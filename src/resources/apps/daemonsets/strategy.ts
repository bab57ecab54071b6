import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { allErrors } from '../../../status/all-errors.ts';
import type { Strategy } from '../../../registry/strategy.ts';
import { isSet, makeObjectAt, objectAt, setDefault, stringAt } from '../../../meta/read-field.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { defaultTemplate } from '../../core/pods/default.ts';
import { type FieldError, invalid, notSupported, required } from '../../../status/field-error.ts';
import { shownValue } from '../../../status/shown-value.ts';
import { badRequest } from '../../../status/status-error.ts';
import { checkAtMostAll, checkIntOrPercent, isNothing } from '../../rules/fields/int-or-percent.ts';
import { checkLabelSelector } from '../../rules/fields/labels.ts';
import { defaultRollingUpdate } from '../../rules/workloads/rolling-update.ts';
import { templateGeneration } from '../../rules/workloads/old-versions.ts';
import {
  checkCollisionCount,
  checkLastingTemplate,
  checkNotEmpty,
  checkSelected,
  checkSelectorKept,
  checkStatusCounts,
} from '../../rules/workloads/workload.ts';

/** The strategy of DaemonSets. */
export const strategy: Strategy = {
  templatePath: ['spec', 'template'],
  default: (daemonSet) => {
    readTemplateGeneration(daemonSet);
    defaultTemplate(daemonSet);
    const rollout = makeObjectAt(makeObjectAt(daemonSet, 'spec'), 'updateStrategy');
    defaultRollingUpdate(rollout, { maxUnavailable: 1, maxSurge: 0 });
    fillUnusedRollout(rollout);
  },
  prepareForCreate: (daemonSet) => {
    const generation = templateGenerationOf(daemonSet);
    setTemplateGeneration(daemonSet, generation < 1n ? 1n : generation);
  },
  prepareForUpdate: (daemonSet, old) => {
    const generation = templateGenerationOf(old);
    const isSame = sameTemplate(templateOf(daemonSet), templateOf(old));
    setTemplateGeneration(daemonSet, isSame ? generation : generation + 1n);
  },
  validate: (daemonSet) => {
    const spec = objectAt(daemonSet, 'spec');
    return [
      ...checkLabelSelector('spec.selector', objectAt(spec, 'selector')),
      ...checkSelected(spec),
      ...(isSet(spec, 'selector') ? checkNotEmpty(spec, 'daemonset') : []),
      ...checkLastingTemplate(spec, 'DaemonSet'),
      ...rolloutErrors(objectAt(spec, 'updateStrategy')),
    ];
  },
  validateUpdate: checkSelectorKept,
  subresources: {
    status: {
      default: readTemplateGeneration,
      prepareForUpdate: (daemonSet, old) => setTemplateGeneration(daemonSet, templateGenerationOf(old)),
      validateUpdate: (daemonSet, old) =>
        allErrors(checkStatusCounts(daemonSet, statusCounts, []), checkCollisionCount(daemonSet, old)),
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
];

/**
 * Fills in zeros in a `rollingUpdate` whose type is not RollingUpdate, as kube-apiserver does.
 * Mutates.
 */
function fillUnusedRollout(rollout: JsonObject): void {
  if (!isSet(rollout, 'rollingUpdate')) return;
  const rollingUpdate = makeObjectAt(rollout, 'rollingUpdate');
  for (const name of ['maxUnavailable', 'maxSurge']) setDefault(rollingUpdate, name, 0);
}

const rollouts = ['RollingUpdate', 'OnDelete'];

/**
 * Checks the update strategy. Exactly one of `maxUnavailable` and `maxSurge` must be greater than
 * zero.
 */
function rolloutErrors(rollout: JsonObject): FieldError[] {
  const type = stringAt(rollout, 'type');
  // Reported at the whole strategy.
  if (type !== '' && !rollouts.includes(type)) return [notSupported('spec.updateStrategy', rollout, rollouts)];
  if (type !== 'RollingUpdate') return [];
  const path = 'spec.updateStrategy.rollingUpdate';
  const rollingUpdate = objectAt(rollout, 'rollingUpdate');
  const [unavailable, surge] = ['maxUnavailable', 'maxSurge'].map((name) => getOwn(rollingUpdate, name));
  const [down, up] = [!isNothing(unavailable), !isNothing(surge)];
  return [
    ...checkIntOrPercent(`${path}.maxUnavailable`, unavailable),
    ...checkIntOrPercent(`${path}.maxSurge`, surge),
    ...checkAtMostAll(`${path}.maxUnavailable`, unavailable),
    ...checkAtMostAll(`${path}.maxSurge`, surge),
    ...(down && up ? [invalid(`${path}.maxSurge`, surge, 'may not be set when maxUnavailable is non-zero')] : []),
    ...(down || up ? [] : [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]),
  ];
}

/**
 * Normalises the annotation; a missing one counts as 0. The writer therefore owns it, as in
 * kube-apiserver. Throws 400 if it is not a 64-bit integer. Mutates.
 */
function readTemplateGeneration(daemonSet: JsonObject): void {
  const text = getOwn(objectAt(daemonSet, 'metadata', 'annotations'), templateGeneration) ?? '0';
  const number = typeof text === 'string' && /^[+-]?[0-9]+$/.test(text) ? BigInt(text) : undefined;
  if (number === undefined || BigInt.asIntN(64, number) !== number) {
    const why = number === undefined ? 'invalid syntax' : 'value out of range';
    throw badRequest(`${unreadable}: strconv.ParseInt: parsing ${shownValue(text, shownLimit)}: ${why}`);
  }
  setTemplateGeneration(daemonSet, number);
}

const unreadable = 'DaemonSet in version "v1" cannot be handled as a DaemonSet';
/** How many characters of the annotation a message shows. */
const shownLimit = 100;

function templateGenerationOf(daemonSet: JsonObject): bigint {
  return BigInt(stringAt(objectAt(daemonSet, 'metadata', 'annotations'), templateGeneration) || '1');
}

function setTemplateGeneration(daemonSet: JsonObject, generation: bigint): void {
  const metadata = makeObjectAt(daemonSet, 'metadata');
  makeObjectAt(metadata, 'annotations')[templateGeneration] = String(generation);
}

function templateOf(daemonSet: JsonObject): JsonObject[string] | undefined {
  return getOwn(objectAt(daemonSet, 'spec'), 'template');
}
