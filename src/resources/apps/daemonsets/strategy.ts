import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import { allErrors } from '../../../status/all-errors.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { isSet, makeObjectAt, objectAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { defaultTemplate } from '../../core/pods/default.ts';
import { type FieldError, invalidShown, notSupported, required } from '../../../status/field-error.ts';
import { goIntOrString } from '../../../status/go-syntax.ts';
import { checkAtMostAll, checkIntOrPercent, isNothing } from '../../rules/int-or-percent.ts';
import { checkLabelSelector } from '../../rules/labels.ts';
import { defaultRollingUpdate } from '../../rules/rolling-update.ts';
import { checkCounts } from '../../rules/check.ts';
import {
  checkCollisionCount,
  checkLastingTemplate,
  checkNotEmpty,
  checkSelected,
  checkSelectorKept,
  checkStatusCounts,
} from '../../rules/workload.ts';

/** Daemon sets. */
export const definition: ResourceDefinition = {
  group: 'apps',
  resource: 'daemonsets',
  strategy: {
    updateErrors: 'stateTwice',
    largePart: ['spec', 'template'],
    default: (daemonSet) => {
      defaultTemplate(daemonSet);
      const strategy = makeObjectAt(makeObjectAt(daemonSet, 'spec'), 'updateStrategy');
      defaultRollingUpdate(strategy, { maxUnavailable: 1, maxSurge: 0 });
    },
    prepareForCreate: (daemonSet) => setTemplateGeneration(daemonSet, 1),
    prepareForUpdate: (daemonSet, old) => {
      const generation = Number(stringAt(objectAt(old, 'metadata', 'annotations'), templateGeneration)) || 1;
      setTemplateGeneration(daemonSet, sameValue(templateOf(daemonSet), templateOf(old)) ? generation : generation + 1);
    },
    validate: (daemonSet) => {
      const spec = objectAt(daemonSet, 'spec');
      return [
        ...checkLabelSelector('spec.selector', objectAt(spec, 'selector')),
        ...checkSelected(spec),
        ...(isSet(spec, 'selector') ? checkNotEmpty(spec, 'daemonset') : []),
        ...checkLastingTemplate(spec, 'DaemonSet'),
        ...checkCounts('spec', spec, ['minReadySeconds']),
        ...rolloutErrors(objectAt(spec, 'updateStrategy')),
        ...checkCounts('spec', spec, ['revisionHistoryLimit']),
      ];
    },
    validateUpdate: checkSelectorKept,
    toldByRules: /^spec\.(?:selector|updateStrategy\.type)$/,
    subresources: {
      status: {
        validateUpdate: (daemonSet, old) =>
          allErrors(checkStatusCounts(daemonSet, statusCounts, []), checkCollisionCount(daemonSet, old)),
      },
    },
  },
};

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

const rollouts = ['RollingUpdate', 'OnDelete'];

/** A node has either no pod for a while or two, so that just one of the numbers is more than nothing. */
function rolloutErrors(strategy: JsonObject): FieldError[] {
  const type = stringAt(strategy, 'type');
  // Told of the whole strategy.
  if (type !== '' && !rollouts.includes(type)) return [notSupported('spec.updateStrategy', strategy, rollouts)];
  if (type !== 'RollingUpdate') return [];
  const path = 'spec.updateStrategy.rollingUpdate';
  const rollingUpdate = objectAt(strategy, 'rollingUpdate');
  const [unavailable, surge] = ['maxUnavailable', 'maxSurge'].map((name) => getOwn(rollingUpdate, name));
  const [down, up] = [!isNothing(unavailable), !isNothing(surge)];
  return [
    ...checkIntOrPercent(`${path}.maxUnavailable`, unavailable),
    ...checkIntOrPercent(`${path}.maxSurge`, surge),
    ...checkAtMostAll(`${path}.maxUnavailable`, unavailable),
    ...checkAtMostAll(`${path}.maxSurge`, surge),
    ...(down && up
      ? [invalidShown(`${path}.maxSurge`, goIntOrString(surge), 'may not be set when maxUnavailable is non-zero')]
      : []),
    ...(down || up ? [] : [required(`${path}.maxUnavailable`, 'cannot be 0 when maxSurge is 0')]),
  ];
}

/** What `spec.templateGeneration` of the removed versions became (spec 9.3); old controllers still read it. */
const templateGeneration = 'deprecated.daemonset.template.generation';

function setTemplateGeneration(daemonSet: JsonObject, generation: number): void {
  const metadata = makeObjectAt(daemonSet, 'metadata');
  makeObjectAt(metadata, 'annotations')[templateGeneration] = String(generation);
}

function templateOf(daemonSet: JsonObject): JsonObject[string] | undefined {
  return getOwn(objectAt(daemonSet, 'spec'), 'template');
}
