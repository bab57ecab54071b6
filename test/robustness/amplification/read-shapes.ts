import type { JsonObject } from '../../../src/meta/json-value.ts';
import { widgetsAt } from '../../http/custom-resources/widgets.ts';
import { anything, create, keys, kindOf, maps, nested, patch, table, text, times } from './inputs.ts';
import type { SentRequest, Shape, Sizes } from './shape.ts';

/** Enough to read what a watch begins with. */
const readForMs = 1_500;

/** ConfigMaps with labels. */
function objects({ objects: count = 1, labels = 1, length }: Sizes): SentRequest[] {
  return times(Math.min(count, 100), (index) =>
    create(maps, {
      metadata: { name: `o${index}`, labels: keys(Math.min(labels, 5_000), `v${index}`) },
      data: { a: text(Math.min(length ?? 1, 100_000)) },
    }),
  );
}

/** A read of many objects whose query grows. */
function queryShape(name: string, query: (sizes: Sizes) => string, rest: Partial<SentRequest> = {}): Shape {
  return {
    name: `options: ${name}`,
    start: { objects: 5, labels: 2, length: 1, terms: 2 },
    make: (sizes) => ({
      before: objects(sizes),
      request: { method: 'GET', path: `${maps}?${query(sizes)}`, ...rest },
    }),
  };
}

const selector = ({ terms = 1 }: Sizes): string =>
  times(terms, (index) => `key${index % 50} notin (a${index})`)
    .join()
    .slice(0, 15_000)
    .replace(/,[^,]*$/, '');
const selected = (sizes: Sizes): string => `labelSelector=${encodeURIComponent(selector(sizes))}`;
const fields = ({ terms = 1 }: Sizes): string =>
  `fieldSelector=${encodeURIComponent(times(Math.min(terms, 2_500), (index) => `metadata.name!=n${index}`).join())}`;

/** A path of the sub-resource scale, and the object that it is read from. */
function scaleShape(name: string, selectorOf: (sizes: Sizes) => string): Shape {
  return {
    name: `scale: ${name}`,
    start: { steps: 2, length: 10 },
    make: (sizes, group) => {
      const depth = Math.min(sizes['steps'] ?? 1, 300);
      const path = `.spec${'.a'.repeat(depth)}`;
      const scale = {
        specReplicasPath: `${path}.n`,
        statusReplicasPath: '.status.n',
        labelSelectorPath: '.status.selector',
      };
      const spec = nested(depth, { n: 1 });
      const status: JsonObject = { n: 1, selector: selectorOf(sizes) };
      return {
        definition: kindOf(group, anything, { subresources: { scale } }),
        before: [create(widgetsAt(group), { kind: 'Widget', spec, status })],
        request: patch(`${widgetsAt(group)}/a/scale`, 'merge-patch+json', { spec: { replicas: 2 } }),
      };
    },
  };
}

/** Options of lists and watches, and what is read of objects by a path of their definition. */
export const readShapes: readonly Shape[] = [
  queryShape('a list by a label selector', selected),
  queryShape('a list by a field selector', fields),
  queryShape('a Table by a label selector', selected, { accept: table }),
  queryShape('a page of a list', ({ terms = 1 }) => `limit=${terms}`),
  queryShape('a list as YAML', () => 'limit=500', { accept: 'application/yaml' }),
  queryShape('a list in Protobuf', () => 'limit=500', { accept: 'application/vnd.cluster.protobuf' }),
  queryShape('the metadata of a list', () => '', {
    accept: 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.cl.io',
  }),
  queryShape('a watch by a label selector', (sizes) => `watch=1&timeoutSeconds=1&${selected(sizes)}`, { readForMs }),
  queryShape('a watch with initial events', () => 'watch=1&timeoutSeconds=1&resourceVersion=0', { readForMs }),
  queryShape('a watch as Tables', () => 'watch=1&timeoutSeconds=1', { readForMs, accept: table }),
  {
    name: 'options: a delete of a collection by a selector',
    start: { objects: 5, labels: 2, length: 1, terms: 2 },
    make: (sizes) => ({
      before: objects(sizes),
      request: { method: 'DELETE', path: `${maps}?${selected(sizes)}` },
    }),
  },
  scaleShape('long selectors', ({ length = 1 }) => times(Math.min(length, 200_000), (index) => `k${index}=v`).join()),
  scaleShape(
    'sets in a selector',
    ({ length = 1 }) => `a in (${times(Math.min(length, 200_000), (index) => `v${index}`).join()})`,
  ),
];
