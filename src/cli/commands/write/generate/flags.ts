import type { FlagTable } from '../../../../flags/flag-table.ts';
import { choice, duration, integer, list, repeated, text, toggle } from '../../../../flags/flag-types.ts';
import { printFlags } from '../../../shared-flags.ts';
import { fieldManager, resultFlags, validationFlags } from '../../../write-flags.ts';

/** Flags of all commands that make an object from flags. */
export const generateFlags = {
  ...resultFlags,
  ...validationFlags,
  fieldManager: fieldManager('cl-create'),
} satisfies FlagTable;

const optional = (placeholder: string, help: string) => ({ type: text(placeholder), help }) as const;
const many = (placeholder: string, help: string) =>
  ({ type: repeated(text(placeholder)), default: [] as readonly string[], help: `${help}; can be repeated` }) as const;
const listed = (placeholder: string, help: string) =>
  ({ type: list(placeholder), default: [] as readonly string[], help: `${help}; can be repeated` }) as const;
const image = { type: text('image'), help: 'the image of the container' } as const;
const appendHash = { type: toggle, help: 'end the name with a hash of the content' } as const;

/** Flags of `cl create namespace` and `cl create serviceaccount`. */
export const plainFlags = generateFlags;

/** Flags of `cl create configmap`. */
export const configMapFlags = {
  ...generateFlags,
  fromFile: { ...many('[key=]file', 'a file, or the files of a folder'), flag: 'from-file' },
  fromLiteral: { ...many('key=value', 'a key and its value'), flag: 'from-literal' },
  fromEnvFile: { ...many('file', 'a file with lines of KEY=VALUE'), flag: 'from-env-file' },
  appendHash,
} satisfies FlagTable;

/** Flags of `cl create secret generic`. */
export const secretFlags = { ...configMapFlags, type: optional('type', 'the type of the Secret') } satisfies FlagTable;

/** Flags of `cl create secret tls`. */
export const secretTlsFlags = {
  ...generateFlags,
  cert: { ...optional('file', 'a file with the certificate'), required: true },
  key: { ...optional('file', 'a file with its private key'), required: true },
  appendHash,
} satisfies FlagTable;

/** Flags of `cl create secret docker-registry`. */
export const secretRegistryFlags = {
  ...generateFlags,
  dockerServer: { type: text('address'), default: 'https://index.docker.io/v1/', help: 'the address of the registry' },
  dockerUsername: { ...optional('name', 'the user'), flag: 'docker-username' },
  dockerPassword: { ...optional('password', 'the password'), flag: 'docker-password' },
  dockerEmail: { ...optional('address', 'the mail address'), flag: 'docker-email' },
  fromFile: { ...many('[key=]file', 'a file with the settings of a client of registries'), flag: 'from-file' },
  appendHash,
} satisfies FlagTable;

/** Flags of `cl create token`. */
export const tokenFlags = {
  audience: many('audience', 'who may accept the token'),
  duration: { type: duration(), default: 0, help: 'how long it is valid; 0 is what the server gives' },
  boundObjectKind: {
    ...optional('kind', 'the token ends with an object of this kind: Pod, Secret, Node'),
    flag: 'bound-object-kind',
  },
  boundObjectName: { ...optional('name', 'the name of that object'), flag: 'bound-object-name' },
  boundObjectUid: { ...optional('uid', 'the UID of that object'), flag: 'bound-object-uid' },
  ...printFlags,
} satisfies FlagTable;

/** Flags of `cl create role`. */
export const roleFlags = {
  ...generateFlags,
  verb: listed('verb', 'what is allowed'),
  resource: listed('resource', 'the types: pods, deployments.apps, pods/log'),
  resourceName: { ...many('name', 'only objects of this name'), flag: 'resource-name' },
} satisfies FlagTable;

/** Flags of `cl create clusterrole`. */
export const clusterRoleFlags = {
  ...roleFlags,
  nonResourceUrl: { ...listed('path', 'paths that are no objects: /metrics'), flag: 'non-resource-url' },
  aggregationRule: {
    ...listed('label=value', 'the labels of the roles that it consists of'),
    flag: 'aggregation-rule',
  },
} satisfies FlagTable;

