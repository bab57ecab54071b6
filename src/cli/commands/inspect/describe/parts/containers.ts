import type { JsonObject, JsonValue } from '../../../../../meta/json-value.ts';
import { isJsonObject } from '../../../../../meta/json-value.ts';
import { parseQuantity } from '../../../../../meta/quantity.ts';
import { indented } from './fields.ts';
import {
  capitalised,
  flag,
  hostPort,
  itemsAt,
  longTime,
  none,
  partAt,
  plain,
  quoted,
  textAt,
  valueAt,
} from './values.ts';

/** The containers of a pod with their statuses, or the containers of a template. */
export function containers(heading: string, specs: readonly JsonObject[], pod: ContainerContext): string[] {
  const { space = '', statuses = [] } = pod;
  if (specs.length === 0) return [`${space}${heading}: <none>`];
  const nameIndent = space === '' ? '  ' : '   ';
  return [
    `${space}${heading}:`,
    ...specs.flatMap((spec) => {
      const status = statuses.find(({ name }) => name === spec.name);
      return [`${nameIndent}${textAt(spec, 'name')}:`, ...indented(container(spec, status, pod.pod), 2)];
    }),
  ];
}

interface ContainerContext {
  /** Moves the containers of a template to the right. */
  readonly space?: string;
  readonly statuses?: readonly JsonObject[];
  /** The pod, to which variables refer. */
  readonly pod?: JsonObject;
}

function container(spec: JsonObject, status: JsonObject | undefined, pod: JsonObject | undefined): string[] {
  return [
    ...(status ? [`Container ID:\t${textAt(status, 'containerID')}`] : []),
    `Image:\t${textAt(spec, 'image')}`,
    ...(status ? [`Image ID:\t${textAt(status, 'imageID')}`] : []),
    portLine(spec, 'Port', 'containerPort'),
    portLine(spec, 'Host Port', 'hostPort'),
    ...seccompLines(partAt(spec, 'securityContext'), '  '),
    ...wordLines('Command', spec.command),
    ...wordLines('Args', spec.args),
    ...(status ? statusLines(status) : []),
    ...resourceLines(partAt(spec, 'resources')),
    ...probeLines(spec),
    ...environmentSources(spec),
    ...environment(spec, pod),
    ...mounts(spec),
  ];
}

/** The profile of system calls of a security context. */
export function seccompLines(context: JsonObject, indent: string): string[] {
  const type = textAt(context, 'seccompProfile.type');
  if (type === '') return [];
  const local = textAt(context, 'seccompProfile.localhostProfile');
  return [`SeccompProfile:\t${type}`, ...(type === 'Localhost' ? [`${indent}LocalhostProfile:\t${local}`] : [])];
}

function portLine(spec: JsonObject, label: string, path: string): string {
  const ports = itemsAt(spec, 'ports').map((port) => {
    const number = `${textAt(port, path) || '0'}/${textAt(port, 'protocol')}`;
    return port.name ? `${number} (${textAt(port, 'name')})` : number;
  });
  return `${label}${ports.length > 1 ? 's' : ''}:\t${ports.join(', ') || none}`;
}

function wordLines(label: string, words: JsonValue | undefined): string[] {
  if (!Array.isArray(words) || words.length === 0) return [];
  return [`${label}:`, ...indented(words.flatMap((word) => plain(word).split('\n')))];
}

function statusLines(status: JsonObject): string[] {
  const last = partAt(status, 'lastState');
  return [
    ...stateLines('State', partAt(status, 'state')),
    ...(last.terminated ? stateLines('Last State', last) : []),
    `Ready:\t${capitalised(status.ready)}`,
    `Restart Count:\t${textAt(status, 'restartCount')}`,
  ];
}

