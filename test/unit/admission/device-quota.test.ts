import assert from 'node:assert/strict';
import { evaluators } from '../../../src/admission/plugins/resource-quota/evaluators.ts';
import { formatQuantity } from '../../../src/meta/quantity.ts';
import { identifiers } from './attributes.ts';

it('a claim is charged the devices of each class that it may get at most', () => {
  const evaluator = evaluators(identifiers)('resource.k8s.io', 'resourceclaims') ?? assert.fail('no evaluator');
  const asked = (deviceClassName: string, allocationMode: string, count?: number) => ({
    deviceClassName,
    allocationMode,
    count,
  });
  const requests = [
    { exactly: asked('gold', 'ExactCount', 2) },
    { exactly: asked('gold', 'ExactCount', 1) },
    { exactly: asked('silver', 'All') },
    { firstAvailable: [asked('gold', 'ExactCount', 4), asked('gold', 'ExactCount', 3), asked('tin', 'ExactCount', 1)] },
  ];
  const usage = evaluator.usageOf(JSON.parse(JSON.stringify({ spec: { devices: { requests } } })));
  const shown = [...usage].map(([name, quantity]) => [
    name.replace('.deviceclass.resource.k8s.io/devices', ''),
    formatQuantity(quantity),
  ]);
  assert.deepEqual(Object.fromEntries(shown), {
    'count/resourceclaims.resource.k8s.io': '1',
    gold: '7',
    silver: '32',
    tin: '1',
  });
  assert.ok(evaluator.uses('gold.deviceclass.resource.k8s.io/devices'));
  assert.ok(!evaluator.uses('gold.storageclass.storage.k8s.io/persistentvolumeclaims'));
});
