import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestStatus,
} from '../../../gen/stored/resource-v1alpha3.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, tooLong, tooMany } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { checkList } from '../../rules/devices/checked-list.ts';
import { checkPool } from '../../rules/devices/device-names.ts';
import { checkString } from '../../rules/fields/field-checks.ts';
import { checkConditions } from '../../rules/fields/check-conditions.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { keepMetadata, userFields } from '../../rules/fields/keep-metadata.ts';
import { statusSubresource } from '../../subresources.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageSince } from '../../../meta/human-duration.ts';
import { integerColumn, nameColumn, textColumn } from '../../columns/column.ts';

/** The columns of ResourcePoolStatusRequests. */
const columns: readonly Column<ResourcePoolStatusRequest>[] = [
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

/** The condition that ends a request; undefined while the request is pending. */
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

/** A column with a sum over all pools; `-` without a status, or if the request failed. */
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

/** The most entries of lists in a status, and the limit of a string in bytes. */
const limits = { pools: 1_000, conditions: 10, problem: 256 };

function validateRequest(request: ResourcePoolStatusRequest): readonly FieldError[] {
  const spec = new FieldCursor(request).at('spec');
  const [driver, pool] = [spec.at('driver'), spec.at('poolName')];
  driver.mustBeSet();
  driver.mustBe(validateDriver);
  if (pool.value === '') pool.reportInvalid('segment 0: must not be empty', '');
  else if (pool.isPresent()) checkPool(pool);
  return spec.errors;
}

/**
 * Validates a driver. Unlike elsewhere it may be as long as a DNS subdomain, and have upper case.
 */
function validateDriver(name: string): readonly string[] {
  return validateDnsSubdomain(name.toLowerCase());
}

/** Validates a status. Once it is set, the request is complete and immutable. */
function validateStatus(request: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest): readonly FieldError[] {
  const status = new FieldCursor(request).at('status') as FieldCursor<ResourcePoolStatusRequestStatus | undefined>;
  const { value } = status;
  if (old.status) status.report(...checkImmutable('status', value, old.status));
  else if (value) status.report(...checkConditions('status.conditions', value.conditions ?? []));
  if (!value) return status.errors;
  if (value.poolCount === undefined) status.at('poolCount').reportRequired();
  checkList(status.at('pools'), { limit: limits.pools }, checkPoolStatus);
  const { conditions = [] } = value;
  if (conditions.length > limits.conditions) {
    status.report(tooMany('status.conditions', conditions.length, limits.conditions));
  }
  return status.errors;
}

function checkPoolStatus(pool: FieldCursor<PoolStatus>): void {
  const { poolName, generation, validationError = '' } = pool.value;
  pool.at('driver').mustBe(validateDriver);
  if (poolName) checkPool(pool.at('poolName') as FieldCursor<string>);
  if (Number(generation) === 0) pool.at('generation').reportRequired();
  const node = pool.at('nodeName');
  if (node.value !== undefined) pool.report(...checkString(node.path, node.value, validateDnsSubdomain));
  if (Buffer.byteLength(validationError) > limits.problem) {
    pool.report(tooLong(pool.at('validationError').path, limits.problem));
  }
}

/** The strategy of ResourcePoolStatusRequests. */
const strategy: Strategy<ResourcePoolStatusRequest> = {
  generation: false,
  returnsDeletedObject: true,
  validate: (request, _, old) => (old ? [] : validateRequest(request)),
  validateUpdate: ({ spec }, old) => checkImmutable('spec', spec, old.spec),
  allowUnconditionalUpdate: false,
  subresources: {
    status: { ...keepMetadata([...userFields, 'deletionTimestamp']), validateUpdate: validateStatus },
  },
};

/** The resource `resourcepoolstatusrequests` of the group `resource`. */
export const resourcePoolStatusRequests = builtIn<ResourcePoolStatusRequest>({
  group: 'resource',
  resource: 'resourcepoolstatusrequests',
  kind: 'ResourcePoolStatusRequest',
  versions: { v1alpha3: { introduced: '1.36', gate: 'DRAResourcePoolStatus', deprecated: { since: '1.39' } } },
  subresources: [statusSubresource],
  columns,
  strategy,
});
