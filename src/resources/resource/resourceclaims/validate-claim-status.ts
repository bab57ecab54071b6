import type {
  AllocatedDeviceStatus,
  AllocationResult,
  DeviceAllocationConfiguration,
  DeviceRequestAllocationResult,
  NetworkDeviceData,
  ResourceClaim,
} from '../../../gen/stored/resource-v1.ts';
import { sameMessage } from '../../../scheme/same-message.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, forbidden, tooLong, tooMany } from '../../../status/field-error.ts';
import { identityOfValue } from '../../../meta/read-field.ts';
import { checkStrictNodeSelector } from '../../core/pods/check-scheduling.ts';
import { checkConditions } from '../../rules/fields/check-conditions.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { isInterfaceAddress } from '../../rules/fields/ip.ts';
import { checkList } from '../../rules/devices/checked-list.ts';
import { checkConfiguration, checkDriverData } from '../../rules/devices/device-configuration.ts';
import { checkDriver, checkLabelName, checkPool, checkShare } from '../../rules/devices/device-names.ts';
import {
  checkRequestName,
  checkRequestNames,
  type RequestNames,
  requestNamesOf,
} from '../../rules/devices/request-names.ts';
import { checkBindingConditions } from '../../rules/devices/taints.ts';

/** The most entries of lists in a status, and the limits of strings in bytes. */
const limits = {
  reservations: 256,
  results: 32,
  configuration: 64,
  conditions: 8,
  addresses: 16,
  interfaceName: 256,
  hardwareAddress: 128,
};

/** A device, with the share if several claims use it. */
type SharedDevice = Pick<AllocatedDeviceStatus, 'driver' | 'pool' | 'device' | 'shareID'>;

function identityOf({ driver, pool, device, shareID = '' }: SharedDevice): string {
  return JSON.stringify([driver, pool, device, shareID]);
}

/** The identity of a device in messages. */
function shownIdentity({ driver, pool, device, shareID }: SharedDevice): string {
  return [driver, pool, device, ...(shareID === undefined ? [] : [shareID])].join('/');
}

/**
 * Removes the status of devices that this write deallocates, because their drivers no longer report
 * it. Mutates.
 */
export function dropDeallocated({ status }: ResourceClaim, { status: old }: ResourceClaim): void {
  if (!status.devices) return;
  const before = old.allocation?.devices.results ?? [];
  const after = new Set((status.allocation?.devices.results ?? []).map(identityOf));
  const gone = new Set(before.map(identityOf).filter((device) => !after.has(device)));
  const kept = status.devices.filter((device) => !gone.has(identityOf(device)));
  if (kept.length > 0) status.devices = kept;
  else delete status.devices;
}

const sameAllocation = sameMessage('api.resource.v1.AllocationResult');

/** All errors of a new status. An allocation is validated when it is set; then it is immutable. */
export function validateClaimStatus(claim: ResourceClaim, { status: old }: ResourceClaim): readonly FieldError[] {
  const names = requestNamesOf(claim.spec.devices);
  const status = new FieldCursor(claim).at('status');
  const { allocation, reservedFor = [] } = status.value;
  const uids = { limit: limits.reservations, keyOf: ({ uid }: { readonly uid: string }) => uid };
  // The schema reports missing fields of a reference.
  checkList(status.at('reservedFor'), uids, () => {});
  const allocated = new Set((allocation?.devices.results ?? []).map(identityOf));
  checkList(status.at('devices'), { keyOf: identityOf }, (device) => checkDevice(device, allocated));
  if (reservedFor.length > 0) status.report(...reservationErrors(claim, old));
  if (allocation && old.allocation) {
    status.report(...checkImmutable('status.allocation', allocation, old.allocation, sameAllocation));
  } else if (allocation) checkAllocation(status.at('allocation') as FieldCursor<AllocationResult>, names);
  return status.errors;
}

function reservationErrors({ metadata, status }: ResourceClaim, old: ResourceClaim['status']): readonly FieldError[] {
  const field = 'status.reservedFor';
  if (!status.allocation) return [forbidden(field, 'may not be specified when `allocated` is not set')];
  if (metadata.deletionTimestamp === undefined) return [];
  const before = new Set((old.reservedFor ?? []).map(identityOfValue));
  if ((status.reservedFor ?? []).every((one) => before.has(identityOfValue(one)))) return [];
  const message = 'new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set';
  return [forbidden(field, message)];
}

function checkAllocation(allocation: FieldCursor<AllocationResult>, names: RequestNames): void {
  const devices = allocation.at('devices');
  checkList(devices.at('results'), { limit: limits.results }, (result) => checkResult(result, names));
  checkList(devices.at('config'), { limit: limits.configuration }, (one) => checkUsedConfiguration(one, names));
  checkStrictNodeSelector(allocation.at('nodeSelector'));
}

function checkResult(result: FieldCursor<DeviceRequestAllocationResult>, names: RequestNames): void {
  checkRequestName(result.at('request'), names);
  checkNames(result);
  checkBindingConditions(result);
  checkShare(result.at('shareID'));
}

function checkUsedConfiguration(one: FieldCursor<DeviceAllocationConfiguration>, names: RequestNames): void {
  checkRequestNames(one.at('requests'), names);
  checkConfiguration(one, false);
}

function checkNames<T extends SharedDevice>(device: FieldCursor<T>): void {
  const named = device as unknown as FieldCursor<SharedDevice>;
  checkDriver(named.at('driver'));
  checkPool(named.at('pool'));
  checkLabelName(named.at('device'));
}

function checkDevice(device: FieldCursor<AllocatedDeviceStatus>, allocated: ReadonlySet<string>): void {
  const { value } = device;
  checkNames(device);
  checkShare(device.at('shareID'));
  if (!allocated.has(identityOf(value))) {
    device.reportInvalid('must be an allocated device in the claim', shownIdentity(value));
  }
  const conditions = device.at('conditions');
  const count = value.conditions?.length ?? 0;
  if (count > limits.conditions) device.report(tooMany(conditions.path, count, limits.conditions));
  device.report(...checkConditions(conditions.path, value.conditions ?? []));
  if (value.data !== undefined && value.data !== null) checkDriverData(device, 'data', value.data);
  checkNetworkData(device.at('networkData'));
}

function checkNetworkData(data: FieldCursor<NetworkDeviceData | undefined>): void {
  for (const name of ['interfaceName', 'hardwareAddress'] as const) {
    const { value = '', path } = data.at(name);
    if (Buffer.byteLength(value) > limits[name]) data.report(tooLong(path, limits[name]));
  }
  checkList(data.at('ips'), { limit: limits.addresses, keyOf: String }, (address) => {
    if (!isInterfaceAddress(address.value)) {
      address.reportInvalid('must be a valid address in CIDR form, (e.g. 10.9.8.7/24 or 2001:db8::1/64)');
    }
  });
}
