import * as fc from 'fast-check';
import { stringify } from 'yaml';
import type { Identifiers } from '../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../src/meta/json-value.ts';
import { builtInCatalogue } from '../../src/catalogue/definitions.ts';
import type { ResourceDefinition } from '../../src/registry/definition/resource-definition.ts';
import { minimalObject } from './minimal-objects.ts';

/** A request that somebody malicious, or merely broken, might send. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  readonly headers: Record<string, string>;
}

const texts = [
  '',
  ' ',
  '.',
  '..',
  '/',
  'a/b',
  '%',
  '%00',
  '\0',
  '\ud800',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',

  '<script>',
  'a\r\nb: c',
  '\u001b[31m',
  '😀',
  '-1',
  '0',
  '1e400',
  'true',
  'null',
  '*',
  'a=b',
  '$patch',
  'x'.repeat(300),
  '2020-13-45T99:99:99Z',
  '0001-01-01T00:00:00Z',
  '1Ei9',
  '1e1000',
  '-0',
  '010.0.0.1',
  '::ffff:1.2.3.4%eth0',
  '10.0.0.0/99',
];
const numbers = [0, -0, -1, 1.5, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 + 2, 1e300, 65536];

const hostileValue: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.constantFrom<JsonValue>(...texts, ...numbers, null, true, false),
  fc.constantFrom<JsonValue>([], {}, [[]], [null], [{}], { '': '' }, { name: null }, { a: { b: { c: [] } } }, [
    'a',
    'a',
  ]),
  // fast-check's JSON values are JSON values.
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<JsonValue>,
);

/** What happens at one place of a document. The place is counted through the document, whatever its size. */
interface Mutation {
  readonly place: number;
  readonly kind: 'replace' | 'remove' | 'insert' | 'repeat';
  readonly key: string;
  readonly value: JsonValue;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  place: fc.nat(200),
  kind: fc.constantFrom('replace', 'remove', 'insert', 'repeat'),
  key: fc.oneof(
    fc.constantFrom(
      'metadata',
      'spec',
      'status',
      'name',
      'namespace',
      'labels',
      'annotations',
      'finalizers',
      'ownerReferences',
    ),
    fc.constantFrom(
      'managedFields',
      'uid',
      'resourceVersion',
      'generateName',
      'selector',
      'template',
      'data',
      'type',
      'rules',
    ),
    fc.constantFrom(...texts),
  ),
  value: hostileValue,
});

function holdersIn(value: JsonValue, found: (JsonObject | JsonValue[])[] = []): (JsonObject | JsonValue[])[] {
  if (Array.isArray(value)) {
    found.push(value);
    for (const item of value) holdersIn(item, found);
  } else if (isJsonObject(value)) {
    found.push(value);
    for (const item of Object.values(value)) holdersIn(item, found);
  }
  return found;
}

/** Changes a document in place. */
function mutate(document: JsonObject, { place, kind, key, value: drawn }: Mutation): void {
  // Drawn values are shared between requests.
  const value = structuredClone(drawn);
  const holders = holdersIn(document);
  const holder = holders[place % holders.length] ?? document;
  const own = Object.keys(holder);
  const at = kind === 'insert' ? key : own[place % Math.max(1, own.length)];
  if (Array.isArray(holder)) {
    if (kind === 'insert') holder.push(value);
    else if (kind === 'repeat') holder.push(...holder.slice(0, 1));
    else if (kind === 'remove') holder.pop();
    else if (holder.length > 0) holder[0] = value;
  } else if (kind === 'remove' && at !== undefined) delete holder[at];
  else if (at !== undefined) {
    Object.defineProperty(holder, at, { value, enumerable: true, configurable: true, writable: true });
  }
}

/** A pair of keys twice, a cut, or a byte that does not belong there. */
const damage: fc.Arbitrary<(text: string) => string> = fc.oneof(
  { weight: 6, arbitrary: fc.constant((text: string) => text) },
  fc.nat(1000).map((at) => (text: string) => text.slice(0, at)),
  fc
    .tuple(
      fc.nat(1000),
      fc.constantFrom('"', '{', '[', ',', '\\', '\n', '\0', '&a ', '*a', '!!js ', '<<: ', '9'.repeat(40)),
    )
    .map(
      ([at, inserted]) =>
        (text: string) =>
          text.slice(0, at) + inserted + text.slice(at),
    ),
  fc.constant((text: string) => `${text.slice(0, -1)},"metadata":{"name":"twice"}}`),
);

const query: fc.Arbitrary<string> = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom('limit', 'continue', 'labelSelector', 'fieldSelector', 'resourceVersionMatch', 'dryRun'),
        fc.constantFrom(
          'fieldManager',
          'fieldValidation',
          'pretty',
          'force',
          'propagationPolicy',
          'gracePeriodSeconds',
        ),
        fc.constantFrom(
          'orphanDependents',
          'timeoutSeconds',
          'sendInitialEvents',
          'allowWatchBookmarks',
          'includeObject',
        ),
        fc.constantFrom('__proto__', ''),
      ),
      fc.oneof(
        fc.constantFrom(
          'All',
          'Strict',
          'Exact',
          'NotOlderThan',
          'Background',
          'a=b,c',
          '!a',
          'a in (b,c)',
          'metadata.name=a',
        ),
        fc.constantFrom(...texts),
        fc.string({ maxLength: 20 }),
      ),
    ),
    { maxLength: 3 },
  )
  .map((pairs) => pairs.map(([name, value]) => `${escaped(name)}=${escaped(value)}`).join('&'));

