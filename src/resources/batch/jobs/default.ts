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

/** Fills in the defaults of a Job that depend on other fields. Mutates. */
export function defaultJob(job: JsonObject): void {
  const spec = makeObjectAt(job, 'spec');
  defaultJobTemplate(spec);
  // Without `completions` and with `parallelism` the pods process a work queue.
  if (!isSet(spec, 'completions') && !isSet(spec, 'parallelism')) spec['completions'] = 1;
  setDefault(spec, 'parallelism', 1);
  setDefault(spec, 'backoffLimit', 6);
  setDefault(spec, 'completionMode', 'NonIndexed');
  setDefault(spec, 'suspend', false);
  labelAsPods(job);
}

/**
 * Gives a Job without labels the labels of its pod template. Both share one map, so that labels
 * which `selectByUid` adds are in both. Mutates.
 */
export function labelAsPods(job: JsonObject): void {
  const labels = labelsOf(objectAt(objectAt(job, 'spec'), 'template'));
  const metadata = makeObjectAt(job, 'metadata');
  if (Object.keys(labels).length > 0 && stringEntriesAt(metadata, 'labels').length === 0) metadata['labels'] = labels;
}

/**
 * Fills in the defaults of the pod template in the spec of a Job. A job template gets no other
 * defaults: each Job gets its own. Mutates.
 */
export function defaultJobTemplate(spec: JsonObject): void {
  if (isSet(spec, 'template')) defaultPodTemplate(objectAt(spec, 'template'));
}

/**
 * Sets the selector of a new Job to its uid, and adds the labels to the pod template. A manual
 * selector is kept. Mutates.
 */
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
