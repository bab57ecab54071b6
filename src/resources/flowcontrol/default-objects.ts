import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { JsonObject } from '../../meta/json-value.ts';

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

/** Name, shares, number of queues (0: reject) and hand size of each limited level. */
const levels: readonly (readonly [name: string, shares: number, queues: number, handSize: number])[] = [
  ['catch-all', 5, 0, 0],
  ['global-default', 20, 128, 6],
  ['leader-election', 10, 16, 4],
  ['node-high', 40, 64, 6],
  ['system', 30, 64, 6],
  ['workload-high', 40, 128, 6],
  ['workload-low', 100, 128, 6],
];

const queueLengthLimit = 50;

const mandatoryLevels: ReadonlySet<string> = new Set(['exempt', 'catch-all']);

/** The default PriorityLevelConfigurations of Kubernetes 1.23. */
export function defaultPriorityLevels(identifiers: Identifiers): readonly DefaultObject[] {
  const limited = levels.map(([name, shares, queues, handSize]) => {
    const limitResponse: JsonObject =
      queues === 0 ? { type: 'Reject' } : { queuing: { handSize, queueLengthLimit, queues }, type: 'Queue' };
    const spec: JsonObject = { limited: { assuredConcurrencyShares: shares, limitResponse }, type: 'Limited' };
    return defaultObject(identifiers, name, spec, mandatoryLevels);
  });
  return [defaultObject(identifiers, 'exempt', { type: 'Exempt' }, mandatoryLevels), ...limited];
}

/** A flow schema: its place in the order, its level, its flows, its subjects and their requests. */
interface SchemaRow {
  readonly precedence: number;
  readonly level: string;
  readonly distinguisher?: 'ByUser' | 'ByNamespace';
  readonly subjects: readonly JsonObject[];
  /** Undefined: all requests. */
  readonly rules?: JsonObject;
}

const allRequests: JsonObject = {
  resourceRules: [resourceRule(['*'], ['*'], ['*'], { namespaces: ['*'], clusterScope: true })],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
};

const leaderVerbs = ['get', 'create', 'update'];
const mandatorySchemas: ReadonlySet<string> = new Set(['exempt', 'catch-all']);

/** The default FlowSchemas of Kubernetes 1.23. */
export function defaultFlowSchemas(identifiers: Identifiers): readonly DefaultObject[] {
  return Object.entries(schemaRows(identifiers)).map(([name, row]) => {
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

function schemaRows({ apiDomain, prefix }: Identifiers): Readonly<Record<string, SchemaRow>> {
  const manager = `${prefix}controller-manager`;
  const scheduler = `${prefix}scheduler`;
  const system = `${prefix}system`;
  const everyone = groups('system:unauthenticated', 'system:authenticated');
  const systemAccounts = account(system, '*');
  const leases = resourceRule(leaderVerbs, [`coordination.${apiDomain}`], ['leases'], { namespaces: ['*'] });
  const locks = (namespace: string): JsonObject =>
    resourceRule(leaderVerbs, [''], ['endpoints', 'configmaps'], { namespaces: [namespace] });
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
      rules: { resourceRules: [locks(system), leases] },
    },
    'endpoint-controller': {
      precedence: 150,
      level: 'workload-high',
      distinguisher: 'ByUser',
      subjects: [user(`system:${manager}`), account(system, 'endpoint-controller')],
      rules: { resourceRules: [resourceRule(leaderVerbs, [''], ['endpoints'], { namespaces: ['*'] })] },
    },
    'workload-leader-election': {
      precedence: 200,
      level: 'leader-election',
      distinguisher: 'ByUser',
      subjects: [systemAccounts],
      rules: { resourceRules: [locks('*'), leases] },
    },
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
