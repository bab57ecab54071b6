import { response, apply, apps, deletion, failure, owned, pods, refusalOf, refusalWith, type Story } from './story.ts';

/** Stories that are like explained ones, and that no row explains. */
export const reportedStories: readonly Story[] = [
  {
    name: 'a zero',
    kind: apps,
    reference: response(200, { spec: { replicas: 1 } }),
    ours: response(200, { spec: { replicas: 0 } }),
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
    reference: response(200, { metadata: {} }),
    ours: response(200, { metadata: { labels: { a: 'b' } } }),
  },
  {
    name: 'a field that another manager owns',
    kind: apps,
    reference: response(200, owned({ 'f:spec': { 'f:replicas': {} } })),
    ours: response(200, owned({ 'f:spec': { 'f:paused': {} } })),
  },
  { name: 'a write that 500 refuses and ours takes', kind: pods, reference: failure(500), ours: response(200, {}) },
  {
    name: 'a HEAD that is not like the GET',
    kind: pods,
    step: { method: 'HEAD' },
    reference: response(405, { likeGet: false }),
    ours: response(200, { likeGet: false }),
  },
  {
    name: 'a conflict that only ours has',
    kind: pods,
    step: apply,
    reference: response(200, {}),
    ours: failure(409, '', ['.spec.replicas']),
  },
  {
    name: 'an update of an event that has another namespace',
    kind: 'events/v1/events',
    step: { method: 'PUT' },
    reference: response(200, {}),
    ours: refusalOf({ 'involvedObject.namespace': 'Invalid value: "": does not match event.namespace' }),
  },
  {
    name: 'a node that is refused for more than its networks',
    kind: 'core/v1/nodes',
    reference: response(200, {}),
    ours: refusalOf({ 'spec.podCIDRs': 'Forbidden: no', 'spec.providerID': 'Forbidden: no' }),
  },
  {
    name: 'an event that ours leaves out',
    kind: pods,
    reference: response(200, { events: { a: [{ type: 'DELETED', object: { metadata: {} } }] } }),
    ours: response(200, { events: {} }),
  },
  {
    name: 'a field that only ours has in another kind',
    kind: pods,
    reference: response(200, {}),
    ours: response(200, { spec: { suspend: false } }),
  },
];
