import type { CounterSet, Device, ResourceSlice, ResourceSliceSpec } from '../../../gen/stored/resource-v1.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import type { FieldError } from '../../../status/field-error.ts';
import { checkStrictNodeSelector } from '../../core/pods/check-scheduling.ts';
import { checkList } from '../../rules/devices/checked-list.ts';
import { checkDriver, checkLabelName, checkPool } from '../../rules/devices/device-names.ts';
import { checkCounters } from './counters.ts';
import { checkDevice } from './validate-device.ts';

/** The most entries of lists of a slice. */
const limits = { devices: 128, advancedDevices: 64, counterSets: 8 };

/** All errors of a slice. Values that are unchanged from `old` are not validated again. */
export function validateSlice(slice: ResourceSlice, old: ResourceSlice | undefined): readonly FieldError[] {
  const spec = new FieldCursor(slice).at('spec');
  checkDriver(spec.at('driver'));
  checkPool(spec.at('pool').at('name'));
  checkPoolCounts(spec);
  checkNodes(spec);
  const { devices, sharedCounters } = spec.value;
  if (devices && sharedCounters) spec.reportInvalid('only one of `sharedCounters` or `devices` is allowed', '');
  checkDevices(spec, old?.spec);
  const counterSets = { limit: limits.counterSets, keyOf: ({ name }: CounterSet) => name };
  checkList(spec.at('sharedCounters'), counterSets, (set) => {
    checkSetName(set.at('name'));
    checkCounters(set);
  });
  return spec.errors;
}

function checkSetName(name: FieldCursor<string>): void {
  if (name.value === '') name.reportRequired();
  else checkLabelName(name);
}

function checkPoolCounts(spec: FieldCursor<ResourceSliceSpec>): void {
  const pool = spec.at('pool');
  const [count, generation] = [Number(pool.value.resourceSliceCount), Number(pool.value.generation)];
  if (count <= 0) pool.at('resourceSliceCount').reportInvalid('must be greater than zero', count);
  if (generation < 0) pool.at('generation').reportInvalid('must be greater than or equal to zero', generation);
}

const oneOfNodes = 'exactly one of `nodeName`, `nodeSelector`, `allNodes`, `perDeviceNodeSelection` is required';

/** Checks that the nodes are specified in exactly one way. */
function checkNodes(spec: FieldCursor<ResourceSliceSpec>): void {
  const { nodeName, nodeSelector, allNodes, perDeviceNodeSelection } = spec.value;
  if (nodeName === '') spec.at('nodeName').reportInvalid('must be either unset or set to a non-empty string', '');
  spec.at('nodeName').mustBe(validateDnsSubdomain);
  if (nodeSelector) checkOneTerm(spec);
  for (const name of ['allNodes', 'perDeviceNodeSelection'] as const) {
    if (spec.value[name] === false) spec.at(name).reportInvalid('must be either unset or set to true', false);
  }
  const ways = [
    nodeName ? '`nodeName`' : '',
    nodeSelector ? '`nodeSelector`' : '',
    allNodes ? '`allNodes`' : '',
    perDeviceNodeSelection ? '`perDeviceNodeSelection`' : '',
  ].filter((way) => way !== '');
  if (ways.length === 0) spec.reportRequired(oneOfNodes);
  if (ways.length > 1) spec.reportInvalid(`${oneOfNodes}, but multiple fields are set`, `{${ways.join(', ')}}`);
}

function checkOneTerm(spec: FieldCursor<ResourceSliceSpec>): void {
  const selector = spec.at('nodeSelector');
  checkStrictNodeSelector(selector);
  const { nodeSelectorTerms = [] } = selector.value ?? {};
  if (nodeSelectorTerms?.length === 1) return;
  if (!nodeSelectorTerms?.length) {
    selector.at('nodeSelectorTerms').reportRequired('must have at least one node selector term');
  }
  selector.at('nodeSelectorTerms').reportInvalid('must have exactly one node selector term', nodeSelectorTerms);
}

function checkDevices(spec: FieldCursor<ResourceSliceSpec>, old: ResourceSliceSpec | undefined): void {
  const { devices = [], perDeviceNodeSelection = false } = spec.value;
  const before = new Map((old?.devices ?? []).map((device) => [device.name, device]));
  const limit = devices.some(isAdvanced) ? limits.advancedDevices : limits.devices;
  checkList(spec.at('devices'), { limit, keyOf: ({ name }: Device) => name }, (device) =>
    checkDevice(device, { old: before.get(device.value.name), choosesNodes: perDeviceNodeSelection }),
  );
}

/**
 * Reports whether a device has taints, counters or list attributes; slices may have fewer of these.
 */
function isAdvanced({ taints = [], consumesCounters = [], attributes = {} }: Device): boolean {
  const hasLists = () =>
    Object.values(attributes).some(({ ints, bools, strings, versions }) => ints ?? bools ?? strings ?? versions);
  return taints.length > 0 || consumesCounters.length > 0 || hasLists();
}
