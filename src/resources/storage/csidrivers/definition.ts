import type { CSIDriver, CSIDriverSpec } from '../../../gen/stored/storage-v1.ts';
import { builtIn } from '../../built-in.ts';
import type { Column } from '../../../codec/table-definition.ts';
import { ageColumn, flagColumn, nameColumn, textColumn } from '../../columns/column.ts';
import type { Strategy, StrategyContext } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { type FieldError, notSupported } from '../../../status/field-error.ts';
import { isSince } from '../../../scheme/api-release.ts';
import { checkImmutable } from '../../rules/fields/immutable.ts';
import { checkTokenLifetime } from '../../rules/fields/token-lifetime.ts';

/** Immutable fields of a driver, on which nodes depend, with the names that messages use. */
const fixed = [
  // kube-apiserver's message has this spelling.
  ['attachRequired', 'attachedRequired'],
  ['volumeLifecycleModes', 'volumeLifecycleModes'],
] as const;

/** The immutable fields of releases that did not check others in updates. */
const fixedOnce = [
  ['fsGroupPolicy', 'fsGroupPolicy'],
  ['podInfoOnMount', 'podInfoOnMount'],
] as const;

/** The strategy of CSI drivers. */
const strategy: Strategy<CSIDriver> = {
  returnsDeletedObject: true,
  generation: 'changes',
  default: defaultDriver,
  validateCreate: validateDriver,
  validateUpdate(driver, old, { emulated }) {
    const isChecked = isSince(emulated.release, '1.29');
    const names = isChecked ? fixed : [...fixed, ...fixedOnce];
    return [
      ...(isChecked ? validateDriver(driver) : []),
      ...names.flatMap(([name, shown]) => checkImmutable(`spec.${shown}`, driver.spec[name], old.spec[name])),
    ];
  },
  allowUnconditionalUpdate: false,
};

/** Sets the defaults of fields that depend on gates. Mutates. */
function defaultDriver({ spec }: CSIDriver, { emulated }: StrategyContext): void {
  if (emulated.isFeatureEnabled('SELinuxMountReadWriteOncePod')) spec.seLinuxMount ??= false;
  if (emulated.isFeatureEnabled('VolumeLimitScaling')) spec.preventPodSchedulingIfMissing ??= false;
}

const groupPolicies = ['File', 'None', 'ReadWriteOnceWithFSType'];
const lifecycleModes = ['Persistent', 'Ephemeral'];

/** All errors of a CSIDriver. In earlier releases updates only check the immutable fields. */
function validateDriver(driver: CSIDriver): readonly FieldError[] {
  const spec = new FieldCursor(driver).at('spec');
  const { volumeLifecycleModes = [], fsGroupPolicy } = spec.value;
  for (const mode of volumeLifecycleModes) {
    if (!lifecycleModes.includes(mode)) spec.report(notSupported('spec.volumeLifecycleModes', mode, lifecycleModes));
  }
  if (fsGroupPolicy !== undefined && !groupPolicies.includes(fsGroupPolicy)) {
    spec.report(notSupported('spec.fsGroupPolicy', fsGroupPolicy, groupPolicies));
  }
  checkTokens(spec);
  checkReports(spec);
  return spec.errors;
}

const shortestPeriodSeconds = 10;

/** Checks the update period of allocatable counts, and that tokens in secrets are requested. */
function checkReports(spec: FieldCursor<CSIDriverSpec>): void {
  const { nodeAllocatableUpdatePeriodSeconds: period, serviceAccountTokenInSecrets, tokenRequests = [] } = spec.value;
  if (period !== undefined && Number(period) < shortestPeriodSeconds) {
    const field = spec.at('nodeAllocatableUpdatePeriodSeconds');
    field.reportInvalid(`must be greater than or equal to ${shortestPeriodSeconds} seconds`, Number(period));
  }
  if (serviceAccountTokenInSecrets !== undefined && tokenRequests.length === 0) {
    spec
      .at('serviceAccountTokenInSecrets')
      .reportInvalid('serviceAccountTokenInSecrets is set but no tokenRequests are specified');
  }
}

/** Checks the token requests: one for each audience. */
function checkTokens(spec: FieldCursor<CSIDriverSpec>): void {
  const seen = new Set<string>();
  for (const request of spec.each('tokenRequests')) {
    const { audience, expirationSeconds } = request.value;
    // The empty audience means the audience of the server.
    if (seen.has(audience)) request.at('audience').reportDuplicate();
    seen.add(audience);
    if (expirationSeconds === undefined) continue;
    request.report(...checkTokenLifetime(`${request.path}.expirationSeconds`, Number(expirationSeconds)));
  }
}

/** The first release whose Tables show these fields. */
const since = '1.24';

const hasCapacity = ({ spec }: CSIDriver): boolean => spec.storageCapacity === true;

const audiences = ({ spec: { tokenRequests } }: CSIDriver): string =>
  tokenRequests === undefined ? '<unset>' : tokenRequests.map(({ audience }) => audience).join(',');

const isRepublished = ({ spec }: CSIDriver): boolean => spec.requiresRepublish === true;

/** The columns of CSI drivers. */
const columns: readonly Column<CSIDriver>[] = [
  nameColumn,
  flagColumn(
    'AttachRequired',
    'Whether volumes are attached before they are mounted.',
    ({ spec }) => spec.attachRequired,
  ),
  flagColumn(
    'PodInfoOnMount',
    'Whether the driver is given the pod when it mounts a volume.',
    ({ spec }) => spec.podInfoOnMount,
  ),
  { ...flagColumn('StorageCapacity', 'Whether the scheduler considers the capacity of storage.', hasCapacity), since },
  { ...textColumn('TokenRequests', 'Audiences of the tokens that the driver is given.', audiences), since },
  { ...flagColumn('RequiresRepublish', 'Whether volumes are published again periodically.', isRepublished), since },
  textColumn('Modes', 'Lifecycles of volumes that the driver supports.', ({ spec }) =>
    (spec.volumeLifecycleModes ?? []).join(','),
  ),
  ageColumn,
];

/** The resource `csidrivers` of the group `storage`. */
export const csiDrivers = builtIn<CSIDriver>({
  group: 'storage',
  resource: 'csidrivers',
  kind: 'CSIDriver',
  versions: {
    v1: { introduced: '1.19' },
    v1beta1: { introduced: '1.14', deprecated: { since: '1.19', removed: '1.22', replacement: 'v1' } },
  },
  columns,
  strategy,
  earlierRules: { before: '1.27', hooks: { generation: false } },
});
