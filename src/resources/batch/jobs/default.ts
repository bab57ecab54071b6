import { type JsonObject, setOwn } from '../../../meta/json-value.ts';
import {
  isSet,
  isTrue,
  makeObjectAt,
  objectAt,
  setDefault,
  stringAt,
  stringEntriesAt,
} from '../../../meta/read-field.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { labelsOf } from '../../rules/fields/labels.ts';

/** Defaults of a Job that depend on other fields. Mutates. */
export function defaultJob(job: JsonObject): void {
  const spec = makeObjectAt(job, 'spec');
  defaultJobTemplate(spec);
  // A work queue has no completions; one pod at a time works on it.
  if (!isSet(spec, 'completions') && !isSet(spec, 'parallelism')) spec['completions'] = 1;
  setDefault(spec, 'parallelism', 1);
  setDefault(spec, 'backoffLimit', 6);
  setDefault(spec, 'completionMode', 'NonIndexed');
  setDefault(spec, 'suspend', false);
  labelAsPods(job);
}

/** A Job without labels has those of its pods: the same map, so that what is added for the selector is in both. Mutates. */
export function labelAsPods(job: JsonObject): void {
  const labels = labelsOf(objectAt(objectAt(job, 'spec'), 'template'));
  const metadata = makeObjectAt(job, 'metadata');
  if (Object.keys(labels).length > 0 && stringEntriesAt(metadata, 'labels').length === 0) metadata['labels'] = labels;
}

/** Defaults of the spec of a Job that is a template: those of its pods alone, because each Job is given its own. Mutates. */
export function defaultJobTemplate(spec: JsonObject): void {
  if (isSet(spec, 'template')) defaultPodTemplate(objectAt(spec, 'template'));
}

/** A new Job selects its pods by its own uid, unless its author chooses the selector. Mutates. */
export function selectByUid(job: JsonObject): void {
  const spec = makeObjectAt(job, 'spec');
  if (isTrue(spec, 'manualSelector')) return;
  const metadata = objectAt(job, 'metadata');
  const uid = stringAt(metadata, 'uid');
  const template = makeObjectAt(makeObjectAt(spec, 'template'), 'metadata');
  const labels = makeObjectAt(template, 'labels');
  setOwn(labels, 'job-name', stringAt(metadata, 'name'));
  setOwn(labels, 'controller-uid', uid);
  setOwn(makeObjectAt(makeObjectAt(spec, 'selector'), 'matchLabels'), 'controller-uid', uid);
  labelAsPods(job);
}
