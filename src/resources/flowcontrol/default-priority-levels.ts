import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { isSince } from '../../scheme/api-release.ts';

/** An object that servers create at their start. */
export interface DefaultObject {
  readonly object: JsonObject;
  /** True if other specifications of it are replaced; else administrators may change it. */
  readonly mandatory: boolean;
}

/** The annotation of objects that servers update: `true` unless an administrator sets `false`. */
export function autoUpdateAnnotation({ labelDomain }: Identifiers): string {
  return `apf.${labelDomain}/autoupdate-spec`;
}

/** A default priority level of the type Limited. */
interface LevelRow {
  readonly shares: number;
  /** The percentage of its shares that other levels may borrow, since 1.26. */
  readonly lendable: number;
  /** The number of queues and the hand size; absent: requests beyond the limit are rejected. */
  readonly queuing?: readonly [queues: number, handSize: number];
}

const levels: Readonly<Record<string, LevelRow>> = {
  'catch-all': { shares: 5, lendable: 0 },
  'global-default': { shares: 20, lendable: 50, queuing: [128, 6] },
  'leader-election': { shares: 10, lendable: 0, queuing: [16, 4] },
  'node-high': { shares: 40, lendable: 25, queuing: [64, 6] },
  system: { shares: 30, lendable: 33, queuing: [64, 6] },
  'workload-high': { shares: 40, lendable: 50, queuing: [128, 6] },
  'workload-low': { shares: 100, lendable: 90, queuing: [128, 6] },
};

const queueLengthLimit = 50;

const mandatoryLevels: ReadonlySet<string> = new Set(['exempt', 'catch-all']);

/** The field name of a limited level's shares, by version. */
export function sharesField(version: string): 'assuredConcurrencyShares' | 'nominalConcurrencyShares' {
  return version === 'v1beta1' || version === 'v1beta2' ? 'assuredConcurrencyShares' : 'nominalConcurrencyShares';
}

/** The default PriorityLevelConfigurations of a release, in a version of their kind. */
export function defaultPriorityLevels(
  identifiers: Identifiers,
  release: string,
  version = 'v1',
): readonly DefaultObject[] {
  const limited = Object.entries(levels).map(([name, row]) =>
    defaultObject(identifiers, name, limitedSpec(row, release, version), mandatoryLevels),
  );
  const reserved: JsonObject = isSince(release, '1.28')
    ? { exempt: { lendablePercent: 0, nominalConcurrencyShares: 0 } }
    : {};
  return [defaultObject(identifiers, 'exempt', { ...reserved, type: 'Exempt' }, mandatoryLevels), ...limited];
}

function limitedSpec({ shares, lendable, queuing }: LevelRow, release: string, version: string): JsonObject {
  const [queues, handSize] = queuing ?? [];
  const limitResponse: JsonObject =
    queues === undefined || handSize === undefined
      ? { type: 'Reject' }
      : { queuing: { handSize, queueLengthLimit, queues }, type: 'Queue' };
  const borrowing: JsonObject = isSince(release, '1.26') ? { lendablePercent: lendable } : {};
  return { limited: { ...borrowing, limitResponse, [sharesField(version)]: shares }, type: 'Limited' };
}

/** A flow schema: its place in the order, its level, its flows, its subjects and their requests. */
interface SchemaRow {
  readonly precedence: number;
  readonly level: string;
  readonly distinguisher?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly JsonObject[];
  /** The rules; undefined: all requests. */
  readonly rules?: JsonObject;
}