function stateLines(label: string, state: JsonObject): string[] {
  const { running, waiting, terminated } = state;
  if (isJsonObject(running)) return [`${label}:\tRunning`, `  Started:\t${longTime(running.startedAt)}`];
  if (isJsonObject(terminated)) return [`${label}:\tTerminated`, ...indented(terminatedLines(terminated))];
  const reason = isJsonObject(waiting) ? plain(waiting.reason) : '';
  return [`${label}:\tWaiting`, ...(reason ? [`  Reason:\t${reason}`] : [])];
}

function terminatedLines(state: JsonObject): string[] {
  const texts = ['reason', 'message'].map((path) => [path, textAt(state, path)] as const);
  return [
    ...texts.filter(([, text]) => text).map(([path, text]) => `${path === 'reason' ? 'Reason' : 'Message'}:\t${text}`),
    `Exit Code:\t${textAt(state, 'exitCode') || '0'}`,
    ...(state.signal ? [`Signal:\t${textAt(state, 'signal')}`] : []),
    `Started:\t${longTime(state.startedAt)}`,
    `Finished:\t${longTime(state.finishedAt)}`,
  ];
}

/** The limits and requests of resources. */
export function resourceLines(resources: JsonObject): string[] {
  return ['limits', 'requests'].flatMap((path) => {
    const amounts = partAt(resources, path);
    const names = Object.keys(amounts).toSorted();
    if (names.length === 0) return [];
    const label = path === 'limits' ? 'Limits' : 'Requests';
    return [`${label}:`, ...names.map((name) => `  ${name}:\t${plain(amounts[name])}`)];
  });
}

function probeLines(spec: JsonObject): string[] {
  const probes = [
    ['Liveness', 'livenessProbe'],
    ['Readiness', 'readinessProbe'],
    ['Startup', 'startupProbe'],
  ] as const;
  return probes
    .filter(([, path]) => isJsonObject(spec[path]))
    .map(([label, path]) => `${label}:\t${probeText(partAt(spec, path))}`);
}

function probeText(probe: JsonObject): string {
  const number = (path: string) => textAt(probe, path) || '0';
  const times =
    `delay=${number('initialDelaySeconds')}s timeout=${number('timeoutSeconds')}s period=${number('periodSeconds')}s ` +
    `#success=${number('successThreshold')} #failure=${number('failureThreshold')}`;
  return `${probeAction(probe)} ${times}`;
}

function probeAction(probe: JsonObject): string {
  const { exec, httpGet, tcpSocket, grpc } = probe;
  if (isJsonObject(exec)) return `exec ${plain(exec.command ?? [])}`;
  if (isJsonObject(httpGet)) {
    const path = textAt(httpGet, 'path');
    const host = hostPort(textAt(httpGet, 'host'), textAt(httpGet, 'port'));
    return `http-get ${textAt(httpGet, 'scheme').toLowerCase()}://${host}${path === '' || path.startsWith('/') ? '' : '/'}${path}`;
  }
  if (isJsonObject(tcpSocket)) return `tcp-socket ${textAt(tcpSocket, 'host')}:${textAt(tcpSocket, 'port')}`;
  return isJsonObject(grpc) ? `grpc <pod>:${textAt(grpc, 'port')} ${textAt(grpc, 'service')}` : 'unknown';
}

function environmentSources(spec: JsonObject): string[] {
  const sources = itemsAt(spec, 'envFrom');
  if (sources.length === 0) return [];
  const lines = sources.map((source) => {
    const [from, reference] = source.configMapRef
      ? ['ConfigMap', partAt(source, 'configMapRef')]
      : ['Secret', partAt(source, 'secretRef')];
    const prefix = source.prefix ? ` with prefix '${textAt(source, 'prefix')}'` : '';
    return `${textAt(reference, 'name')}\t${from}${prefix}\tOptional: ${flag(reference.optional)}`;
  });
  return ['Environment Variables from:', ...indented(lines)];
}

