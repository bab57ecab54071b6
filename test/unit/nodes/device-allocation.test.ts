import assert from 'node:assert/strict';
import type { Node, ResourceClaim } from '../../../src/controllers/resources.ts';
import type { DeviceClaim, DeviceRequestAllocationResult, ResourceSlice } from '../../../src/gen/types/resource-v1.ts';
import { allocate } from '../../../src/nodes/scheduler/devices/allocate.ts';
import { resultOf } from '../../../src/nodes/scheduler/devices/claim-status.ts';
import { poolsFor, poolsOf } from '../../../src/nodes/scheduler/devices/device-pools.ts';
import { devicesInUse } from '../../../src/nodes/scheduler/devices/devices-in-use.ts';

const driver = 'd.example.com';
const node = { metadata: { name: 'n', labels: { zone: 'a' } } } as unknown as Node;

type Spec = Partial<NonNullable<ResourceSlice['spec']>>;
type Device = NonNullable<Spec['devices']>[number];

function slice(spec: Spec, name = 's'): ResourceSlice {
  return {
    metadata: { name },
    spec: { driver, pool: { name: 'p', generation: 1, resourceSliceCount: 1 }, allNodes: true, ...spec },
  };
}

function claim(devices: DeviceClaim, results: readonly Partial<DeviceRequestAllocationResult>[] = []): ResourceClaim {
  const status = results.length > 0 ? { allocation: { devices: { results } } } : {};
  return { metadata: { name: 'c', uid: `${Math.random()}` }, spec: { devices }, status } as unknown as ResourceClaim;
}

const one = (needs: object = {}, name = 'r') => ({ name, exactly: { deviceClassName: 'any', ...needs } });
const taken = (device: string, more: object = {}) => claim({}, [{ driver, pool: 'p', device, ...more }]);

/** The devices of each claim as `request device amounts`, or the problem. */
function chosen(
  slices: readonly ResourceSlice[],
  claims: readonly ResourceClaim[],
  others: readonly ResourceClaim[] = [],
): readonly (readonly string[])[] | string {
  let shares = 0;
  const found = allocate(claims, {
    pools: poolsFor(node, poolsOf(slices), []),
    inUse: devicesInUse(others, []),
    classOf: () => ({ metadata: { name: 'any' }, spec: {} }),
    shareId: () => `${++shares}`,
  });
  if ('problem' in found) return found.problem;
  return claims.map(({ metadata }) =>
    (found.get(metadata.uid) ?? []).map((device) => {
      const { request, device: name, consumedCapacity } = resultOf(device);
      const amounts = Object.entries(consumedCapacity ?? {}).map(([capacity, amount]) => `${capacity}=${amount}`);
      return [request, name, ...amounts].join(' ');
    }),
  );
}

const none = 'cannot allocate all claims';

