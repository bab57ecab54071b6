import type { Verb } from '../../registry/definition/resource-definition.ts';
import type { ObjectSchema, Schema } from '../../scheme/model/schema.ts';
import { isSince, newestRelease } from '../../scheme/api-release.ts';
import type { Parameter } from './operation.ts';

type QueryRow = readonly [type: Parameter['type'], description: string];

/** The query parameters of all verbs (spec 4.2). */
const queries = {
  allowWatchBookmarks: ['boolean', 'Asks a watch for BOOKMARK events, which only carry a resourceVersion.'],
  continue: [
    'string',
    'The token of a previous page; the list continues after it. It expires with the history of the server.',
  ],
  dryRun: ['string', 'With All every step is performed except the write to the store.'],
  fieldManager: ['string', 'The manager that will own the changed fields: at most 128 printable characters.'],
  fieldValidation: [
    'string',
    'How unknown and duplicate fields are treated. Ignore drops them, Warn (the default) adds a warning for each, Strict refuses the request.',
  ],
  fieldSelector: ['string', 'Selects objects by their fields; absent, all are selected.'],
  force: ['boolean', 'An apply takes fields over from the managers that it conflicts with. Only for applies.'],
  gracePeriodSeconds: [
    'integer',
    'Seconds until the object is removed; 0 removes it at once. Absent, the kind decides.',
  ],
  ignoreStoreReadErrorWithClusterBreakingPotential: [
    'boolean',
    'Deletes an object whose stored value cannot be read, without its finalizers; no other object, and no collection.',
  ],
  labelSelector: ['string', 'Selects objects by their labels; absent, all are selected.'],
  limit: ['integer', 'The greatest number of items in the response. If there are more, it holds a token to continue.'],
  orphanDependents: [
    'boolean',
    'Deprecated in favour of propagationPolicy, and exclusive with it: true keeps dependents.',
  ],
  pretty: ['string', 'If true, the response is indented.'],
  propagationPolicy: [
    'string',
    'What happens to dependents: Orphan keeps them, Background deletes them afterwards, Foreground before the object.',
  ],
  resourceVersion: ['string', 'The state from which a get, a list or a watch may be served; absent, the newest.'],
  resourceVersionMatch: ['string', 'How a list applies resourceVersion: Exact or NotOlderThan.'],
  sendInitialEvents: [
    'boolean',
    'A watch begins with the present objects and a BOOKMARK after the last of them; with resourceVersionMatch NotOlderThan.',
  ],
  shardSelector: [
    'string',
    'Selects objects by ranges of the hash of a field: shardRange(object.metadata.uid, first, end), several joined by ||.',
  ],
  timeoutSeconds: ['integer', 'Limits the duration of a list or a watch.'],
  watch: ['boolean', 'Streams the changes of the objects, instead of a list.'],
} as const satisfies Readonly<Record<string, QueryRow>>;

type Query = keyof typeof queries;

/** The first release of the parameters that some releases lack. */
const since: Partial<Readonly<Record<Query, string>>> = { sendInitialEvents: '1.27', shardSelector: '1.36' };

const list: readonly Query[] = [
  'allowWatchBookmarks',
  'continue',
  'fieldSelector',
  'labelSelector',
  'limit',
  'resourceVersion',
  'resourceVersionMatch',
  'sendInitialEvents',
  'shardSelector',
  'timeoutSeconds',
  'watch',
];
const write: readonly Query[] = ['dryRun', 'fieldManager', 'fieldValidation'];
const remove: readonly Query[] = [
  'dryRun',
  'gracePeriodSeconds',
  'ignoreStoreReadErrorWithClusterBreakingPotential',
  'orphanDependents',
  'propagationPolicy',
];

/** The query parameters of each verb, without `pretty`, which all take. */
const ofVerbs: Readonly<Record<Verb, readonly Query[]>> = {
  get: [],
  list,
  watch: list,
  create: write,
  update: write,
  patch: [...write, 'force'],
  delete: remove,
  deletecollection: [
    ...remove,
    'continue',
    'fieldSelector',
    'labelSelector',
    'limit',
    'resourceVersion',
    'resourceVersionMatch',
    'sendInitialEvents',
    'shardSelector',
    'timeoutSeconds',
  ],
};

/** The parameters of the verbs of custom kinds, where they differ. */
const ofCustomVerbs: Partial<typeof ofVerbs> = { get: ['resourceVersion'], deletecollection: list };

/**
 * Returns the query parameters of a verb in a release, by default the newest. `isCustom` is true
 * for custom kinds.
 */
export function queryParameters(verb: Verb, release: string = newestRelease, isCustom = false): readonly Parameter[] {
  const described = (isCustom ? ofCustomVerbs[verb] : undefined) ?? ofVerbs[verb];
  const names = described.filter((name) => isSince(release, since[name] ?? '1.0'));
  return [...names, 'pretty' as const].map((name) => queryOf[name]);
}

/** The same objects in all documents. */
const queryOf = Object.fromEntries(
  Object.entries(queries).map(([name, [type, description]]) => [name, { name, in: 'query', type, description }]),
  // It has the keys of `queries`.
) as Readonly<Record<Query, Parameter>>;

/** Returns the parameters in braces of a path. `kind` is the kind of the object with the name. */
export function pathParameters(path: string, kind: string): readonly Parameter[] {
  const descriptions: Readonly<Record<string, string>> = {
    name: `Name of the ${kind}.`,
    namespace: 'The namespace of the objects.',
    path: 'The path that the request is forwarded to.',
  };
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    type: 'string',
    description: descriptions[name] ?? '',
  }));
}

/** Returns the fields of a message as query parameters; structures have no form in a query. */
export function fieldParameters(schema: ObjectSchema): readonly Parameter[] {
  return [...schema.fields.values()].flatMap(({ name, schema: value, description = '' }) => {
    const type = queryType(value);
    return type ? [{ name, in: 'query' as const, type, description }] : [];
  });
}

function queryType(schema: Schema): Parameter['type'] | undefined {
  if (schema.type === 'list') return queryType(schema.items);
  return queryTypes.get(schema.type);
}

const queryTypes: ReadonlyMap<Schema['type'], Parameter['type']> = new Map<Schema['type'], Parameter['type']>([
  ['string', 'string'],
  ['bool', 'boolean'],
  ['int32', 'integer'],
  ['int64', 'integer'],
]);

/** Sorts by name, and parameters of the path before parameters of the query. */
export function inOrder(parameters: readonly Parameter[]): readonly Parameter[] {
  return parameters.toSorted((a, b) => (a.name === b.name ? order(a.in, b.in) : order(a.name, b.name)));
}

function order(a: string, b: string): number {
  return a < b ? -1 : 1;
}
