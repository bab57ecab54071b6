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
import { labelsOf } from '../../rules/labels.ts';

/** Defaults of a Job that depend on other fields. Mutates. */
export function defaultJob(job: JsonObject): void {
  const spec = makeObjectAt(job, 'spec');
  defaultJobSpec(spec);
  labelAsPods(job);
}

/** A Job without labels has those of its pods. */
function labelAsPods(job: JsonObject): void {
  const labels = labelsOf(objectAt(objectAt(job, 'spec'), 'template'));
  const metadata = makeObjectAt(job, 'metadata');
  if (Object.keys(labels).length > 0 && stringEntriesAt(metadata, 'labels').length === 0) {
    metadata['labels'] = structuredClone(labels);
  }
}

/** Defaults of the spec of a Job, also where it is a template. Mutates. */
export function defaultJobSpec(spec: JsonObject): void {
  if (isSet(spec, 'template')) defaultPodTemplate(objectAt(spec, 'template'));
  // A work queue has no completions; one pod at a time works on it.
  if (!isSet(spec, 'completions') && !isSet(spec, 'parallelism')) spec['completions'] = 1;
  setDefault(spec, 'parallelism', 1);
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
