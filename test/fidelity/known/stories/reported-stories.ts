import { answer, apply, apps, deletion, failure, owned, pods, refusalOf, refusalWith, type Story } from './story.ts';

/** Stories that are like explained ones, and that no row explains. */
export const reportedStories: readonly Story[] = [
  {
    name: 'a zero',
    kind: apps,
    reference: answer(200, { spec: { replicas: 1 } }),
    ours: answer(200, { spec: { replicas: 0 } }),
  },
  {
    name: 'a second mistake in a field',
    kind: apps,
    reference: refusalWith('spec.replicas: a', 'spec.replicas: b'),
    ours: refusalWith('spec.replicas: a'),
  },
  {
    name: 'another field of a patch that takes items away',
    kind: pods,
    step: deletion,
    reference: answer(200, { metadata: {} }),
    ours: answer(200, { metadata: { labels: { a: 'b' } } }),
  },
  {
    name: 'a field that another manager owns',
    kind: apps,
    reference: answer(200, owned({ 'f:spec': { 'f:replicas': {} } })),
    ours: answer(200, owned({ 'f:spec': { 'f:paused': {} } })),
  },
  { name: 'a write that 500 refuses and ours takes', kind: pods, reference: failure(500), ours: answer(200, {}) },
  {
    name: 'a HEAD that is not like the GET',
    kind: pods,
    step: { method: 'HEAD' },
    reference: answer(405, { likeGet: false }),
    ours: answer(200, { likeGet: false }),
  },
  {
    name: 'a conflict that only ours has',
    kind: pods,
    step: apply,
    reference: answer(200, {}),
    ours: failure(409, '', ['.spec.replicas']),
  },
  {
    name: 'an update of an event that has another namespace',
    kind: 'events/v1/events',
    step: { method: 'PUT' },
    reference: answer(200, {}),
    ours: refusalOf({ 'involvedObject.namespace': 'Invalid value: "": does not match event.namespace' }),
  },
  {
    name: 'a node that is refused for more than its networks',
    kind: 'core/v1/nodes',
    reference: answer(200, {}),
    ours: refusalOf({ 'spec.podCIDRs': 'Forbidden: no', 'spec.providerID': 'Forbidden: no' }),
  },
  {
    name: 'an event that ours leaves out',
    kind: pods,
    reference: answer(200, { events: { a: [{ type: 'DELETED', object: { metadata: {} } }] } }),
    ours: answer(200, { events: {} }),
  },
  {
    name: 'a field that only ours has in another kind',
    kind: pods,
    reference: answer(200, {}),
    ours: answer(200, { spec: { suspend: false } }),
  },
];