const subjects = {
  users: { ...many('name', 'a user'), flag: 'user' },
  group: many('name', 'a group'),
  serviceaccount: many('namespace:name', 'a service account'),
} satisfies FlagTable;

/** Flags of `cl create rolebinding`. */
export const roleBindingFlags = {
  ...generateFlags,
  ...subjects,
  clusterrole: optional('name', 'the ClusterRole that is bound'),
  role: optional('name', 'the Role that is bound'),
} satisfies FlagTable;

/** Flags of `cl create clusterrolebinding`. */
export const clusterRoleBindingFlags = {
  ...generateFlags,
  ...subjects,
  clusterrole: { ...optional('name', 'the ClusterRole that is bound'), required: true },
} satisfies FlagTable;

/** Flags of `cl create deployment`. */
export const deploymentFlags = {
  ...generateFlags,
  image: { ...many('image', 'the image of a container'), required: true },
  port: { type: integer('port', 1, 65_535), help: 'the port of the container' },
  replicas: { type: integer('number'), short: 'r', default: 1, help: 'how many pods' },
} satisfies FlagTable;

/** Flags of `cl create job`. */
export const jobFlags = {
  ...generateFlags,
  image,
  from: optional('cronjob/name', 'the CronJob whose job is made now'),
} satisfies FlagTable;

/** Flags of `cl create cronjob`. */
export const cronJobFlags = {
  ...generateFlags,
  image: { ...image, required: true },
  schedule: { ...optional('schedule', 'when, as in cron: "0 3 * * *"'), required: true },
  restart: { type: choice('policy', ['OnFailure', 'Never']), default: 'OnFailure', help: 'OnFailure or Never' },
} satisfies FlagTable;

const tcp = listed('port[:target]', 'a port, and the port or its name of the pods');

/** Flags of `cl create service clusterip`. */
export const clusterIpFlags = {
  ...generateFlags,
  tcp,
  clusterip: optional('address', 'the address; None for a service without one'),
} satisfies FlagTable;

/** Flags of `cl create service nodeport`. */
export const nodePortFlags = {
  ...generateFlags,
  tcp,
  nodePort: { type: integer('port'), default: 0, help: 'the port of the nodes' },
} satisfies FlagTable;

/** Flags of `cl create service loadbalancer`. */
export const loadBalancerFlags = { ...generateFlags, tcp } satisfies FlagTable;

/** Flags of `cl create service externalname`. */
export const externalNameFlags = {
  ...generateFlags,
  tcp,
  externalName: { ...optional('name', 'the name that the service stands for'), flag: 'external-name', required: true },
} satisfies FlagTable;

/** Flags of `cl create ingress`. */
export const ingressFlags = {
  ...generateFlags,
  class: optional('name', 'the class of the ingress'),
  rule: many('host/path=service:port[,tls[=secret]]', 'a rule; a path that ends with * is a prefix'),
  defaultBackend: { ...optional('service:port', 'where other requests go'), flag: 'default-backend' },
  annotation: many('key=value', 'an annotation'),
} satisfies FlagTable;

/** Flags of `cl create quota`. */
export const quotaFlags = {
  ...generateFlags,
  hard: listed('resource=amount', 'the most of each resource'),
  scopes: listed('scope', 'the objects that count'),
} satisfies FlagTable;

/** Flags of `cl create priorityclass`. */
export const priorityClassFlags = {
  ...generateFlags,
  value: { type: integer('number', -2_147_483_648), default: 0, help: 'the priority' },
  globalDefault: { type: toggle, help: 'for pods that name no class' },
  description: optional('text', 'what it is for'),
  preemptionPolicy: {
    type: choice('policy', ['PreemptLowerPriority', 'Never']),
    default: 'PreemptLowerPriority',
    help: 'PreemptLowerPriority or Never',
  },
} satisfies FlagTable;

/** Flags of `cl create poddisruptionbudget`. */
export const budgetFlags = {
  ...generateFlags,
  selector: { ...optional('selector', 'the labels of the pods'), required: true },
  minAvailable: { ...optional('number or %', 'the least that stay'), flag: 'min-available' },
  maxUnavailable: { ...optional('number or %', 'the most that go'), flag: 'max-unavailable' },
} satisfies FlagTable;
