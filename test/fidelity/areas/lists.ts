import { type JsonObject, isJsonObject } from '../../../src/meta/json-value.ts';
import type { Random } from '../../robustness/random.ts';
import { baseObject, itemPath } from '../bodies/base-object.ts';
import { chance, some, times, weighted } from '../choices.ts';
import { valueAt } from '../json-paths.ts';
import type { SequenceStep } from '../sequence.ts';
import type { Subject } from '../subjects.ts';
import { type Area, leftoversOf } from './area.ts';
import { labelValues, listLabels, randomFieldSelector, randomLabelSelector } from './random-selectors.ts';
import { patchTypes } from './write-steps.ts';

/** Lists, pages and gets of a few objects with labels, under all query parameters that a read has. */
export const lists: Area = {
  name: 'lists',
  takes: ({ info, version }) => version.verbs.includes('list') && !namedBySpec.has(info.resource),
  draw(random, subject) {
    const names = times(random.between(4, 8), (index) => objectName(subject, index + 1));
    const first = names[0] ?? '';
    const steps: SequenceStep[] = [
      ...names.map((name, index) => create(random, subject, name, `rv${index % 3}`)),
      annotate(itemPath(subject, first)),
      { method: 'GET', path: subject.collection, query: ownQuery(subject), remember: 'list' },
      ...times(random.between(12, 22), () => read(random, subject, first)),
    ];
    const leftovers = leftoversOf(
      subject,
      names.map((name) => itemPath(subject, name)),
    );
    return { area: 'lists', kind: subject.key, steps, leftovers };
  },
};

/** Kinds whose names follow from their specs; each of them makes a kube-apiserver rebuild what it publishes. */
export const namedBySpec: ReadonlySet<string> = new Set(['customresourcedefinitions', 'apiservices']);

/** Objects outside namespaces are told from those of others by their names and a label. */
function objectName({ info }: Subject, index: number): string {
  return info.namespaced ? `o${index}` : `{{name}}-o${index}`;
}

/** The label that every object of the sequence has where its namespace does not set it apart. */
function ownLabels({ info }: Subject): Record<string, string> {
  return info.namespaced ? {} : { run: '{{name}}' };
}

function ownQuery({ info }: Subject): Record<string, string> {
  return info.namespaced ? {} : { labelSelector: 'run={{name}}' };
}

function create(random: Random, subject: Subject, name: string, remember: string): SequenceStep {
  const object = baseObject(subject, name);
  const labels = Object.fromEntries(some(random, listLabels, 0, 4).map((key) => [key, random.pick(labelValues)]));
  const metadata = isJsonObject(object['metadata']) ? object['metadata'] : {};
  object['metadata'] = { ...metadata, labels: { ...ownLabels(subject), ...labels } };
  return { method: 'POST', path: subject.collection, body: assigned(random, subject, object), remember };
}

/** Pods are selected by the node they are on. */
function assigned(random: Random, { info }: Subject, object: JsonObject): JsonObject {
  if (info.resource !== 'pods' || !chance(random, 0.4)) return object;
  const spec = valueAt(object, ['spec']);
  return isJsonObject(spec) ? { ...object, spec: { ...spec, nodeName: 'n1' } } : object;
}

function annotate(path: string): SequenceStep {
  return { method: 'PATCH', path, type: patchTypes.merge, body: { metadata: { annotations: { t: 't' } } } };
}

/** What each kind can be selected by, besides its name. */
const ownFields: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'status.phase',
    'spec.nodeName',
    'spec.restartPolicy',
    'status.podIP',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'status.nominatedNodeName',
    'status.podIPs',
  ],
  secrets: ['type'],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase'],
  jobs: ['status.successful'],
  events: ['involvedObject.kind', 'involvedObject.namespace', 'reason', 'type', 'source', 'regarding.name'],
  replicasets: ['status.replicas'],
  replicationcontrollers: ['status.replicas'],
  certificatesigningrequests: ['spec.signerName'],
};

const versions: readonly string[] = [
  '{{list.rv}}',
  '0',
  '',
  '{{rv0.rv}}',
  '{{rv1.rv}}',
  '{{rv2.rv}}',
  '1',
  'abc',
  '-1',
  '{{list.rv}}',
  '01',
  '1.5',
];
const limits: readonly string[] = ['1', '2', '3', '5', '0', '100', '-1', 'x', '', '2.5', '99999999999999999999'];
const matches: readonly string[] = ['Exact', 'NotOlderThan', 'Exact', 'NotOlderThan', 'unknown', '', 'exact'];
const tokens: readonly string[] = ['{{page.continue}}', '{{page.continue}}', '{{page.continue}}', 'abc', ''];

/** Each parameter with the share of requests that have it. */
const parameters: readonly (readonly [name: string, share: number, values: readonly string[]])[] = [
  ['limit', 0.4, limits],
  ['resourceVersion', 0.35, versions],
  ['resourceVersionMatch', 0.25, matches],
  ['continue', 0.15, tokens],
  ['timeoutSeconds', 0.06, ['5', 'x', '0', '-1', '']],
  ['pretty', 0.04, ['true', 'false', 'x']],
  ['allowWatchBookmarks', 0.03, ['true', 'x', '']],
  ['watch', 0.06, ['false', '0', 'FALSE', 'true', '1', 'x', '']],
  ['unknown', 0.03, ['1']],
];

function read(random: Random, subject: Subject, name: string): SequenceStep {
  const verb = weighted(random, {
    list: 20,
    remove: subject.version.verbs.includes('deletecollection') ? 0.7 : 0,
    get: 1,
  });
  if (verb === 'get') {
    return { method: 'GET', path: itemPath(subject, name), query: { resourceVersion: random.pick(versions) } };
  }
  const query = listQuery(random, subject);
  // The reference ends such a watch before or after the first events.
  const anyBody = isWatch(query) ? { anyBody: true } : {};
  if (verb === 'list') return { method: 'GET', path: subject.collection, query, remember: 'page', ...anyBody };
  return {
    method: 'DELETE',
    path: subject.collection,
    query: chance(random, 0.7) ? { ...query, dryRun: 'All' } : query,
  };
}

function listQuery(random: Random, subject: Subject): Record<string, string> {
  const query: Record<string, string> = {};
  const selectors = [
    ...Object.values(ownQuery(subject)),
    ...(chance(random, 0.4) ? [randomLabelSelector(random)] : []),
  ];
  if (selectors.length > 0) query['labelSelector'] = selectors.join(',');
  if (chance(random, 0.25))
    query['fieldSelector'] = randomFieldSelector(random, ownFields[subject.info.resource] ?? []);
  for (const [name, share, values] of parameters) if (chance(random, share)) query[name] = random.pick(values);
  return isWatch(query) ? { ...query, timeoutSeconds: '-1' } : query;
}

/** A watch, which ends at once under a negative timeout. */
function isWatch({ watch }: Readonly<Record<string, string>>): boolean {
  return watch !== undefined && !/^(?:0|false)$/i.test(watch);
}
