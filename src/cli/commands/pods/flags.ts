import type { FlagTable } from '../../../flags/flag-table.ts';
import { boolean, choice, duration, integer, list, repeated, text, toggle } from '../../../flags/flag-types.ts';
import { filename, selector } from '../../shared-flags.ts';

const container = {
  type: text('name'),
  short: 'c',
  help: 'container; default: the one that an annotation of the pod names, or the first',
} as const;

/** The default of `--pod-running-timeout`, in milliseconds. */
const minuteMs = 60_000;
const logsWaitMs = 20_000;

const podRunningTimeout = {
  type: duration({ positive: true }),
  default: minuteMs,
  help: 'how long to wait until there is a pod',
} as const;

const quiet = { type: toggle, short: 'q', help: 'print only what the program prints' } as const;
const stdin = { type: toggle, short: 'i', help: 'pass standard input to the program' } as const;
const tty = { type: toggle, short: 't', help: 'give the program a terminal' } as const;

/** Flags of `cl logs`. */
export const logsFlags = {
  follow: { type: toggle, short: 'f', help: 'continue with what is written later' },
  previous: { type: toggle, short: 'p', help: 'the log of the container before it was restarted' },
  container,
  allContainers: { type: toggle, help: 'all containers of the pods' },
  allPods: { type: toggle, help: 'all pods of the object; lines have a prefix' },
  selector,
  maxLogRequests: { type: integer('count', 1), default: 5, help: 'most logs that are followed at the same time' },
  prefix: { type: toggle, help: 'begin each line with the names of pod and container' },
  since: { type: duration(), default: 0, help: 'only what is newer than 5s, 2m or 3h' },
  sinceTime: { type: text('time'), help: 'only what is newer than a time such as 2026-01-31T12:00:00Z' },
  tail: {
    type: integer('lines', -1),
    help: 'lines at the end of each log; -1 is all, the default but for -l, which has 10',
  },
  timestamps: { type: toggle, help: 'begin each line with its time' },
  limitBytes: { type: integer('count'), default: 0, help: 'most bytes of each log; 0 is no limit' },
  ignoreErrors: { type: toggle, help: 'print the error of a log, and continue with the others' },
  podRunningTimeout: { ...podRunningTimeout, default: logsWaitMs },
  insecureSkipTlsVerifyBackend: { type: toggle, help: 'let the server not verify the certificate of the node' },
} satisfies FlagTable;

/** Flags of `cl exec`. */
export const execFlags = {
  container,
  filename: { ...filename, help: 'file, folder or URL that names the object' },
  podRunningTimeout,
  quiet,
  stdin,
  tty,
} satisfies FlagTable;

/** Flags of `cl attach`. */
export const attachFlags = {
  container,
  podRunningTimeout,
  quiet,
  stdin,
  tty,
  detachKeys: {
    type: list('keys'),
    default: ['ctrl-p', 'ctrl-q'],
    help: 'keys that leave a terminal without ending the program',
  },
} satisfies FlagTable;

/** Flags of `cl port-forward`. */
export const portForwardFlags = {
  address: {
    type: list('address'),
    default: ['localhost'],
    help: 'IP addresses to listen on; localhost is 127.0.0.1 and ::1',
  },
  podRunningTimeout,
} satisfies FlagTable;

/** Flags of `cl cp`. */
export const cpFlags = {
  container,
  noPreserve: { type: toggle, help: 'do not keep owner and permissions in the container' },
  retries: {
    type: integer('count', -1),
    default: 0,
    help: 'how often a copy from a container is tried again; -1 is without end',
  },
} satisfies FlagTable;

/** Flags of `cl proxy`. */
export const proxyFlags = {
  port: { type: integer('port', 0, 65_535), short: 'p', default: 8001, help: 'port; 0 is a free one' },
  address: { type: text('ip'), default: '127.0.0.1', help: 'IP address to listen on' },
  unixSocket: { type: text('path'), short: 'u', help: 'Unix socket to listen on, in place of a port' },
  apiPrefix: { type: text('path'), default: '/', help: 'path of the API' },
  www: { type: text('folder'), short: 'w', help: 'folder whose files are served too' },
  wwwPrefix: { type: text('path'), short: 'P', default: '/static/', help: 'path of the files of --www' },
  acceptHosts: {
    type: list('pattern'),
    default: [String.raw`^localhost$`, String.raw`^127\.0\.0\.1$`, String.raw`^\[::1\]$`],
    help: 'regular expressions of the hosts in requests',
  },
  acceptPaths: { type: list('pattern'), default: ['^.*'], help: 'regular expressions of the paths that are served' },
  rejectPaths: {
    type: list('pattern'),
    default: ['^/api/.*/pods/.*/exec', '^/api/.*/pods/.*/attach'],
    help: 'regular expressions of the paths that are refused',
  },
  rejectMethods: {
    type: list('pattern'),
    default: ['^$'],
    help: 'regular expressions of the methods that are refused, as POST,PUT,PATCH',
  },
  disableFilter: { type: toggle, help: 'refuse nothing; web pages of others can then use the proxy' },
  appendServerPath: { type: toggle, help: 'has no effect: the path of the server is always kept' },
  keepalive: {
    type: duration(),
    default: 0,
    help: 'time after which an idle connection is probed; 0 is the default of the system',
  },
} satisfies FlagTable;

/** Profiles of `cl debug`. */
const profiles = ['general', 'baseline', 'restricted', 'netadmin', 'sysadmin'] as const;

const copyFlag = (flag: string, help: string, initial = false) =>
  ({ flag, type: boolean, default: initial, help: `${help}, with --copy-to` }) as const;

/** Flags of `cl debug`. */
export const debugFlags = {
  filename: { ...filename, help: 'file, folder or URL that names the pods or nodes; can be repeated' },
  custom: { type: text('file'), help: 'fields of the container, as JSON or YAML, which win over those of the profile' },
  image: { type: text('image'), help: 'image of the container' },
  container: { ...container, help: 'name of the container; default: debugger-xxxxx' },
  target: { type: text('container'), help: 'container whose processes an ephemeral container sees' },
  env: { type: repeated(text('name=value')), default: [], help: 'variable of the container; can be repeated' },
  imagePullPolicy: { type: choice('policy', ['Always', 'IfNotPresent', 'Never']), help: 'when to pull the image' },
  argumentsOnly: { type: toggle, help: 'what follows -- are arguments of the image’s program' },
  profile: { type: choice('profile', profiles), default: 'general', help: 'rights of the container' },
  copyTo: { type: text('name'), help: 'make a copy of the pod' },
  replace: copyFlag('replace', 'delete the pod'),
  sameNode: copyFlag('same-node', 'on the node of the pod'),
  setImage: {
    type: list('container=image'),
    default: [],
    help: 'other images of containers, with --copy-to; * is all',
  },
  shareProcesses: copyFlag('share-processes', 'containers see the processes of each other', true),
  keepAnnotations: copyFlag('keep-annotations', 'keep the annotations'),
  keepLabels: copyFlag('keep-labels', 'keep the labels'),
  keepLiveness: copyFlag('keep-liveness', 'keep liveness probes'),
  keepReadiness: copyFlag('keep-readiness', 'keep readiness probes'),
  keepStartup: copyFlag('keep-startup', 'keep startup probes'),
  keepInitContainers: copyFlag('keep-init-containers', 'keep containers of the initialization', true),
  attach: { type: toggle, help: 'wait until the container runs, and connect to it; the default with -i' },
  quiet,
  stdin,
  tty,
} satisfies FlagTable;
