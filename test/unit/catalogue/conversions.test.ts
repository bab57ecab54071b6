import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../src/meta/json-value.ts';
import { objectAt } from '../../../src/meta/read-field.ts';
import { builtInCatalogue } from '../../../src/catalogue/definitions.ts';
import { completeObject } from '../../../src/scheme/complete-object.ts';

const identifiers = identifiersOf('cluster');
const { resources } = builtInCatalogue(identifiers).current;

function conversion(resource: string, version: string) {
  const slash = version.lastIndexOf('/');
  const [group, number] = [version.slice(0, slash), version.slice(slash + 1)];
  const definition = resources.find((one) => one.shortGroup === group && one.resource === resource);
  const found = definition?.versions.find((one) => one.version === number);
  assert.ok(definition?.storage && found?.conversion, `${resource} ${version}`);
  const { schema } = definition.storage;
  return {
    ...found.conversion,
    /** Objects as the server has them, with all that their schema always has. */
    servedInFull: (object: JsonObject) => completeObject(found.schema(), structuredClone(object)),
    storedInFull: (object: JsonObject) => completeObject(schema(), structuredClone(object)),
  };
}

/** Without what says as much as a missing field: the server completes objects before a conversion. */
function withoutEmpties(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutEmpties);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withoutEmpties(item)] as const);
  return Object.fromEntries(entries.filter(([, item]) => !isEmpty(item)));
}

function isEmpty(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === null || value === '' || value === 0 || value === false;
}

/** A served object and how it is stored; both directions must hold. */
interface Pair {
  readonly title: string;
  readonly resource: string;
  readonly version: string;
  readonly served: JsonObject;
  readonly stored: JsonObject;
}

const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } };
const flatPods = { type: 'Pods', pods: { metricName: 'hits', targetAverageValue: '5' } };
const pods = { type: 'Pods', pods: { metric: { name: 'hits' }, target: { type: 'AverageValue', averageValue: '5' } } };
const behavior = {
  scaleUp: { policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] },
  scaleDown: { stabilizationWindowSeconds: 5, selectPolicy: 'Max' },
};
/** The same with the names and in the order of the type that kube-apiserver writes. */
const keptBehavior =
  '{"ScaleUp":{"StabilizationWindowSeconds":null,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}]},' +
  '"ScaleDown":{"StabilizationWindowSeconds":5,"SelectPolicy":"Max","Policies":null}}';
const emptyLabel = 'pdb.cluster.io/deprecated-v1beta1-empty-selector-match';

const named = { group: 'example.com', names: { plural: 'things', kind: 'Thing' } };

