import type { Column } from '../../../codec/table.ts';
import type { PoolStatus, ResourcePoolStatusRequest } from '../../../gen/stored/resource-v1alpha3.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import { integerColumn, nameColumn, textColumn } from '../../columns/column.ts';

/** The columns of requests for the state of pools. */
export const columns: readonly Column<ResourcePoolStatusRequest>[] = [
  nameColumn,
  textColumn('Driver', 'Driver of the pools.', ({ spec }) => spec.driver),
  sumColumn('Total', 'Number of all devices in the pools.', ({ totalDevices = 0 }) => totalDevices),
  sumColumn('Available', 'Number of devices that can be allocated.', ({ availableDevices = 0 }) => availableDevices),
  sumColumn('Allocated', 'Number of devices that are allocated.', ({ allocatedDevices = 0 }) => allocatedDevices),
  sumColumn('Unavailable', 'Number of devices that are neither.', ({ unavailableDevices = 0 }) => unavailableDevices),
  sumColumn('Errors', 'Number of pools that are not valid.', ({ validationError }) =>
    validationError === undefined ? 0 : 1,
  ),
  integerColumn('Pools', 'Number of pools of the driver.', ({ status }) => status?.poolCount ?? 0),
  textColumn('Status', 'State of the request.', shownState),
  textColumn('Completed', 'Time since the request was completed.', (request, { nowMs }) => {
    const time = stateOf(request)?.lastTransitionTime;
    return stateOf(request)?.type === 'Complete' && time ? ageSince(time, nowMs) : '<none>';
  }),
];

/** The first condition that ends a request; undefined while it is pending. */
function stateOf({ status }: ResourcePoolStatusRequest) {
  return status?.conditions?.find(
    ({ type, status: state }) => state === 'True' && (type === 'Complete' || type === 'Failed'),
  );
}

function shownState(request: ResourcePoolStatusRequest): string {
  const { poolCount = 0, pools = [] } = request.status ?? {};
  const state = stateOf(request)?.type ?? 'Pending';
  const isCut = state === 'Complete' && poolCount > pools.length;
  return isCut ? `Complete (${pools.length}/${poolCount} pools)` : state;
}

/** A column with a sum over the pools; `-` without a status and for a failed request. */
function sumColumn(
  title: string,
  description: string,
  count: (pool: PoolStatus) => number,
): Column<ResourcePoolStatusRequest> {
  return textColumn(title, description, (request) => {
    if (!request.status || stateOf(request)?.type === 'Failed') return '-';
    return String((request.status.pools ?? []).reduce((sum, pool) => sum + count(pool), 0));
  });
}
