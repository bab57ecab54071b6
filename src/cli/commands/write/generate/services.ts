import type { Invocation } from '../../../command.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { CliError } from '../../../cli-error.ts';
import { readPairs } from '../../../objects/read-pairs.ts';
import type { clusterIpFlags, externalNameFlags, ingressFlags, loadBalancerFlags, nodePortFlags } from './flags.ts';
import { type Generated, generateObject } from './generate-object.ts';

/** `cl create service clusterip NAME`. */
export function createClusterIp(invocation: Invocation<typeof clusterIpFlags>): Promise<void> {
  const { tcp, clusterip } = invocation.options;
  return generateObject(invocation, ({ name }) => {
    if (clusterip !== 'None') needPorts(tcp);
    return service(name, 'ClusterIP', tcp, clusterip ? { clusterIP: clusterip } : {});
  });
}

/** `cl create service nodeport NAME`. */
export function createNodePort(invocation: Invocation<typeof nodePortFlags>): Promise<void> {
  const { tcp, nodePort } = invocation.options;
  return generateObject(invocation, ({ name }) => {
    needPorts(tcp);
    return service(name, 'NodePort', tcp, {}, nodePort);
  });
}

/** `cl create service loadbalancer NAME`. */
export function createLoadBalancer(invocation: Invocation<typeof loadBalancerFlags>): Promise<void> {
  const { tcp } = invocation.options;
  return generateObject(invocation, ({ name }) => {
    needPorts(tcp);
    return service(name, 'LoadBalancer', tcp, {});
  });
}

/** `cl create service externalname NAME`. */
export function createExternalName(invocation: Invocation<typeof externalNameFlags>): Promise<void> {
  const { tcp, externalName } = invocation.options;
  return generateObject(invocation, ({ name }) => service(name, 'ExternalName', tcp, { externalName }));
}

function needPorts(tcp: readonly string[]): void {
  if (tcp.length === 0)
    throw new CliError('at least one tcp port specifier must be provided', { hint: '--tcp=PORT:TARGET' });
}

const greatestPort = 65_535;

function service(name: string, type: string, tcp: readonly string[], fields: JsonObject, nodePort = 0): Generated {
  const ports = tcp.map((text): JsonObject => {
    const [port = '', target = port] = text.split(':');
    if (!/^\d+$/.test(port) || Number(port) > greatestPort)
      throw new CliError(`"${port}" is not a port`, { hint: '--tcp=PORT:TARGET' });
    return {
      name: text.replaceAll(':', '-'),
      port: Number(port),
      protocol: 'TCP',
      targetPort: /^\d+$/.test(target) ? Number(target) : target,
      ...(nodePort > 0 ? { nodePort } : {}),
    };
  });
  const labels = { app: name };
  const spec = { ...fields, ...(ports.length > 0 ? { ports } : {}), selector: labels, type };
  return { apiVersion: 'v1', kind: 'Service', metadata: { labels, name }, spec, status: { loadBalancer: {} } };
}

/** `cl create ingress NAME --rule=HOST/PATH=SERVICE:PORT`. */
export function createIngress(invocation: Invocation<typeof ingressFlags>): Promise<void> {
  const { options } = invocation;
  return generateObject(invocation, ({ name, identifiers }) => {
    if (options.rule.length === 0 && !options.defaultBackend) {
      throw new CliError(
        'not enough information provided: every ingress has to either specify a default-backend or a rule',
      );
    }
    const parsed = options.rule.map(readRule);
    const annotations = Object.fromEntries(readPairs(options.annotation));
    const tls = tlsOf(parsed);
    const spec = {
      ...(options.class ? { ingressClassName: options.class } : {}),
      ...(options.defaultBackend ? { defaultBackend: backend(options.defaultBackend) } : {}),
      ...(parsed.length > 0 ? { rules: rulesOf(parsed) } : {}),
      ...(tls.length > 0 ? { tls } : {}),
    };
    return {
      apiVersion: `networking.${identifiers.apiDomain}/v1`,
      kind: 'Ingress',
      metadata: { ...(options.annotation.length > 0 ? { annotations } : {}), name },
      spec,
      status: { loadBalancer: {} },
    };
  });
}

interface IngressRule {
  readonly host: string;
  readonly path: JsonObject;
  /** The name of the Secret; empty for TLS without one, undefined for none. */
  readonly tls: string | undefined;
}

const rule = /^([^/=,]*)(\/[^=,]*)=([^,:=]+:[^,:=]+)(?:,tls(?:=([^,]*))?)?$/;

function readRule(text: string): IngressRule {
  const match = rule.exec(text);
  if (!match)
    throw new CliError(`rule ${text} is invalid and should be in format host/path=svcname:svcport[,tls[=secret]]`);
  const [, host = '', path = '', target = '', secret] = match;
  const isPrefix = path.endsWith('*');
  const hasTls = /,tls(?:=|$)/.test(text);
  return {
    host,
    path: {
      backend: backend(target),
      path: isPrefix ? path.slice(0, -1) : path,
      pathType: isPrefix ? 'Prefix' : 'Exact',
    },
    tls: hasTls ? (secret ?? '') : undefined,
  };
}

function backend(text: string): JsonObject {
  const [name = '', port = ''] = text.split(':');
  if (!name || !port) throw new CliError(`"${text}" is not of the form service:port`);
  return { service: { name, port: /^\d+$/.test(port) ? { number: Number(port) } : { name: port } } };
}

/** One rule for each host, in the order of the flags. */
function rulesOf(parsed: readonly IngressRule[]): JsonObject[] {
  const hosts = new Map<string, JsonObject[]>();
  for (const { host, path } of parsed) hosts.set(host, [...(hosts.get(host) ?? []), path]);
  return [...hosts].map(([host, paths]) => ({ ...(host ? { host } : {}), http: { paths } }));
}

function tlsOf(parsed: readonly IngressRule[]): JsonObject[] {
  const secrets = new Map<string, string[]>();
  for (const { host, tls } of parsed) {
    if (tls === undefined) continue;
    const hosts = secrets.get(tls) ?? [];
    if (host && !hosts.includes(host)) hosts.push(host);
    secrets.set(tls, hosts);
  }
  return [...secrets].map(([secretName, hosts]) => ({
    ...(hosts.length > 0 ? { hosts } : {}),
    ...(secretName ? { secretName } : {}),
  }));
}
