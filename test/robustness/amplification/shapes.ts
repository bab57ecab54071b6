import type { JsonObject, JsonValue } from '../../../src/meta/json-value.ts';
import { widgetsAt } from '../../http/custom-resources/widgets.ts';
import { applyShapes } from './apply-shapes.ts';
import { anything, create, keys, kindOf, maps, nested, patch, table, text, times } from './inputs.ts';
import { protobufShapes } from './protobuf-shapes.ts';
import { readShapes } from './read-shapes.ts';
import type { Shape, Sizes } from './shape.ts';
import { strategicShapes } from './strategic-shapes.ts';
import { webhookShapes } from './webhook-shapes.ts';

/** A rule of a list of texts, and an object of that kind. */
function ruleShape(name: string, rule: (sizes: Sizes) => string): Shape {
  return {
    name: `CEL: ${name}`,
    start: { rounds: 1, width: 1, items: 1, length: 1 },
    make: (sizes, group) => {
      const items = { type: 'string', maxLength: 10 };
      const list = { type: 'array', maxItems: 3, items, 'x-cluster-validations': [{ rule: rule(sizes) }] };
      const schema = { type: 'object', properties: { list } };
      const object = {
        kind: 'Widget',
        list: times(Math.min(sizes['items'] ?? 1, 3), () => text(Math.min(10, sizes['length'] ?? 1))),
      };
      return { definition: kindOf(group, schema), request: create(widgetsAt(group), object) };
    },
  };
}

const repeated = (step: (width: number) => string) => (sizes: Sizes) =>
  `self${step(Math.min(sizes['width'] ?? 1, 50)).repeat(Math.min(sizes['rounds'] ?? 1, 30))}.size() >= 0`;
const many = (part: string) => (width: number) => times(width, () => part).join();

/** A column of a path, and the Table of an object with parts inside of each other. */
function columnShape(name: string, step: string): Shape {
  return {
    name: `JSONPath: ${name}`,
    start: { steps: 2, depth: 10, width: 1, columns: 1 },
    make: ({ steps = 1, depth = 1, width = 1, columns = 1 }, group) => {
      const path = `.spec${step.repeat(Math.min(steps, 990 / step.length))}.zork`.slice(0, 1_000);
      const column = (index: number): JsonObject => ({ name: `c${index}`, type: 'string', jsonPath: path });
      const spec = nested(
        Math.min(depth, 900),
        times(Math.min(width, 30_000), () => ({ a: 1 })),
      );
      return {
        definition: kindOf(group, anything, { additionalPrinterColumns: times(Math.min(columns, 100), column) }),
        before: [create(widgetsAt(group), { kind: 'Widget', spec })],
        request: { method: 'GET', path: widgetsAt(group), accept: table },
      };
    },
  };
}

/** A patch of a stored object without a schema. */
function patchShape(
  name: string,
  type: string,
  document: (sizes: Sizes) => JsonValue,
  stored: (sizes: Sizes) => JsonValue,
): Shape {
  return {
    name: `patch: ${name}`,
    start: { count: 10, length: 10 },
    make: (sizes, group) => ({
      definition: kindOf(group, anything),
      before: [create(widgetsAt(group), { kind: 'Widget', spec: stored(sizes) })],
      request: patch(`${widgetsAt(group)}/a`, type, document(sizes)),
    }),
  };
}

const copies = ({ count = 1 }: Sizes): JsonValue =>
  times(count, (index) => ({ op: 'copy', from: '/spec', path: `/spec/c${index}` }));

