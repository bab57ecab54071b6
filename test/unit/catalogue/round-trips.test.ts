import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { stringAt } from '../../../src/meta/read-field.ts';
import { storedKinds } from '../../../src/registry/versions/stored-kinds.ts';
import { builtInDefinitions } from '../../../src/catalogue/definitions.ts';
import { applyDefaults } from '../../../src/scheme/apply-defaults.ts';
import { completeObject } from '../../../src/scheme/complete-object.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import type { ObjectSchema } from '../../../src/scheme/model/schema.ts';
import { arbitraryDocument } from '../scheme/arbitrary-document.ts';

const identifiers = identifiersOf('kubernetes');
const definitions = builtInDefinitions(identifiers);

/** All versions of kinds that are stored in another one. */
const versions = [...storedKinds(identifiers, definitions, definitions).values()].flatMap((kind) =>
  [...kind.versions.values()].filter(({ stored }) => !stored).map((version) => ({ version, hub: kind.storageVersion })),
);

/** An object as a request leaves it: with the fields of the schema, and its defaults. */
function read(schema: ObjectSchema, document: JsonObject): JsonObject {
  const plain = withoutNulls(document);
  withoutContradictions[stringAt(document, 'kind')]?.(plain);
  const { value } = decodeObject(schema, plain);
  applyDefaults(schema, value);
  return value;
}

function withoutNulls(value: JsonObject): JsonObject {
  const entries = Object.entries(value).flatMap(([key, item]) => (item === null ? [] : [[key, inner(item)] as const]));
  return Object.fromEntries(entries);
}

function inner(item: JsonValue): JsonValue {
  if (Array.isArray(item)) return item.filter((one) => one !== null).map(inner);
  return isJsonObject(item) ? withoutNulls(item) : item;
}

/** Empty parts say as much as absent ones in Protobuf and in Go. */
function isEmpty(value: JsonValue): boolean {
  return (
    value === null ||
    value === '' ||
    value === 0 ||
    value === false ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** Contradictions that validation refuses, taken out of a document of a kind. */
const withoutContradictions: Readonly<Record<string, (object: JsonObject) => void>> = {
  HorizontalPodAutoscaler: ({ apiVersion, spec, status }) => {
    for (const metric of itemsAt(spec, 'metrics')) keepOneMetric(metric, apiVersion !== 'autoscaling/v2beta1');
    for (const metric of itemsAt(status, 'currentMetrics')) keepOneMetric(metric, false);
    // A list with the type as key.
    for (const [index, condition] of itemsAt(status, 'conditions').entries()) condition['type'] = `Type${index}`;
  },
  // A port has either a number or a name.
  Ingress: (object) => {
    for (const port of partsNamed(object, 'port')) if (port['name']) delete port['number'];
  },
  // An old definition has its parts at the top; a version has parts only if versions differ.
  CustomResourceDefinition: (object) => {
    const { spec } = object;
    const version = { name: 'v1', served: true, storage: true };
    if (isJsonObject(spec) && stringAt(object, 'apiVersion').endsWith('v1beta1'))
      Object.assign(spec, { version: 'v1', versions: [version] });
  },
};

const metricParts: Readonly<Record<string, string>> = {
  Resource: 'resource',
  Pods: 'pods',
  Object: 'object',
  External: 'external',
  ContainerResource: 'containerResource',
};

/** A metric has the part of its type, and only that, with a target in the versions that have one. */
function keepOneMetric(metric: JsonObject, hasTarget: boolean): void {
  const [type = 'Pods', part = 'pods'] = Object.entries(metricParts).find(([, name]) => name in metric) ?? [];
  const kept = metric[part];
  for (const name of Object.keys(metric)) delete metric[name];
  Object.assign(metric, { type, [part]: kept ?? {} });
  if (!isJsonObject(kept)) return;
  if (hasTarget) kept['target'] = { type: 'AverageValue', averageValue: '1' };
  if ('current' in kept) kept['current'] = { averageValue: '1' };
}

function itemsAt(parent: JsonValue | undefined, name: string): JsonObject[] {
  const items = isJsonObject(parent) ? parent[name] : undefined;
  return Array.isArray(items) ? items.filter(isJsonObject) : [];
}

function partsNamed(value: JsonValue, name: string): JsonObject[] {
  if (Array.isArray(value)) return value.flatMap((item) => partsNamed(item, name));
  if (!isJsonObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) => [
    ...(key === name && isJsonObject(item) ? [item] : []),
    ...partsNamed(item, name),
  ]);
}

/** Asserts that every value of an object is in another, which may have more: conversions set defaults. */
function assertKept(kept: JsonValue | undefined, object: JsonValue, path: string): void {
  if (isEmpty(object)) return;
  if (Array.isArray(object)) {
    assert.ok(Array.isArray(kept) && kept.length === object.length, path);
    for (const [index, item] of object.entries()) assertKept(kept[index], item, `${path}[${index}]`);
  } else if (isJsonObject(object)) {
    const inside = isJsonObject(kept ?? null) ? kept : {};
    for (const [key, item] of Object.entries(object)) assertKept(partOf(inside, key), item, `${path}.${key}`);
  } else assert.deepEqual(kept, object, path);
}

function partOf(object: JsonValue | undefined, key: string): JsonValue | undefined {
  return isJsonObject(object ?? null) && Object.hasOwn(object as JsonObject, key)
    ? (object as JsonObject)[key]
    : undefined;
}

describe('no version of a kind loses anything of another', () => {
  for (const { version, hub } of versions) {
    const { kind } = hub;
    it(`${version.apiVersion} ${kind}: through the stored ${hub.apiVersion} and back`, () => {
      const property = fc.property(arbitraryDocument(version.schema, 7), (document) => {
        const object = read(version.schema, { ...document, kind, apiVersion: version.apiVersion });
        const stored = completeObject(hub.schema, decodeObject(hub.schema, version.toStorage(object)).value);
        assertKept(version.fromStorage(stored), object, kind);
      });
      fc.assert(property, { numRuns: 300, seed: 1 });
    });
    it(`${hub.apiVersion} ${kind}: through ${version.apiVersion} and back`, () => {
      const property = fc.property(arbitraryDocument(hub.schema, 7), (document) => {
        const stored = read(hub.schema, { ...document, kind, apiVersion: hub.apiVersion });
        const back = decodeObject(hub.schema, version.toStorage(version.fromStorage(stored))).value;
        assertKept(back, stored, kind);
      });
      fc.assert(property, { numRuns: 300, seed: 1 });
    });
  }
});