function environment(spec: JsonObject, pod: JsonObject | undefined): string[] {
  const variables = itemsAt(spec, 'env');
  if (variables.length === 0) return [`Environment:\t${none}`];
  return ['Environment:', ...indented(variables.flatMap((variable) => variableLines(variable, spec, pod)))];
}

function variableLines(variable: JsonObject, spec: JsonObject, pod: JsonObject | undefined): string[] {
  const name = textAt(variable, 'name');
  const from = partAt(variable, 'valueFrom');
  if (!isJsonObject(variable.valueFrom)) {
    const [first = '', ...rest] = textAt(variable, 'value').split('\n');
    return [`${name}:\t${first}`, ...rest.map((line) => `\t${line}`)];
  }
  if (isJsonObject(from.fieldRef)) {
    const path = textAt(from, 'fieldRef.fieldPath');
    return [`${name}:\t${pod ? podField(pod, path) : ''} (${textAt(from, 'fieldRef.apiVersion')}:${path})`];
  }
  if (isJsonObject(from.resourceFieldRef)) {
    const resource = textAt(from, 'resourceFieldRef.resource');
    return [`${name}:\t${resourceField(spec, partAt(from, 'resourceFieldRef'))} (${resource})`];
  }
  const [source, reference] = isJsonObject(from.secretKeyRef)
    ? ['in secret', from.secretKeyRef]
    : ['of config map', partAt(from, 'configMapKeyRef')];
  const key = `the key '${textAt(reference, 'key')}' ${source} '${textAt(reference, 'name')}'`;
  return [`${name}:\t<set to ${key}>\tOptional: ${flag(reference.optional)}`];
}

/** A field of the pod, or an entry of its labels or annotations: `metadata.labels['app']`. */
function podField(pod: JsonObject, path: string): string {
  const entry = /^metadata\.(labels|annotations)\['(.+)'\]$/.exec(path);
  if (entry) return plain(partAt(pod, `metadata.${entry[1] ?? ''}`)[entry[2] ?? '']);
  return plain(valueAt(pod, path));
}

function resourceField(spec: JsonObject, reference: JsonObject): string {
  const resource = textAt(reference, 'resource');
  const dot = resource.indexOf('.');
  const [kind, name] = [resource.slice(0, dot), resource.slice(dot + 1)];
  const amount = parseQuantity(plain(partAt(spec, `resources.${kind}`)[name]) || '0');
  const divisor = parseQuantity(textAt(reference, 'divisor') || '1');
  if ('error' in amount || 'error' in divisor) return '';
  if (amount.nanos === 0n && /^limits\.(cpu|memory)$/.test(resource)) return 'node allocatable';
  const unit = divisor.nanos === 0n ? unitNanos : divisor.nanos;
  return String((amount.nanos + unit - 1n) / unit);
}

const unitNanos = 10n ** 9n;

function mounts(spec: JsonObject): string[] {
  const mounted = itemsAt(spec, 'volumeMounts');
  const devices = itemsAt(spec, 'volumeDevices');
  const isFirst = (path: string) => (one: JsonObject, other: JsonObject) =>
    textAt(one, path) < textAt(other, path) ? -1 : 1;
  return [
    ...(mounted.length === 0 ? [`Mounts:\t${none}`] : ['Mounts:']),
    ...indented(mounted.toSorted(isFirst('mountPath')).map(mountText)),
    ...(devices.length === 0 ? [] : ['Devices:']),
    ...indented(
      devices
        .toSorted(isFirst('devicePath'))
        .map((device) => `${textAt(device, 'devicePath')} from ${textAt(device, 'name')}`),
    ),
  ];
}

function mountText(mount: JsonObject): string {
  const path = textAt(mount, 'subPath');
  const flags = [mount.readOnly === true ? 'ro' : 'rw', ...(path ? [`path=${quoted(path)}`] : [])];
  return `${textAt(mount, 'mountPath')} from ${textAt(mount, 'name')} (${flags.join(',')})`;
}