describe('devices with consumable capacity', () => {
  const shared: Device = {
    name: 'gpu',
    allowMultipleAllocations: true,
    capacity: { memory: { value: '10Gi', requestPolicy: { default: '1Gi', validRange: { min: '1Gi', step: '1Gi' } } } },
  };
  const memory = (amount: string) => one({ capacity: { requests: { memory: amount } } });

  for (const [title, requests, expected] of [
    ['take the default', [one()], [['r gpu memory=1Gi']]],
    ['are rounded up to a step', [memory('1500Mi')], [['r gpu memory=2Gi']]],
    ['are raised to the least amount', [memory('1')], [['r gpu memory=1Gi']]],
    ['refuse more than they have', [memory('11Gi')], none],
    ['refuse capacities that they lack', [one({ capacity: { requests: { cores: '1' } } })], none],
    ['are shared by requests', [memory('6Gi'), memory('4Gi')], [['r gpu memory=6Gi', 'r gpu memory=4Gi']]],
    ['give one request one share', [one({ count: 2 })], none],
    ['end when their amount does', [memory('6Gi'), memory('5Gi')], none],
  ] as const) {
    it(title, () =>
      assert.deepEqual(chosen([slice({ devices: [shared] })], [claim({ requests: [...requests] })]), expected),
    );
  }

  it('count the shares of allocated claims', () => {
    const other = taken('gpu', { shareID: 'x', consumedCapacity: { memory: '8Gi' } });
    const wants = (amount: string) =>
      chosen([slice({ devices: [shared] })], [claim({ requests: [memory(amount)] })], [other]);
    assert.deepEqual(wants('2Gi'), [['r gpu memory=2Gi']]);
    assert.equal(wants('3Gi'), none);
  });

  it('round a request up to the next valid amount', () => {
    const capacity = { memory: { value: '8Gi', requestPolicy: { default: '2Gi', validValues: ['2Gi', '4Gi'] } } };
    const slices = [slice({ devices: [{ ...shared, capacity }] })];
    assert.deepEqual(chosen(slices, [claim({ requests: [memory('3Gi')] })]), [['r gpu memory=4Gi']]);
    assert.equal(chosen(slices, [claim({ requests: [memory('5Gi')] })]), none);
  });

  it('of one user are only compared', () => {
    const slices = [slice({ devices: [{ name: 'own', capacity: { memory: { value: '4Gi' } } }] })];
    assert.deepEqual(chosen(slices, [claim({ requests: [memory('3Gi')] })]), [['r own']]);
    assert.equal(chosen(slices, [claim({ requests: [memory('5Gi')] })]), none);
  });
});

describe('devices that share counters', () => {
  const pool = { name: 'p', generation: 1, resourceSliceCount: 2 };
  const consumes = (amount: string, counterSet = 'card') => ({
    consumesCounters: [{ counterSet, counters: { slots: { value: amount } } }],
  });
  const counters = (count: string) =>
    slice({ pool, sharedCounters: [{ name: 'card', counters: { slots: { value: count } } }] }, 'counters');
  const devices = (...list: Device[]) => slice({ pool, devices: list });
  const [whole, left, right] = [
    { name: 'a-whole', ...consumes('4') },
    { name: 'b-half', ...consumes('2') },
    { name: 'c-half', ...consumes('2') },
  ];

  it('exclude each other when the counters are used up', () => {
    const slices = [counters('4'), devices(whole, left, right)];
    assert.deepEqual(chosen(slices, [claim({ requests: [one()] })]), [['r a-whole']]);
    assert.deepEqual(chosen(slices, [claim({ requests: [one({ count: 2 })] })]), [['r b-half', 'r c-half']]);
    assert.equal(chosen(slices, [claim({ requests: [one({ count: 3 })] })]), none);
  });

  it('count what allocated devices consume, on other nodes too', () => {
    const elsewhere = slice(
      { pool: { ...pool, resourceSliceCount: 3 }, allNodes: false, nodeName: 'm', devices: [left] },
      'm',
    );
    const threefold = [counters('4'), devices(whole, right), elsewhere].map((each) => ({
      ...each,
      spec: { ...each.spec, pool: { ...pool, resourceSliceCount: 3 } },
    })) as ResourceSlice[];
    assert.deepEqual(chosen(threefold, [claim({ requests: [one()] })], [taken('b-half')]), [['r c-half']]);
    assert.equal(chosen(threefold, [claim({ requests: [one()] })], [taken('b-half'), taken('c-half')]), none);
  });

  it('make a pool unusable whose counters are unknown', () => {
    const slices = [counters('4'), devices({ name: 'x', ...consumes('1', 'other') })];
    assert.equal(chosen(slices, [claim({ requests: [one()] })]), 'invalid resource pools were encountered');
  });
});