const pairs: readonly Pair[] = [
  {
    title: 'backends with a numeric and a named port',
    resource: 'ingresses',
    version: 'networking/v1beta1',
    served: {
      spec: {
        backend: { serviceName: 'a', servicePort: 80 },
        rules: [
          { http: { paths: [{ path: '/', pathType: 'Exact', backend: { serviceName: 'b', servicePort: 'http' } }] } },
        ],
      },
    },
    stored: {
      spec: {
        defaultBackend: { service: { name: 'a', port: { number: 80 } } },
        rules: [
          {
            http: {
              paths: [{ path: '/', pathType: 'Exact', backend: { service: { name: 'b', port: { name: 'http' } } } }],
            },
          },
        ],
      },
    },
  },
  {
    title: 'a backend that is another resource',
    resource: 'ingresses',
    version: 'extensions/v1beta1',
    served: { spec: { backend: { resource: { kind: 'K', name: 'n' } } } },
    stored: { spec: { defaultBackend: { resource: { kind: 'K', name: 'n' } } } },
  },
  {
    title: 'the names of the events group',
    resource: 'events',
    version: 'events/v1',
    served: {
      regarding: { name: 'p' },
      note: 'n',
      reportingController: 'c',
      deprecatedSource: { host: 'h' },
      deprecatedCount: 2,
    },
    stored: { involvedObject: { name: 'p' }, message: 'n', reportingComponent: 'c', source: { host: 'h' }, count: 2 },
  },
  {
    title: 'the share of CPU, other metrics and behavior, kept in annotations',
    resource: 'horizontalpodautoscalers',
    version: 'autoscaling/v1',
    served: {
      metadata: {
        name: 'a',
        annotations: {
          mine: 'x',
          'autoscaling.alpha.cluster.io/metrics': JSON.stringify([flatPods]),
          'autoscaling.alpha.cluster.io/current-metrics': JSON.stringify([
            { type: 'Resource', resource: { name: 'cpu', currentAverageUtilization: 7 } },
          ]),
          'autoscaling.alpha.cluster.io/behavior': keptBehavior,
        },
      },
      spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 50 },
      status: { currentCPUUtilizationPercentage: 7 },
    },
    stored: {
      metadata: { name: 'a', annotations: { mine: 'x' } },
      spec: { maxReplicas: 3, metrics: [pods, cpu], behavior },
      status: { currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 7 } } }] },
    },
  },
  {
    title: 'flat metrics',
    resource: 'horizontalpodautoscalers',
    version: 'autoscaling/v2beta1',
    served: {
      spec: {
        metrics: [
          flatPods,
          { type: 'Object', object: { target: { kind: 'S', name: 's' }, metricName: 'm', targetValue: '9' } },
          {
            type: 'Object',
            object: { target: { kind: 'S', name: 's' }, metricName: 'n', targetValue: '0', averageValue: '4' },
          },
          {
            type: 'External',
            external: { metricName: 'q', metricSelector: { matchLabels: { a: 'b' } }, targetAverageValue: '3' },
          },
          {
            type: 'ContainerResource',
            containerResource: { name: 'memory', targetAverageValue: '1Gi', container: 'c' },
          },
        ],
      },
    },
    stored: {
      spec: {
        metrics: [
          pods,
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'S', name: 's' },
              target: { type: 'Value', value: '9' },
              metric: { name: 'm' },
            },
          },
          {
            type: 'Object',
            object: {
              describedObject: { kind: 'S', name: 's' },
              target: { type: 'AverageValue', averageValue: '4' },
              metric: { name: 'n' },
            },
          },
          {
            type: 'External',
            external: {
              metric: { name: 'q', selector: { matchLabels: { a: 'b' } } },
              target: { type: 'AverageValue', averageValue: '3' },
            },
          },
          {
            type: 'ContainerResource',
            containerResource: {
              name: 'memory',
              target: { type: 'AverageValue', averageValue: '1Gi' },
              container: 'c',
            },
          },
        ],
      },
    },
  },
  {
    title: 'a budget for all pods',
    resource: 'poddisruptionbudgets',
    version: 'policy/v1beta1',
    served: { spec: { selector: { matchExpressions: [{ key: emptyLabel, operator: 'DoesNotExist' }] } } },
    stored: { spec: { selector: {} } },
  },
  {
    title: 'a budget for no pods',
    resource: 'poddisruptionbudgets',
    version: 'policy/v1beta1',
    served: { spec: { selector: {} } },
    stored: { spec: { selector: { matchExpressions: [{ key: emptyLabel, operator: 'Exists' }] } } },
  },
  {
    title: 'the place of an endpoint',
    resource: 'endpointslices',
    version: 'discovery/v1beta1',
    served: {
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          nodeName: 'n',
          topology: { rack: 'r', 'topology.cluster.io/zone': 'z', 'cluster.io/hostname': 'n' },
        },
      ],
    },
    stored: { endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'n', deprecatedTopology: { rack: 'r' }, zone: 'z' }] },
  },
  {
    title: 'a definition whose versions agree',
    resource: 'customresourcedefinitions',
    version: 'apiextensions/v1beta1',
    served: {
      spec: {
        ...named,
        scope: 'Cluster',
        preserveUnknownFields: false,
        version: 'v1',
        validation: { openAPIV3Schema: { type: 'object' } },
        additionalPrinterColumns: [{ name: 'A', JSONPath: '.a' }],
        versions: [{ name: 'v1', served: true, storage: true }],
        conversion: { strategy: 'Webhook', webhookClientConfig: { url: 'u' }, conversionReviewVersions: ['v1'] },
      },
    },
    stored: {
      spec: {
        ...named,
        scope: 'Cluster',
        preserveUnknownFields: false,
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object' } },
            additionalPrinterColumns: [{ name: 'A', jsonPath: '.a' }],
          },
        ],
        conversion: { strategy: 'Webhook', webhook: { clientConfig: { url: 'u' }, conversionReviewVersions: ['v1'] } },
      },
    },
  },
  {
    title: 'a definition whose versions agree in a part, which is at the top',
    resource: 'customresourcedefinitions',
    version: 'apiextensions/v1beta1',
    served: {
      spec: {
        ...named,
        scope: 'Cluster',
        preserveUnknownFields: true,
        conversion: { strategy: 'None' },
        version: 'v1',
        additionalPrinterColumns: [{ name: 'A', JSONPath: '.a' }],
        versions: [
          { name: 'v1', served: true, storage: true },
          { name: 'v2', served: true, storage: false, schema: { openAPIV3Schema: { type: 'object' } } },
        ],
      },
    },
    stored: {
      spec: {
        ...named,
        scope: 'Cluster',
        preserveUnknownFields: true,
        conversion: { strategy: 'None' },
        versions: [
          { name: 'v1', served: true, storage: true, additionalPrinterColumns: [{ name: 'A', jsonPath: '.a' }] },
          {
            name: 'v2',
            served: true,
            storage: false,
            schema: { openAPIV3Schema: { type: 'object' } },
            additionalPrinterColumns: [{ name: 'A', jsonPath: '.a' }],
          },
        ],
      },
    },
  },
];