/** Every shape that the search grows: those of the worst finds first. */
export const shapes: readonly Shape[] = [
  ruleShape(
    'format() of texts that it made',
    repeated((width) => `.map(a, "${'%s'.repeat(width)}".format([${many('a')(width)}]))`),
  ),
  ruleShape(
    'join() of texts that it made',
    repeated((width) => `.map(a, [${many('a')(width)}].join())`),
  ),
  ruleShape(
    'replace() in texts that it made',
    repeated(() => '.map(a, a.replace("", a))'),
  ),
  ruleShape(
    'lists that are added',
    repeated(() => '.map(a, [a] + [a]).map(a, a[0])'),
  ),
  ruleShape(
    'equality of lists in themselves',
    (sizes) => `${repeated((width) => `.map(a, [${many('a')(width)}])`)(sizes).replace('.size() >= 0', '')} != []`,
  ),
  columnShape('descendants', '..a'),
  columnShape('all descendants', '..*'),
  columnShape('unions', "['a','a']"),
  columnShape('filters', '[?(@..a..a)]'),
  {
    name: 'YAML: aliases of a text',
    start: { length: 100, aliases: 10 },
    make: ({ length, aliases = 1 }) => {
      const head = `kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\ndata:\n  a: &a ${text(length)}\n`;
      const body = head + times(aliases, (index) => `  k${index}: *a\n`).join('');
      return { request: { method: 'POST', path: maps, contentType: 'application/yaml', body } };
    },
  },
  {
    name: 'YAML: aliases of aliases',
    start: { depth: 2, width: 2 },
    make: ({ depth = 1, width = 1 }) => {
      const level = (index: number): string =>
        `l${index}: &l${index} [${many(index === 0 ? 'x' : `*l${index - 1}`)(width)}]\n`;
      const body = times(depth, level).join('');
      return { request: { method: 'POST', path: maps, contentType: 'application/yaml', body } };
    },
  },
  {
    name: 'JSON: a create of many keys',
    start: { keys: 100, length: 1 },
    make: ({ keys: count = 1, length }) => ({ request: create(maps, { data: keys(count, text(length)) }) }),
  },
  {
    name: 'JSON: nested objects without a schema',
    start: { depth: 10, width: 10 },
    make: ({ depth = 1, width = 1 }, group) => ({
      definition: kindOf(group, anything),
      request: create(widgetsAt(group), { kind: 'Widget', spec: nested(Math.min(depth, 990), keys(width, 1)) }),
    }),
  },
  {
    name: 'defaults of many items',
    start: { length: 100, items: 10 },
    make: ({ length, items = 1 }, group) => {
      const properties = { text: { type: 'string', default: text(length) } };
      const list = { type: 'array', items: { type: 'object', properties } };
      const schema = { type: 'object', properties: { list } };
      return {
        definition: kindOf(group, schema),
        request: create(widgetsAt(group), { kind: 'Widget', list: times(items, () => ({})) }),
      };
    },
  },
  patchShape('copies of copies', 'json-patch+json', copies, ({ length = 1 }) => keys(length, 1)),
  patchShape(
    'a merge of nulls',
    'merge-patch+json',
    ({ count = 1 }) => ({ spec: keys(count, null) }),
    ({ count = 1 }) => keys(count, 1),
  ),
  patchShape(
    'a merge of nulls that are missing',
    'merge-patch+json',
    ({ count = 1 }) => ({ spec: keys(count, null) }),
    () => ({}),
  ),
  patchShape(
    'removals from the front of a list',
    'json-patch+json',
    ({ count = 1 }) => times(count, () => ({ op: 'remove', path: '/spec/0' })),
    ({ count = 1, length }) => times(count, () => text(length)),
  ),
  {
    name: 'selectors of many values',
    start: { values: 10, requirements: 1 },
    make: ({ values = 1, requirements = 1 }) => {
      const part = `a in (${times(values, (index) => `v${index}`).join()})`;
      const selector = times(requirements, () => part)
        .join()
        .slice(0, 60_000)
        .replace(/[^)]*$/, '');
      return {
        request: { method: 'GET', path: `${maps}?labelSelector=${encodeURIComponent(selector).slice(0, 60_000)}` },
      };
    },
  },
  ...protobufShapes,
  ...strategicShapes,
  ...applyShapes,
  ...webhookShapes,
  ...readShapes,
];