const allRequests: JsonObject = {
  resourceRules: [resourceRule(['*'], ['*'], ['*'], { namespaces: ['*'], clusterScope: true })],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

const leaderVerbs = ['get', 'create', 'update'];
const mandatorySchemas: ReadonlySet<string> = new Set(['exempt', 'catch-all']);

/** The default FlowSchemas of a release. */
export function defaultFlowSchemas(identifiers: Identifiers, release: string): readonly DefaultObject[] {
  return Object.entries(schemaRows(identifiers, release)).map(([name, row]) => {
    const { precedence, level, distinguisher, subjects, rules = allRequests } = row;
    const spec: JsonObject = {
      ...(distinguisher ? { distinguisherMethod: { type: distinguisher } } : {}),
      matchingPrecedence: precedence,
      priorityLevelConfiguration: { name: level },
      rules: [{ ...rules, subjects: [...subjects] }],
    };
    return defaultObject(identifiers, name, spec, mandatorySchemas);
  });
}

function schemaRows(identifiers: Identifiers, release: string): Readonly<Record<string, SchemaRow>> {
  const { apiDomain, prefix } = identifiers;
  const manager = `${prefix}controller-manager`;
  const scheduler = `${prefix}scheduler`;
  const system = `${prefix}system`;
  const everyone = groups('system:unauthenticated', 'system:authenticated');
  const systemAccounts = account(system, '*');
  const leases = leaseRule(identifiers);
  return {
    exempt: { precedence: 1, level: 'exempt', subjects: groups('system:masters') },
    probes: {
      precedence: 2,
      level: 'exempt',
      subjects: everyone,
      rules: { nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/healthz', '/readyz', '/livez'] }] },
    },
    'system-leader-election': {
      precedence: 100,
      level: 'leader-election',
      distinguisher: 'ByUser',
      subjects: [user(`system:${manager}`), user(`system:${scheduler}`), systemAccounts],
      // Before 1.24 leaders were also elected through other objects than Leases.
      rules: { resourceRules: isSince(release, '1.24') ? [leases] : [locks(system), leases] },
    },
    ...(isSince(release, '1.34') ? {} : lockRows(identifiers, release)),
    'system-node-high': {
      precedence: 400,
      level: 'node-high',
      distinguisher: 'ByUser',
      subjects: groups('system:nodes'),
      rules: {
        resourceRules: [
          resourceRule(['*'], [''], ['nodes', 'nodes/status'], { namespaces: ['*'], clusterScope: true }),
          resourceRule(['*'], [`coordination.${apiDomain}`], ['leases'], { namespaces: ['*'] }),
        ],
      },
    },
    'system-nodes': { precedence: 500, level: 'system', distinguisher: 'ByUser', subjects: groups('system:nodes') },
    [manager]: {
      precedence: 800,
      level: 'workload-high',
      distinguisher: 'ByNamespace',
      subjects: [user(`system:${manager}`)],
    },
    [scheduler]: {
      precedence: 800,
      level: 'workload-high',
      distinguisher: 'ByNamespace',
      subjects: [user(`system:${scheduler}`)],
    },
    [`${prefix}system-service-accounts`]: {
      precedence: 900,
      level: 'workload-high',
      distinguisher: 'ByNamespace',
      subjects: [systemAccounts],
    },
    'service-accounts': {
      precedence: 9000,
      level: 'workload-low',
      distinguisher: 'ByUser',
      subjects: groups('system:serviceaccounts'),
    },
    'global-default': { precedence: 9900, level: 'global-default', distinguisher: 'ByUser', subjects: everyone },
    'catch-all': { precedence: 10_000, level: 'catch-all', distinguisher: 'ByUser', subjects: everyone },
  };
}

function leaseRule({ apiDomain }: Identifiers): JsonObject {
  return resourceRule(leaderVerbs, [`coordination.${apiDomain}`], ['leases'], { namespaces: ['*'] });
}

function locks(namespace: string): JsonObject {
  return resourceRule(leaderVerbs, [''], ['endpoints', 'configmaps'], { namespaces: [namespace] });
}

/** The FlowSchemas for leader election through Endpoints and ConfigMaps, which 1.34 removed. */
function lockRows(identifiers: Identifiers, release: string): Readonly<Record<string, SchemaRow>> {
  const { prefix } = identifiers;
  const system = `${prefix}system`;
  const mirroring = isSince(release, '1.24') ? [account(system, 'endpointslicemirroring-controller')] : [];
  return {
    'endpoint-controller': {
      precedence: 150,
      level: 'workload-high',
      distinguisher: 'ByUser',
      subjects: [user(`system:${prefix}controller-manager`), account(system, 'endpoint-controller'), ...mirroring],
      rules: { resourceRules: [resourceRule(leaderVerbs, [''], ['endpoints'], { namespaces: ['*'] })] },
    },
    'workload-leader-election': {
      precedence: 200,
      level: 'leader-election',
      distinguisher: 'ByUser',
      subjects: [account(system, '*')],
      rules: { resourceRules: [locks('*'), leaseRule(identifiers)] },
    },
  };
}

function user(name: string): JsonObject {
  return { kind: 'User', user: { name } };
}

function groups(...names: readonly string[]): readonly JsonObject[] {
  return names.map((name) => ({ group: { name }, kind: 'Group' }));
}

function account(namespace: string, name: string): JsonObject {
  return { kind: 'ServiceAccount', serviceAccount: { name, namespace } };
}

function resourceRule(
  verbs: readonly string[],
  apiGroups: readonly string[],
  resources: readonly string[],
  scope: { readonly namespaces: readonly string[]; readonly clusterScope?: true },
): JsonObject {
  const { namespaces, clusterScope } = scope;
  return {
    apiGroups: [...apiGroups],
    ...(clusterScope ? { clusterScope } : {}),
    namespaces: [...namespaces],
    resources: [...resources],
    verbs: [...verbs],
  };
}

function defaultObject(
  identifiers: Identifiers,
  name: string,
  spec: JsonObject,
  mandatory: ReadonlySet<string>,
): DefaultObject {
  const annotations = { [autoUpdateAnnotation(identifiers)]: 'true' };
  return { object: { metadata: { name, annotations }, spec }, mandatory: mandatory.has(name) };
}