/** Percent-encodes what stands for itself in no URL; halves of surrogate pairs become U+FFFD. */
function escaped(text: string): string {
  return encodeURIComponent(Buffer.from(text, 'utf8').toString('utf8'));
}

const headers: fc.Arbitrary<Record<string, string>> = fc.record(
  {
    accept: fc.constantFrom(
      '*/*',
      'application/json',
      'application/yaml',
      'text/html',
      'application/json;q=0',
      'application/json;q=x',
      ';;;',
      'application/json;as=Table;v=v1;g=meta.k8s.io',
      'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
      'application/json;as=Junk;v=v1;g=meta.k8s.io',
      'application/vnd.kubernetes.protobuf, application/json',
    ),
    'accept-encoding': fc.constantFrom('gzip', 'identity', 'br', 'gzip;q=0', '*'),
    'user-agent': fc.constantFrom('', 'x/1', 'x'.repeat(200), '/', '\u00e4'),
    'audit-id': fc.constantFrom('a', 'a b', 'x'.repeat(100)),
    'if-none-match': fc.constantFrom('*', '"x"'),
  },
  { requiredKeys: [] },
);

const contentTypes: Readonly<Record<string, readonly string[]>> = {
  PATCH: [
    'application/merge-patch+json',
    'application/json-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
    'application/json',
  ],
};
const objectTypes = [
  'application/json',
  'application/json',
  'application/yaml',
  'text/plain',
  'application/json; charset=utf-8',
];

const patchOperations: fc.Arbitrary<JsonValue> = fc.array(
  fc.record(
    {
      op: fc.constantFrom('add', 'remove', 'replace', 'move', 'copy', 'test', 'junk'),
      path: fc.constantFrom(
        '',
        '/',
        '/metadata/labels',
        '/metadata/name',
        '/spec',
        '/__proto__/x',
        '/metadata/finalizers/-',
        '/kind',
        '/a~2',
      ),
      from: fc.constantFrom('', '/metadata', '/spec', '/constructor/prototype'),
      value: hostileValue,
    },
    { requiredKeys: [] },
  ),
  { maxLength: 4 },
);

/** Requests about every stored resource, most of them near to what the server takes. */
export function hostileRequests(identifiers: Identifiers): fc.Arbitrary<HostileRequest> {
  const resources = builtInCatalogue(identifiers).current.resources.filter((info) => info.storage !== undefined);
  return fc
    .record({
      info: fc.constantFrom(...resources),
      version: fc.nat(3),
      method: fc.constantFrom('POST', 'POST', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'GET', 'HEAD'),
      name: fc.oneof({ weight: 5, arbitrary: fc.constantFrom('a', 'b') }, fc.constantFrom(...texts)),
      subresource: fc.constantFrom('', '', '', '', 'status', 'scale', 'finalize', 'approval', 'junk'),
      mutations: fc.array(mutation, { maxLength: 4 }),
      operations: patchOperations,
      damage,
      type: fc.nat(10),
      query,
      headers,
    })
    .map((drawn) => {
      const version = drawn.info.versions[drawn.version % drawn.info.versions.length]?.version ?? '';
      const object = structuredClone(minimalObject(drawn.info, identifiers, drawn.name, version));
      for (const each of drawn.mutations) mutate(object, each);
      const types = contentTypes[drawn.method] ?? objectTypes;
      const type = types[drawn.type % types.length] ?? '';
      const document = type.startsWith('application/json-patch') && drawn.type < 8 ? drawn.operations : object;
      const text = type.endsWith('yaml') && drawn.type % 2 === 0 ? stringify(document) : JSON.stringify(document);
      const bodiless = drawn.method === 'GET' || drawn.method === 'HEAD';
      const target = pathOf(drawn.info, version, drawn.method === 'POST' ? '' : drawn.name, drawn.subresource);
      return {
        method: drawn.method,
        path: drawn.query ? `${target}?${drawn.query}` : target,
        body: bodiless ? undefined : drawn.damage(text),
        headers: bodiless ? drawn.headers : { ...drawn.headers, 'content-type': type },
      };
    });
}

function pathOf(info: ResourceDefinition, version: string, name: string, subresource: string): string {
  const root = info.group === '' ? `/api/${version}` : `/apis/${info.group}/${version}`;
  const collection = `${root}${info.namespaced ? '/namespaces/default' : ''}/${info.resource}`;
  return name === '' ? collection : `${collection}/${escaped(name)}${subresource ? `/${subresource}` : ''}`;
}
