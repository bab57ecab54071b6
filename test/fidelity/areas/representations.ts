import { itemPath } from '../bodies/base-object.ts';
import { chance, times } from '../choices.ts';
import type { Random } from '../../robustness/random.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';
import { type Area, leftoversOf } from './area.ts';
import { createStep } from './write-steps.ts';

const metadataOnly = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
const metadataList = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Media types, alone and with fallbacks, those that nobody has included. */
const accepts: readonly string[] = [
  metadataOnly,
  metadataList,
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1beta1',
  'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1beta1',
  `${metadataOnly}, application/json`,
  'application/yaml',
  'application/json;q=0.5, application/yaml;q=0.9',
  '*/*',
  'application/*',
  'text/html',
  'text/html, */*;q=0.1',
  'application/json;as=Unknown;g=meta.k8s.io;v=v1',
  'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v2',
  'application/json;pretty=1',
  'application/json;charset=utf-8',
  '',
];

/** Objects and lists in the forms that a client can ask for. */
export const representations: Area = {
  name: 'representations',
  draw(random, subject) {
    const written = { subject, name: '{{name}}', managers: 2 };
    const steps = [createStep(random, written, 3), ...times(random.between(3, 8), () => step(random, subject))];
    return { area: 'representations', kind: subject.key, steps, leftovers: leftoversOf(subject, [itemPath(subject)]) };
  },
};

function step(random: Random, subject: Subject): SequenceStep {
  const accept = random.pick(accepts);
  const path = random.pick([itemPath(subject), itemPath(subject), `${subject.collection}/absent`]);
  if (chance(random, 0.2)) {
    const body = { metadata: { labels: { app: random.pick(['x', 'y']) } } };
    return { method: 'PATCH', path, accept, type: 'application/merge-patch+json', body };
  }
  if (!chance(random, 0.4)) return { method: 'GET', path, accept };
  // Objects outside namespaces are set apart by their names.
  const query: Record<string, string> = subject.info.namespaced ? {} : { fieldSelector: 'metadata.name={{name}}' };
  return { method: 'GET', path: subject.collection, accept, query };
}
