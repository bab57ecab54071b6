import { getOwn, type JsonObject } from '../../../meta/json-value.ts';
import type { ResourceDefinition } from '../../../registry/strategy.ts';
import { makeObjectAt, objectAt, sameValue, stringAt } from '../../../meta/read-field.ts';
import { defaultTemplate } from '../../core/pods/default.ts';
import { defaultRollingUpdate } from '../../rules/rolling-update.ts';
import { checkSelectorKept, checkWorkload } from '../../rules/workload.ts';

/** Daemon sets. */
export const definition: ResourceDefinition = {
  group: 'apps',
  resource: 'daemonsets',
  strategy: {
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
    validate: (daemonSet) =>
      checkWorkload(daemonSet, { kind: 'DaemonSet', counts: ['minReadySeconds', 'revisionHistoryLimit'] }),
    validateUpdate: checkSelectorKept,
  },
};

/** What `spec.templateGeneration` of the removed versions became (spec 9.3); old controllers still read it. */
const templateGeneration = 'deprecated.daemonset.template.generation';

function setTemplateGeneration(daemonSet: JsonObject, generation: number): void {
  const metadata = makeObjectAt(daemonSet, 'metadata');
  makeObjectAt(metadata, 'annotations')[templateGeneration] = String(generation);
}

function templateOf(daemonSet: JsonObject): JsonObject[string] | undefined {
  return getOwn(objectAt(daemonSet, 'spec'), 'template');
}
