import assert from 'node:assert/strict';
import { compareValues } from '../../../src/apply/compare-values.ts';
import { type FieldSet, isEmptySet, union } from '../../../src/apply/field-set.ts';
import { fieldsOfValue } from '../../../src/apply/check-applied.ts';
import { encodeFieldsV1 } from '../../../src/apply/fields-v1.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import { decodeObject } from '../../../src/scheme/decode-object.ts';
import { schemaOf } from '../../../src/scheme/schema-of.ts';

const pod = schemaOf('api.core.v1.Pod');
const container = { name: 'c', image: 'i' };

function read(value: JsonObject): JsonObject {
  return decodeObject(pod, value).value;
}

function tree(set: FieldSet): JsonObject | undefined {
  return isEmptySet(set) ? undefined : encodeFieldsV1(set);
}

function compare(live: JsonObject, next: JsonObject) {
  const { added, modified, removed } = compareValues(pod, read(live), read(next));
  return { added: tree(added), modified: tree(modified), removed: tree(removed) };
}

describe('comparing values', () => {
  it('finds no difference between equal values', () => {
    const value = { metadata: { labels: { a: 'b' } }, spec: { containers: [container] } };
    assert.deepEqual(compare(value, structuredClone(value)), {
      added: undefined,
      modified: undefined,
      removed: undefined,
    });
  });

  it('names a changed leaf', () => {
    const live = { spec: { containers: [], hostname: 'a' } };
    const next = { spec: { containers: [], hostname: 'b' } };
    assert.deepEqual(compare(live, next).modified, { 'f:spec': { 'f:hostname': {} } });
  });

  it('names a map where it is new, and only its keys where it is not', () => {
    const empty = compare({ metadata: {} }, { metadata: { labels: { a: 'b' } } });
    assert.deepEqual(empty.added, { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } });
    const filled = compare({ metadata: { labels: { a: 'b' } } }, { metadata: { labels: { a: 'b', c: 'd' } } });
    assert.deepEqual(filled.added, { 'f:metadata': { 'f:labels': { 'f:c': {} } } });
  });

  it('names what was removed with all that was below it', () => {
    const { removed } = compare({ metadata: { labels: { a: 'b' } } }, { metadata: {} });
    assert.deepEqual(removed, { 'f:metadata': { 'f:labels': { '.': {}, 'f:a': {} } } });
  });

  it('follows the items of a list by their keys, wherever they stand', () => {
    const live = { spec: { containers: [container, { name: 'd', image: 'j' }] } };
    const next = { spec: { containers: [{ name: 'd', image: 'k' }, container] } };
    assert.deepEqual(compare(live, next).modified, {
      'f:spec': { 'f:containers': { 'k:{"name":"d"}': { 'f:image': {} } } },
    });
  });

  it('takes an atomic list for one leaf', () => {
    const live = { spec: { containers: [{ ...container, args: ['a'] }] } };
    const next = { spec: { containers: [{ ...container, args: ['a', 'b'] }] } };
    assert.deepEqual(compare(live, next).modified, {
      'f:spec': { 'f:containers': { 'k:{"name":"c"}': { 'f:args': {} } } },
    });
  });

  it('counts a key field with its default', () => {
    const ports = [{ containerPort: 80 }];
    const { added } = compare(
      { spec: { containers: [container] } },
      { spec: { containers: [{ ...container, ports }] } },
    );
    assert.deepEqual(added, {
      'f:spec': {
        'f:containers': {
          'k:{"name":"c"}': {
            'f:ports': { '.': {}, 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } },
          },
        },
      },
    });
  });

  it('does not name what a new object carries anyhow', () => {
    const { added } = compareValues(pod, {}, read({ spec: { containers: [container] } }));
    const spec = encodeFieldsV1(added)['f:spec'];
    assert.deepEqual(spec, {
      'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:image': {}, 'f:name': {}, 'f:resources': {} } },
    });
  });
});

describe('comparing a new Deployment with nothing', () => {
  it('names the fields that kube-apiserver gives to its creator', () => {
    const schema = schemaOf('api.apps.v1.Deployment');
    const labels = { app: 'n' };
    const next = {
      spec: {
        replicas: 1,
        selector: { matchLabels: labels },
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
        template: {
          metadata: { labels },
          spec: {
            containers: [{ name: 'nginx', image: 'nginx', ports: [{ containerPort: 80, protocol: 'TCP' }] }],
            securityContext: {},
          },
        },
      },
    };
    const { added, modified } = compareValues(schema, {}, decodeObject(schema, next).value);
    const owned = encodeFieldsV1(union(added, modified));
    assert.deepEqual(owned['f:spec'], {
      'f:replicas': {},
      'f:selector': {},
      'f:strategy': { 'f:rollingUpdate': { '.': {}, 'f:maxSurge': {}, 'f:maxUnavailable': {} }, 'f:type': {} },
      'f:template': {
        'f:metadata': { 'f:labels': { '.': {}, 'f:app': {} } },
        'f:spec': {
          'f:containers': {
            'k:{"name":"nginx"}': {
              '.': {},
              'f:image': {},
              'f:name': {},
              'f:ports': {
                '.': {},
                'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {}, 'f:protocol': {} },
              },
              'f:resources': {},
            },
          },
          'f:securityContext': {},
        },
      },
    });
  });
});

describe('the fields of a value', () => {
  it('are its leaves, items and keys', () => {
    const value = { metadata: { labels: { a: 'b' } }, spec: { containers: [{ ...container, args: ['x'] }] } };
    assert.deepEqual(encodeFieldsV1(fieldsOfValue(pod, value)), {
      'f:metadata': { 'f:labels': { 'f:a': {} } },
      'f:spec': { 'f:containers': { 'k:{"name":"c"}': { '.': {}, 'f:args': {}, 'f:image': {}, 'f:name': {} } } },
    });
  });
});
