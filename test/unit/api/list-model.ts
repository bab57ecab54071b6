import assert from 'node:assert/strict';
import { encodeYaml } from '../../../src/codec/encode-yaml.ts';
import type { JsonValue } from '../../../src/meta/json-value.ts';
import type { ObjectStore } from '../../../src/storage/port/object-store.ts';
import { decodeStoredObject } from '../../../src/storage/objects/stored-object.ts';

/**
 * Which objects a list selects; made of labels and a name, as a client writes it and as a function.
 */
export interface Selection {
  readonly query: string;
  readonly selects: (name: string, labels: Readonly<Record<string, string>>) => boolean;
}

const label = (text: string): string => `labelSelector=${encodeURIComponent(text)}`;

/** Selections of all, of nearly all, of runs, of a few scattered objects, and of one. */
export const selections: readonly Selection[] = [
  { query: '', selects: () => true },
  { query: label('!canary'), selects: (_name, labels) => labels['canary'] === undefined },
  { query: label('canary'), selects: (_name, labels) => labels['canary'] !== undefined },
  { query: label('tier=a'), selects: (_name, labels) => labels['tier'] === 'a' },
  { query: label('tier in (a,b)'), selects: (_name, labels) => ['a', 'b'].includes(labels['tier'] ?? '') },
  {
    query: label('tier!=a,!canary'),
    selects: (_name, labels) => labels['tier'] !== 'a' && labels['canary'] === undefined,
  },
  { query: 'fieldSelector=metadata.name!%3Dm007', selects: (name) => name !== 'm007' },
  { query: 'fieldSelector=metadata.name%3Dm011', selects: (name) => name === 'm011' },
];

/**
 * How a list is asked for, and how it has to be written: of its head, and the JSON of its items.
 */
export interface Form {
  readonly name: string;
  readonly accept: string;
  readonly query: string;
  /** Checks a whole answer against the JSON of the list that it must be. */
  check(response: string, list: string): void;
}

const json = 'application/json';
const as = (shape: string): string => `${json};as=${shape};v=v1;g=meta.k8s.io`;

interface ListValue {
  readonly items: readonly { readonly metadata: { readonly name: string } }[];
}

/** Text is compared as bytes; Tables and metadata are compared as values. */
export const forms: readonly Form[] = [
  { name: 'plain', accept: json, query: '', check: (response, list) => assertSame(response, `${list}\n`) },
  {
    name: 'indented',
    accept: json,
    query: 'pretty=1',
    check: (response, list) => assertSame(response, JSON.stringify(JSON.parse(list), null, 2)),
  },
  {
    name: 'YAML',
    accept: 'application/yaml',
    query: '',
    // The list is JSON.
    check: (response, list) => assertSame(response, encodeYaml(JSON.parse(list) as JsonValue)),
  },
  {
    name: 'Table',
    accept: as('Table'),
    query: '',
    check: (response, list) => {
      const { rows } = JSON.parse(response) as { rows: { cells: string[]; object: { metadata: unknown } }[] };
      const { items } = JSON.parse(list) as ListValue;
      assert.deepEqual(
        rows.map((row) => [row.cells[0], row.object.metadata]),
        items.map(({ metadata }) => [metadata.name, metadata]),
      );
    },
  },
  {
    name: 'metadata',
    accept: as('PartialObjectMetadataList'),
    query: '',
    check: (response, list) => {
      const { items } = JSON.parse(response) as { items: ListValue['items'] | null };
      const wanted = (JSON.parse(list) as ListValue).items.map(({ metadata }) => metadata);
      assert.deepEqual(items?.map(({ metadata }) => metadata) ?? null, wanted.length === 0 ? null : wanted);
    },
  },
];

/** Unlike `assert.equal`, says where two long texts differ instead of showing both. */
function assertSame(actual: string, expected: string): void {
  if (actual === expected) return;
  let at = 0;
  while (actual[at] === expected[at]) at++;
  const near = (text: string): string => JSON.stringify(text.slice(Math.max(0, at - 60), at + 60));
  assert.fail(
    `${actual.length} instead of ${expected.length} characters; ${near(actual)} instead of ${near(expected)}`,
  );
}

/**
 * The JSON of the items that the store has at a revision in a namespace ('' is all), straight from
 * its bytes.
 */
export async function storedItems(
  store: ObjectStore,
  revision: number,
  namespace: string,
  { selects }: Selection,
): Promise<string[]> {
  const items: string[] = [];
  const prefix = `/registry/configmaps/${namespace === '' ? '' : `${namespace}/`}`;
  for await (const page of store.list(prefix, { revision })) {
    for (const stored of page.values) {
      const layout = decodeStoredObject(stored.key, stored.value);
      const { json: bytes, metadataOffset, revisionOffset } = layout;
      const written = bytes.subarray(metadataOffset, revisionOffset).toString();
      const text = `{${written},"resourceVersion":"${stored.revision}"${bytes.subarray(revisionOffset).toString()}`;
      const { metadata } = JSON.parse(text) as { metadata: { name: string; labels?: Record<string, string> } };
      if (selects(metadata.name, metadata.labels ?? {})) items.push(text);
    }
  }
  return items;
}

/** Numbers that look random and follow from a seed (mulberry32). */
export function seeded(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}
