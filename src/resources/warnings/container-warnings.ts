import type { Container, ContainerPort, EnvVar, PodSpec } from '../../gen/types/core-v1.ts';
import { fractionWarnings } from './quantity-warnings.ts';
import { type WarningRelease, warnsSince } from './warning-context.ts';

/** A container with its path in the spec of its pod. */
export interface PlacedContainer {
  readonly path: string;
  readonly container: Container;
}

/** All containers of a pod, in the order of warnings. */
export function placedContainers(
  path: string,
  { initContainers, containers, ephemeralContainers }: PodSpec,
): readonly PlacedContainer[] {
  // Lists that are always present are null without items.
  const placed = (field: string, list: readonly Container[] | null | undefined): readonly PlacedContainer[] =>
    (list ?? []).map((container, index) => ({ path: `${path}.${field}[${index}]`, container }));
  return [
    ...placed('initContainers', initContainers),
    ...placed('containers', containers),
    // Ephemeral containers have the fields of containers.
    ...placed('ephemeralContainers', ephemeralContainers),
  ];
}

const byteResources = ['memory', 'ephemeral-storage'] as const;

/** The warnings about byte amounts with fractions. */
export function resourceWarnings({ path, container }: PlacedContainer): readonly string[] {
  const { limits = {}, requests = {} } = container.resources ?? {};
  return byteResources.flatMap((name) => [
    ...fractionWarnings(`${path}.resources.limits[${name}]`, limits[name]),
    ...fractionWarnings(`${path}.resources.requests[${name}]`, requests[name]),
  ]);
}

/** The warnings about environment variables that hide earlier ones. */
export function environmentWarnings({ path, container }: PlacedContainer, emulated: WarningRelease): readonly string[] {
  const seen = new Set<string>();
  return (container.env ?? []).flatMap((variable, index) => {
    const { name } = variable;
    const isRepeated = seen.has(name);
    seen.add(name);
    if (!isRepeated) return [];
    if (!warnsSince(emulated, '1.28')) return [`${path}.env[${index}].name: duplicate name ${quoted(name)}`];
    if (!hides(variable)) return [];
    const effect = warnsSince(emulated, '1.30') ? ', which may be dropped when using apply' : '';
    return [`${path}.env[${index}]: hides previous definition of ${quoted(name)}${effect}`];
  });
}

/**
 * True if a variable hides the earlier one: its value does not extend it, as `$(PATH):/bin` does.
 */
function hides({ name, value = '', valueFrom }: EnvVar): boolean {
  const reference = `$(${name})`;
  return valueFrom !== undefined || value === reference || !value.includes(reference);
}

/** The warnings about duplicate ports, and about host addresses without a host port. */
export function portWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const seen = new Map<string, { readonly path: string; readonly port: ContainerPort }[]>();
  return portsOf(containers).flatMap(({ path, port }) => {
    const key = `${port.containerPort}/${port.protocol ?? 'TCP'}`;
    const others = seen.get(key) ?? [];
    const warnings = others.flatMap((other) => {
      const relation = relationOf(port, other.port);
      return relation === undefined ? [] : [`${path}: ${relation} port definition with ${other.path}`];
    });
    seen.set(key, [...others, { path, port }]);
    const isHostless = (port.hostIP ?? '') !== '' && (port.hostPort ?? 0) === 0;
    return [...(isHostless ? [`${path}: hostIP set without hostPort: ${asStruct(port)}`] : []), ...warnings];
  });
}

function portsOf(containers: readonly PlacedContainer[]) {
  return containers.flatMap(({ path, container: { ports = [] } }) =>
    ports.map((port, index) => ({ path: `${path}.ports[${index}]`, port })),
  );
}

function relationOf(port: ContainerPort, other: ContainerPort): string | undefined {
  const [address, otherAddress] = [port.hostIP ?? '', other.hostIP ?? ''];
  const [number, otherNumber] = [port.hostPort ?? 0, other.hostPort ?? 0];
  if (address === otherAddress && number === otherNumber) return 'duplicate';
  if (number === 0 || otherNumber === 0) return 'overlapping';
  return number === otherNumber && (address === '') !== (otherAddress === '') ? 'dangerously ambiguous' : undefined;
}

/** A port in Go's struct format. */
function asStruct({ name = '', hostPort = 0, containerPort, protocol = 'TCP', hostIP = '' }: ContainerPort): string {
  return `{Name:${name} HostPort:${hostPort} ContainerPort:${containerPort} Protocol:${protocol} HostIP:${hostIP}}`;
}

/** The warnings about port names that several containers use. */
export function portNameWarnings(containers: readonly PlacedContainer[]): readonly string[] {
  const seen = new Map<string, string>();
  return portsOf(containers).flatMap(({ path, port: { name = '' } }) => {
    if (name === '') return [];
    const other = seen.get(name);
    if (other === undefined) seen.set(name, path);
    const effect = `services and probes that select ports by name will use ${other}`;
    return other === undefined ? [] : [`${path}: duplicate port name ${quoted(name)} with ${other}, ${effect}`];
  });
}

const quoted = (text: string): string => JSON.stringify(text);
