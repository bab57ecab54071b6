import type { FlagTable } from '../../../../flags/flag-table.ts';
import { choice, integer, list, repeated, text, toggle } from '../../../../flags/flag-types.ts';
import { deletionFlags, fieldManager, fileFlags } from '../../../write-flags.ts';
import { attachFlags as programFlags } from '../../pods/flags.ts';
import { generateFlags } from './flags.ts';

const optional = (placeholder: string, help: string) => ({ type: text(placeholder), help }) as const;

const overrideFlags = {
  overrides: optional('patch', 'a patch of what is created, as JSON'),
  overrideType: {
    type: choice('type', ['json', 'merge', 'strategic']),
    default: 'merge',
    help: 'the type of that patch',
  },
} satisfies FlagTable;

const labels = { type: list('key=value'), short: 'l', default: [], help: 'labels of what is created' } as const;

/** Flags of `cl run`. */
export const runFlags = {
  ...generateFlags,
  ...overrideFlags,
  image: optional('image', 'the image of the container'),
  port: { type: integer('port', 1, 65_535), help: 'the port of the container' },
  env: { type: repeated(text('name=value')), default: [], help: 'a variable; can be repeated' },
  labels,
  annotations: { type: repeated(text('key=value')), default: [], help: 'an annotation; can be repeated' },
  command: { type: toggle, help: 'the words after -- are the program, not its arguments' },
  expose: { type: toggle, help: 'also create a service for --port' },
  restart: {
    type: choice('policy', ['Always', 'OnFailure', 'Never']),
    default: 'Always',
    help: 'Always, OnFailure or Never',
  },
  imagePullPolicy: { ...optional('policy', 'Always, IfNotPresent or Never'), flag: 'image-pull-policy' },
  privileged: { type: toggle, help: 'run the container privileged' },
  attach: { type: toggle, help: 'wait until the pod runs, and connect to it; the default with -i' },
  stdin: programFlags.stdin,
  tty: programFlags.tty,
  leaveStdinOpen: {
    type: toggle,
    help: 'the program keeps its input after the first connection, and its end is not awaited',
  },
  detachKeys: programFlags.detachKeys,
  podRunningTimeout: programFlags.podRunningTimeout,
  rm: { type: toggle, help: 'delete what was created when the connection ends' },
  ...deletionFlags,
  wait: { type: toggle, help: 'with --rm, wait until it is gone' },
  quiet: programFlags.quiet,
  fieldManager: fieldManager('cl-run'),
} satisfies FlagTable;

/** Flags of `cl expose`. */
export const exposeFlags = {
  ...fileFlags,
  ...generateFlags,
  ...overrideFlags,
  name: optional('name', 'the name of the service; that of the object if absent'),
  port: optional('port', 'the port of the service; that of the containers if absent'),
  targetPort: { ...optional('port', 'the port of the pods, or its name'), flag: 'target-port' },
  protocol: optional('protocol', 'TCP, UDP or SCTP'),
  type: optional('type', 'ClusterIP, NodePort, LoadBalancer or ExternalName'),
  clusterIp: { ...optional('address', 'the address; None for a service without one'), flag: 'cluster-ip' },
  externalIp: { ...optional('address', 'another address that the nodes accept'), flag: 'external-ip' },
  loadBalancerIp: { ...optional('address', 'the address of the load balancer'), flag: 'load-balancer-ip' },
  sessionAffinity: { ...optional('affinity', 'None or ClientIP'), flag: 'session-affinity' },
  selector: optional('selector', 'the labels of the pods; those of the object if absent'),
  labels,
  fieldManager: fieldManager('cl-expose'),
} satisfies FlagTable;

/** Flags of `cl autoscale`. */
export const autoscaleFlags = {
  ...fileFlags,
  ...generateFlags,
  name: optional('name', 'the name of the autoscaler; that of the object if absent'),
  min: { type: integer('number', -1), default: -1, help: 'the least replicas' },
  max: { type: integer('number', -1), default: -1, help: 'the most replicas' },
  cpu: optional('use', 'the use of CPU to hold: 70% of what is requested, or 500m of each pod'),
  memory: optional('use', 'the use of memory to hold: 70%, or 200Mi'),
  cpuPercent: {
    type: integer('percent', -1),
    default: -1,
    help: 'the use of CPU to hold, in percent',
    deprecated: 'use --cpu, as in --cpu=70%',
  },
  fieldManager: fieldManager('cl-autoscale'),
} satisfies FlagTable;
