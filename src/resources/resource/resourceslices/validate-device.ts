import type { Device, DeviceAttribute, DeviceCounterConsumption } from '../../../gen/stored/resource-v1.ts';
import { sameValue } from '../../../meta/read-field.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { FieldCursor } from '../../../status/field-cursor.ts';
import { notFoundField, tooLong } from '../../../status/field-error.ts';
import { checkStrictNodeSelector } from '../../core/pods/check-scheduling.ts';
import { checkList } from '../../rules/devices/checked-list.ts';
import { checkLabelName, checkQualifiedName } from '../../rules/devices/device-names.ts';
import { checkBindingConditions, checkTaint } from '../../rules/devices/taints.ts';
import { checkCounters } from './counters.ts';
import { checkRequestPolicy } from './request-policy.ts';

/** The most entries of lists of a device, and the limit of strings in bytes. */
const limits = { properties: 32, values: 48, taints: 16, counterSets: 2, text: 64 };

/** The context of the validation of a device. */
interface DeviceContext {
  /** The device of the same name before the write. */
  readonly old: Device | undefined;
  /** True if the slice leaves the choice of nodes to its devices. */
  readonly choosesNodes: boolean;
}

/** Validates a device of a slice. */
export function checkDevice(device: FieldCursor<Device>, { old, choosesNodes }: DeviceContext): void {
  const { value } = device;
  checkLabelName(device.at('name'));
  checkCounts(device);
  for (const [name, attribute] of device.entries('attributes')) {
    checkQualifiedName(device.at('attributes'), name);
    checkAttribute(attribute);
  }
  checkCapacity(device);
  if (!old || !sameValue(old.taints, value.taints)) {
    checkList(device.at('taints'), { limit: limits.taints }, (taint) => checkTaint(taint));
  }
  const sets = { limit: limits.counterSets, keyOf: ({ counterSet }: DeviceCounterConsumption) => counterSet };
  checkList(device.at('consumesCounters'), sets, (set) => {
    const name = set.at('counterSet');
    if (name.value === '') name.reportRequired();
    else checkLabelName(name);
    checkCounters(set);
  });
  checkNodes(device, choosesNodes);
  checkBindingConditions(device);
  checkMappings(device);
}

function checkCounts(device: FieldCursor<Device>): void {
  const { attributes = {}, capacity = {} } = device.value;
  const properties = Object.keys(attributes).length + Object.keys(capacity).length;
  if (properties > limits.properties) {
    const message = `the total number of attributes and capacities must not exceed ${limits.properties}`;
    device.reportInvalid(message, properties);
  }
  const values = Object.values(attributes).reduce((sum, attribute) => sum + valuesIn(attribute), 0);
  if (values > limits.values) {
    device.reportInvalid(`the total number of attribute values must not exceed ${limits.values}`, values);
  }
}

const lists = ['bools', 'ints', 'strings', 'versions'] as const;
const members = ['bool', 'int', 'string', 'version', ...lists] as const;

function valuesIn(attribute: DeviceAttribute): number {
  return lists.reduce((sum, name) => sum + (attribute[name]?.length ?? 0), 0) || 1;
}

/** The grammar of semantic versions (semver.org 2.0.0). */
const number = '(0|[1-9]\\d*)';
const label = '(0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)';
const build = '[0-9a-zA-Z-]+';
const version = new RegExp(`^${number}\\.${number}\\.${number}(-${label}(\\.${label})*)?(\\+${build}(\\.${build})*)?$`);

function checkAttribute(attribute: FieldCursor<DeviceAttribute>): void {
  const set = members.filter((name) => attribute.value[name] !== undefined);
  for (const name of ['string', 'version'] as const) checkText(attribute.at(name), name === 'version');
  for (const name of lists) {
    if (attribute.value[name]?.length === 0) attribute.at(name).reportInvalid('must not be empty if specified', []);
  }
  for (const text of attribute.each('strings')) checkText(text, false);
  for (const text of attribute.each('versions')) checkText(text, true);
  if (set.length === 1) return;
  attribute.reportInvalid('exactly one value must be specified', set.length === 0 ? '' : attribute.value);
}

function checkText(text: FieldCursor<string | undefined>, isVersion: boolean): void {
  const { value, path } = text;
  if (value === undefined) return;
  if (isVersion && !version.test(value)) text.reportInvalid('must be a string compatible with semver.org spec 2.0.0');
  if (Buffer.byteLength(value) > limits.text) text.report(tooLong(path, limits.text));
}

function checkCapacity(device: FieldCursor<Device>): void {
  for (const [name, capacity] of device.entries('capacity')) {
    checkQualifiedName(device.at('capacity'), name);
    const policy = capacity.at('requestPolicy');
    if (!policy.isPresent()) continue;
    if (device.value.allowMultipleAllocations) checkRequestPolicy(policy, capacity.value.value);
    else policy.reportForbidden('allowMultipleAllocations must be true');
  }
}

const nodesOfDevice =
  'exactly one of `nodeName`, `nodeSelector`, or `allNodes` is required when `perDeviceNodeSelection` is set to true in the ResourceSlice spec';

function checkNodes(device: FieldCursor<Device>, choosesNodes: boolean): void {
  const { nodeName, nodeSelector, allNodes } = device.value;
  if (!choosesNodes) {
    if (nodeName === undefined && !nodeSelector && allNodes === undefined) return;
    const message =
      '`nodeName`, `nodeSelector` and `allNodes` can only be set if `perDeviceNodeSelection` is set to true in the ResourceSlice spec';
    device.reportInvalid(message, null);
    return;
  }
  if (nodeName === '') device.at('nodeName').reportInvalid('must not be empty', '');
  device.at('nodeName').mustBe(validateDnsSubdomain);
  if (nodeSelector) checkStrictNodeSelector(device.at('nodeSelector'));
  if (allNodes === false) device.at('allNodes').reportInvalid('must be either unset or set to true', false);
  const ways = [nodeName ? '`nodeName`' : '', nodeSelector ? '`nodeSelector`' : '', allNodes ? '`allNodes`' : ''];
  const given = ways.filter((way) => way !== '');
  if (given.length === 0) device.reportRequired(nodesOfDevice);
  if (given.length > 1) device.reportInvalid(nodesOfDevice, `{${given.join(', ')}}`);
}

/**
 * True for node resources that devices can map to: resources that the node itself allocates to
 * pods.
 */
function isNodeResource(name: string): boolean {
  return ['cpu', 'memory', 'ephemeral-storage'].includes(name) || name.startsWith('hugepages-');
}

function checkMappings(device: FieldCursor<Device>): void {
  const { capacity = {} } = device.value;
  for (const [name, mapping] of device.entries('nodeAllocatableResourceMappings')) {
    if (!isNodeResource(name)) mapping.reportInvalid('must be a node allocatable resource name', name);
    const key = mapping.at('capacityKey');
    if (key.value === '') key.reportInvalid('capacityKey must not be an empty string', '');
    else if (key.value !== undefined && !Object.hasOwn(capacity, key.value)) {
      mapping.report(notFoundField(key.path, key.value));
    }
  }
}
