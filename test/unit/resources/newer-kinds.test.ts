import assert from 'node:assert/strict';
import { identifiersOf } from '../../../src/identifiers/identifiers.ts';
import type { JsonObject } from '../../../src/meta/json-value.ts';
import type { ResourceDefinition } from '../../../src/registry/definition/resource-definition.ts';
import type { FieldError } from '../../../src/status/field-error.ts';
import { podCertificateRequests } from '../../../src/resources/certificates/podcertificaterequests/definition.ts';
import { deviceTaintRules } from '../../../src/resources/resource/devicetaintrules/definition.ts';
import { resourcePoolStatusRequests } from '../../../src/resources/resource/resourcepoolstatusrequests/definition.ts';
import { podGroups } from '../../../src/resources/scheduling/podgroups/definition.ts';
import { storageVersions } from '../../../src/resources/internal.apiserver/storageversions/definition.ts';
import { storageVersionMigrations } from '../../../src/resources/storagemigration/storageversionmigrations/definition.ts';
import { context } from './context.ts';

const nowMs = Date.parse('2026-01-01T01:00:00Z');
const time = '2026-01-01T00:00:00Z';
const condition = (type: string, status = 'True', reason = 'R') => ({
  type,
  status,
  reason,
  message: '',
  lastTransitionTime: time,
});

type Define = (identifiers: ReturnType<typeof identifiersOf>) => ResourceDefinition;

const rows: readonly (readonly [define: Define, object: JsonObject, cells: readonly unknown[]])[] = [
  [
    deviceTaintRules,
    { spec: { taint: { key: 'a', value: 'b', effect: 'NoExecute', timeAdded: time } } },
    ['n', 'a', 'b', 'NoExecute', '60m', '60m'],
  ],
  [resourcePoolStatusRequests, { spec: { driver: 'd' } }, ['n', 'd', '-', '-', '-', '-', '-', 0, 'Pending', '<none>']],
  [
    resourcePoolStatusRequests,
    {
      spec: { driver: 'd' },
      status: {
        poolCount: 2,
        conditions: [condition('Complete')],
        pools: [
          { totalDevices: 5, availableDevices: 2, allocatedDevices: 2, unavailableDevices: 1, validationError: 'e' },
        ],
      },
    },
    ['n', 'd', '5', '2', '2', '1', '1', 2, 'Complete (1/2 pools)', '60m'],
  ],
  [
    podCertificateRequests,
    {
      spec: {
        podName: 'p',
        serviceAccountName: 's',
        nodeName: 'o',
        signerName: 'a.b/c',
        unverifiedUserAnnotations: { 'a.b/c': 'd' },
      },
      status: { conditions: [condition('Denied')] },
    },
    ['n', 'p', 's', 'o', 'a.b/c', 'Denied', 'a.b/c=d'],
  ],
  [
    podGroups,
    {
      spec: { schedulingPolicy: { gang: { minCount: 1 } }, podGroupTemplateRef: { workload: { workloadName: 'w' } } },
      status: { conditions: [condition('PodGroupScheduled', 'False')] },
    },
    ['n', 'Gang', 'w', 'Unschedulable', '60m'],
  ],
  [
    podGroups,
    { spec: { schedulingPolicy: { basic: {} } }, status: { conditions: [condition('DisruptionTarget')] } },
    ['n', 'Basic', '<none>', 'R', '60m'],
  ],
  [
    storageVersionMigrations,
    { spec: { resource: { group: 'apps', resource: 'a' } }, status: { conditions: [condition('Running', 'False')] } },
    ['n', 'a.apps', 'Unknown'],
  ],
];

const identifiers = identifiersOf('kubernetes');
const textsOf = (errors: readonly FieldError[] | undefined): readonly string[] =>
  (errors ?? []).map(({ field, message }) => `${field}: ${message}`);

const statuses: readonly (readonly [what: string, define: Define, object: JsonObject, errors: readonly string[]])[] = [
  [
    'a claim that the group does not have',
    podGroups,
    { spec: {}, status: { resourceClaimStatuses: [{ name: 'none' }] } },
    [
      'status.resourceClaimStatuses[0].name: Invalid value: "none": must match the name of an entry in `spec.resourceClaims`',
    ],
  ],
  [
    'a pool without generation, and without a number of pools',
    resourcePoolStatusRequests,
    { spec: {}, status: { pools: [{ driver: 'a', poolName: 'p', generation: 0 }] } },
    ['status.poolCount: Required value', 'status.pools[0].generation: Required value'],
  ],
  [
    'a server that is there twice, and serves what it cannot read',
    storageVersions,
    {
      spec: {},
      status: {
        commonEncodingVersion: 'v1',
        storageVersions: [['v1'], ['v2']].map((servedVersions) => ({
          apiServerID: 'a',
          encodingVersion: 'v1',
          decodableVersions: ['v1'],
          servedVersions,
        })),
      },
    },
    [
      'status.storageVersions[1].apiServerID: Duplicate value: "a"',
      'status.storageVersions[1].servedVersions[0]: Invalid value: "v2": individual served version : v2 must be included in decodableVersions : [v1]',
    ],
  ],
  [
    'a decision that changes',
    podCertificateRequests,
    { spec: {}, status: { conditions: [condition('Denied')] } },
    ['status: Invalid value: immutable after PodCertificateRequest is issued, denied, or failed'],
  ],
];

describe('the status of kinds since 1.34', () => {
  for (const [what, define, object, errors] of statuses) {
    it(`is refused with ${what}`, () => {
      const old = {
        spec: {},
        status: what.startsWith('a decision') ? { conditions: [condition('Failed')] } : undefined,
      };
      const status = define(identifiers).strategy.subresources?.['status'];
      assert.deepEqual(textsOf(status?.validateUpdate?.(object, old as unknown as JsonObject, context)), errors);
    });
  }

  it('names resources of migrations in lower case', () => {
    const { strategy } = storageVersionMigrations(identifiers);
    const fields = (
      strategy.validate?.({ spec: { resource: { group: 'Apps', resource: 'Pods' } } }, context) ?? []
    ).map(({ field }) => field);
    assert.deepEqual(fields, ['spec.resource.resource', 'spec.resource.group']);
  });
});

describe('columns of kinds since 1.34', () => {
  for (const [define, object, cells] of rows) {
    const { kind, table } = define(identifiersOf('kubernetes'));
    it(`${kind}: ${cells.join()}`, () => {
      const named = { ...object, metadata: { name: 'n', creationTimestamp: time } };
      assert.deepEqual(
        table?.columns.map((column) => column.cell(named, { nowMs } as Parameters<typeof column.cell>[1])),
        cells,
      );
    });
  }
});
