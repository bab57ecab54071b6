import assert from 'node:assert/strict';
import { evictionTime } from '../../../src/controllers/devicetainteviction/eviction-time.ts';
import type { DeviceTaint, DeviceToleration, ResourceSlice } from '../../../src/gen/types/resource-v1.ts';

const driver = 'gpu.example.com';
const timeAdded = '2026-01-01T00:00:00Z';
const addedMs = Date.parse(timeAdded);
const broken: DeviceTaint = { key: 'broken', effect: 'NoExecute', timeAdded };

function slice(generation: number, taints: readonly DeviceTaint[]): ResourceSlice {
  const pool = { name: 'n', generation, resourceSliceCount: 1 };
  return { spec: { driver, pool, devices: [{ name: 'gpu-0', taints: [...taints] }] } };
}

function timeWith(tolerations: DeviceToleration[], ...slices: ResourceSlice[]): number {
  const result = { request: 'gpu', driver, pool: 'n', device: 'gpu-0', tolerations };
  return evictionTime([result], { slices, rules: [] });
}

describe('the time at which pods with tainted devices end', () => {
  it('follows the taint and the shortest toleration', () => {
    const tolerated: DeviceToleration = { key: 'broken', operator: 'Exists' };
    const tainted = slice(1, [broken, { key: 'other', effect: 'NoSchedule' }]);
    assert.equal(timeWith([], tainted), addedMs);
    assert.equal(timeWith([{ key: 'broken', value: 'x' }], tainted), addedMs);
    assert.equal(timeWith([{ ...tolerated, tolerationSeconds: 30 }, tolerated], tainted), addedMs + 30_000);
    assert.equal(timeWith([tolerated], tainted), Infinity);
  });

  it('follows the newest slices of the pool, also in versions with deeper devices', () => {
    assert.equal(timeWith([], slice(1, [broken]), slice(2, [])), Infinity);
    assert.equal(timeWith([], slice(1, []), slice(2, [broken])), addedMs);
    const pool = { name: 'n', generation: 1, resourceSliceCount: 1 };
    const device = { name: 'gpu-0', basic: { taints: [broken] } };
    assert.equal(timeWith([], { spec: { driver, pool, devices: [device] } }), addedMs);
  });
});