describe('conversions between versions (spec 9.3)', () => {
  for (const { title, resource, version, ...pair } of pairs) {
    it(`${version} ${resource}: ${title}, to the stored form and back`, () => {
      const { toStorage, fromStorage, servedInFull, storedInFull } = conversion(resource, version);
      const [served, stored] = [servedInFull(pair.served), storedInFull(pair.stored)];
      const before = structuredClone([served, stored]);
      assert.deepEqual(withoutEmpties(storedInFull(toStorage(served, identifiers))), withoutEmpties(stored));
      assert.deepEqual(withoutEmpties(servedInFull(fromStorage(stored, identifiers))), withoutEmpties(served));
      assert.deepEqual([served, stored], before, 'conversions change nothing');
    });
  }

  it('takes the name of the only version of an old definition', () => {
    const { toStorage } = conversion('customresourcedefinitions', 'apiextensions/v1beta1');
    const { spec } = toStorage({ spec: { ...named, version: 'v7' } }, identifiers);
    assert.deepEqual(spec, {
      ...named,
      scope: 'Namespaced',
      preserveUnknownFields: true,
      versions: [{ name: 'v7', served: true, storage: true }],
      conversion: { strategy: 'None' },
    });
  });

  it('names the signer of an old request that names none, but not of one that names an empty one', () => {
    const { toStorage } = conversion('certificatesigningrequests', 'certificates/v1beta1');
    const signerOf = (spec: JsonObject) => toStorage({ spec, status: {} }, identifiers)['spec'];
    assert.deepEqual(signerOf({}), { signerName: 'cluster.io/legacy-unknown' });
    assert.deepEqual(signerOf({ signerName: '' }), { signerName: '' });
  });

  it('ignores an annotation that is not JSON', () => {
    const { toStorage, servedInFull } = conversion('horizontalpodautoscalers', 'autoscaling/v1');
    const served = servedInFull({
      metadata: { annotations: { 'autoscaling.alpha.cluster.io/metrics': '{' } },
      spec: { maxReplicas: 1 },
    });
    assert.deepEqual(objectAt(toStorage(served, identifiers), 'spec')['maxReplicas'], 1);
  });
});
