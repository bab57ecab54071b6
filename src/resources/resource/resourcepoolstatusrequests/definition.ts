import type {
  PoolStatus,
  ResourcePoolStatusRequest,
  ResourcePoolStatusRequestStatus,
} from '../../../gen/stored/resource-v1alpha3.ts';
import { validateDnsSubdomain } from '../../../meta/validate-name.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, tooLong } from '../../../status/field-error.ts';
import { builtIn } from '../../built-in.ts';
import { ageColumn, nameColumn } from '../../columns/column.ts';
import { checkList } from '../../rules/devices/checked-list.ts';
import { checkDriver, checkPool } from '../../rules/devices/device-names.ts';
import { checkConditions } from '../../rules/fields/conditions.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { keepMetadata, userFields } from '../../rules/fields/keep-metadata.ts';
import { statusSubresource } from '../../subresources.ts';

/** The numbers of entries of a status, and the size of a text in bytes. */
const limits = { pools: 1_000, conditions: 10, problem: 256 };

function validateRequest(request: ResourcePoolStatusRequest): readonly FieldError[] {
  const spec = new FieldCursor(request).at('spec');
  const [driver, pool] = [spec.at('driver'), spec.at('poolName')];
  if (driver.value === '') driver.reportRequired('driver name is required');
  else checkDriver(driver);
  if (pool.value === '') pool.reportInvalid('must not be empty when specified', '');
  else if (pool.isPresent()) checkPool(pool);
  return spec.errors;
}

/** A request with a status is complete: nothing of it changes any more. */
function validateStatus(request: ResourcePoolStatusRequest, old: ResourcePoolStatusRequest): readonly FieldError[] {
  if (old.status) return checkImmutable('status', request.status, old.status);
  const status = new FieldCursor(request).at('status') as FieldCursor<ResourcePoolStatusRequestStatus | undefined>;
  if (!status.value) return [];
  if (status.value.poolCount === undefined) status.at('poolCount').reportRequired();
  checkList(status.at('pools'), { limit: limits.pools }, checkPoolStatus);
  checkList(status.at('conditions'), { limit: limits.conditions }, () => {});
  status.report(...checkConditions('status.conditions', status.value.conditions ?? []));
  return status.errors;
}

function checkPoolStatus(pool: FieldCursor<PoolStatus>): void {
  const { driver, poolName, nodeName, validationError = '' } = pool.value;
  if (driver) checkDriver(pool.at('driver') as FieldCursor<string>);
  if (poolName) checkPool(pool.at('poolName') as FieldCursor<string>);
  if (nodeName === '') pool.at('nodeName').reportRequired('nodeName must not be empty when specified');
  pool.at('nodeName').mustBe(validateDnsSubdomain);
  if (Buffer.byteLength(validationError) > limits.problem) {
    pool.report(tooLong(pool.at('validationError').path, limits.problem));
  }
}

/** The strategy of requests for the state of pools. */
const strategy: Strategy<ResourcePoolStatusRequest> = {
  generation: false,
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
  columns: [nameColumn, ageColumn],
  strategy,
});