describe('the choice of devices', () => {
  it('is undone in earlier claims if later ones fail', () => {
    const attributes = (color: string) => ({ attributes: { color: { string: color } } });
    const slices = [
      slice({
        devices: [
          { name: 'a', ...attributes('red') },
          { name: 'b', ...attributes('blue') },
        ],
      }),
    ];
    const red = [{ cel: { expression: `device.attributes["${driver}"].color == "red"` } }];
    const claims = [claim({ requests: [one()] }), claim({ requests: [one({ selectors: red })] })];
    assert.deepEqual(chosen(slices, claims), [['r b'], ['r a']]);
  });

  it('of all devices fails if one of them has a taint, or is missing', () => {
    const all = [claim({ requests: [one({ allocationMode: 'All' })] })];
    const devices: Device[] = [{ name: 'a' }, { name: 'b', taints: [{ key: 'x', effect: 'NoSchedule' }] }];
    assert.equal(chosen([slice({ devices })], all), none);
    const pool = { name: 'p', generation: 1, resourceSliceCount: 2 };
    assert.match(String(chosen([slice({ devices: [{ name: 'a' }], pool })], all)), /currently being updated/);
  });

  it('is of the devices whose own nodes match', () => {
    const term = (zone: string) => ({
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: [zone] }] }],
    });
    const devices: Device[] = [
      { name: 'other', nodeName: 'm' },
      { name: 'far', nodeSelector: term('b') },
      { name: 'near', nodeSelector: term('a') },
      { name: 'every', allNodes: true },
    ];
    const slices = [slice({ allNodes: false, perDeviceNodeSelection: true, devices })];
    assert.deepEqual(chosen(slices, [claim({ requests: [one({ count: 2 })] })]), [['r near', 'r every']]);
    assert.equal(chosen(slices, [claim({ requests: [one({ count: 3 })] })]), none);
  });

  it('for admin access includes allocated devices, once for each claim', () => {
    const slices = [slice({ devices: [{ name: 'a' }] })];
    const admin = { adminAccess: true };
    assert.deepEqual(chosen(slices, [claim({ requests: [one(admin)] })], [taken('a')]), [['r a']]);
    assert.equal(chosen(slices, [claim({ requests: [one(admin), one(admin, 's')] })]), none);
    assert.deepEqual(chosen(slices, [claim({ requests: [one()] })], [taken('a', admin)]), [['r a']]);
  });

  it('compares the values of lists', () => {
    const devices: Device[] = [
      { name: 'a', attributes: { nic: { strings: ['x', 'y'] } } },
      { name: 'b', attributes: { nic: { strings: ['y', 'z'] } } },
      { name: 'c', attributes: { nic: { string: 'z' } } },
    ];
    const constraints = (kind: string) => [{ [kind]: `${driver}/nic` }];
    const pair = (kind: string) => [claim({ requests: [one({ count: 2 })], constraints: constraints(kind) })];
    assert.deepEqual(chosen([slice({ devices })], pair('matchAttribute')), [['r a', 'r b']]);
    assert.deepEqual(chosen([slice({ devices })], pair('distinctAttribute')), [['r a', 'r c']]);
  });

  it('ends before requests for all devices are tried with each device', () => {
    const devices = Array.from({ length: 20_000 }, (_, index) => ({ name: `d${index}` }));
    const claims = [claim({ requests: [one(), one({ allocationMode: 'All' }, 's')] })];
    assert.equal(chosen([slice({ devices })], claims), 'the search for devices takes too long');
  });

  it('ends before many long lists are compared with each other', () => {
    const strings = Array.from({ length: 60 }, (_, index) => `v${index}`);
    const devices = Array.from({ length: 64 }, (_, index) => ({
      name: `d${index}`,
      attributes: { list: { strings }, side: { string: index < 31 ? 'a' : 'b' } },
    }));
    const attributes = [...Array.from({ length: 31 }, () => 'list'), 'side'];
    const constraints = attributes.map((name) => ({ matchAttribute: `${driver}/${name}` }));
    const claims = [claim({ requests: [one({ count: 32 })], constraints })];
    assert.equal(chosen([slice({ devices })], claims), 'the search for devices takes too long');
  });
});
