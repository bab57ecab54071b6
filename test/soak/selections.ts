import type { ObjectVersion } from './object-history.ts';

/** A set of ConfigMaps that lists and watches ask for, and the model's own rule for it. */
export interface Selection {
  readonly path: string;
  /** Query parameters that select. */
  readonly query: Readonly<Record<string, string>>;
  readonly covers: (version: Pick<ObjectVersion, 'key' | 'labels'>) => boolean;
}

/** The namespaces whose objects are written one by one; `batch` is filled and emptied as a whole. */
export const namespaces: readonly string[] = ['default', 'other'];

/** The values of the label `color`. */
export const colors: readonly string[] = ['red', 'green', 'blue'];

const everywhere = '/api/v1/configmaps';
const inDefault = '/api/v1/namespaces/default/configmaps';
const inBatch = '/api/v1/namespaces/batch/configmaps';

/** Every object, a namespace, selectors that match nearly all, a third, two thirds and one. */
export const selections: readonly Selection[] = [
  { path: everywhere, query: {}, covers: () => true },
  { path: inDefault, query: {}, covers: ({ key }) => key.startsWith('default/') },
  { path: everywhere, query: { labelSelector: '!canary' }, covers: ({ labels }) => !('canary' in labels) },
  { path: everywhere, query: { labelSelector: 'color=red' }, covers: ({ labels }) => labels['color'] === 'red' },
  {
    path: everywhere,
    query: { labelSelector: 'color in (red,green),!canary' },
    covers: ({ labels }) => ['red', 'green'].includes(labels['color'] ?? '') && !('canary' in labels),
  },
  {
    path: inDefault,
    query: { labelSelector: '!canary' },
    covers: ({ key, labels }) => key.startsWith('default/') && !('canary' in labels),
  },
  { path: inBatch, query: {}, covers: ({ key }) => key.startsWith('batch/') },
  {
    path: inBatch,
    query: { labelSelector: '!canary' },
    covers: ({ key, labels }) => key.startsWith('batch/') && !('canary' in labels),
  },
  {
    path: inDefault,
    query: { fieldSelector: 'metadata.name=object-7' },
    covers: ({ key }) => key === 'default/object-7',
  },
];
