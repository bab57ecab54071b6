import { flagsOf, type OptionsOf } from '../../flags/flag-options.ts';
import { inSection } from '../../flags/flag-table.ts';
import {
  boolean,
  checked,
  duration,
  type FlagType,
  FlagValueError,
  integer,
  list,
  text,
} from '../../flags/flag-types.ts';
import { nodeAgentFlag, nodeAgentFlagPrefixes } from '../../identifiers/node-agent-flag.ts';
import { networkError } from '../../outbound/address-policy.ts';
import { type NodeAddressType, nodeAddressTypes } from '../../resources/core/nodes/node-agent-location.ts';

const section = 'Proxy';
const file = text('file');
const highestPort = 65_535;

const addressTypes: FlagType<readonly NodeAddressType[]> = {
  placeholder: 'types',
  parse: (given) => {
    const types = list('types').parse(given);
    if (types.length > 0 && types.every(isAddressType)) return types.filter(isAddressType);
    throw new FlagValueError(`use some of ${nodeAddressTypes.join(',')}`);
  },
  format: (types) => types.join(','),
  join: (lists) => lists.flat(),
};

const networks = checked(list('networks'), (given) => given.map(networkError).find((problem) => problem !== undefined));

/** The flags of the connections to node agents. */
export const nodeAgentFlags = inSection(section, {
  /** PEM bundle that verifies node agents; undefined: their certificates are not verified. */
  certificateAuthorityFile: {
    flag: nodeAgentFlag('certificate-authority'),
    type: file,
    help: 'CA bundle that verifies node agents; without it their certificates are not verified',
  },
  /** The client certificate that node agents are shown, and its key. */
  clientCertificateFile: {
    flag: nodeAgentFlag('client-certificate'),
    type: file,
    help: 'client certificate that identifies this server to node agents',
  },
  clientKeyFile: {
    flag: nodeAgentFlag('client-key'),
    type: file,
    help: 'private key of the client certificate for node agents',
  },
  https: {
    flag: nodeAgentFlag('https'),
    type: boolean,
    default: true,
    help: 'connect to node agents over TLS',
  },
  port: {
    flag: nodeAgentFlag('port'),
    type: integer('port', 1, highestPort),
    default: 10_250,
    help: 'port of node agents that do not report theirs in the status of their node',
  },
  /** The port of node agents without TLS that do not report theirs. */
  readOnlyPort: {
    flag: nodeAgentFlag('read-only-port'),
    type: integer('port', 1, highestPort),
    default: 10_255,
    help: 'the same without TLS',
  },
  preferredAddressTypes: {
    flag: nodeAgentFlag('preferred-address-types'),
    type: addressTypes,
    default: ['Hostname', 'InternalDNS', 'InternalIP', 'ExternalDNS', 'ExternalIP'],
    help: 'types of node addresses in order of preference for connections to node agents',
  },
  /** How long it may take to connect. */
  timeoutMs: {
    flag: nodeAgentFlag('timeout'),
    type: duration({ positive: true }),
    default: 5_000,
    help: 'time limit for connecting to a node agent',
  },
});

/** How this server connects to node agents, and to the targets of its proxies. */
export type NodeAgentOptions = OptionsOf<typeof nodeAgentFlags>;

/** The flags of the connections that this server opens for clients. */
export const proxyFlags = inSection(section, {
  ...flagsOf(nodeAgentFlags),
  /**
   * A client config file with the address of the agent of stand-in nodes on this machine, its CA
   * and the certificate that it accepts. Nodes with hosts under `stand-in.invalid` have this agent.
   */
  standInAgentFile: {
    flag: 'stand-in-agent-clientconfig',
    type: file,
    help: 'client config file of the agent of stand-in nodes, whose hosts are named *.stand-in.invalid',
  },
  /**
   * Networks that proxies to nodes, pods and services may reach although they are loopback,
   * link-local or this server itself: `127.0.0.0/8`.
   */
  proxyAllowedNetworks: {
    flag: 'proxy-allowed-networks',
    type: networks,
    default: [],
    help:
      'networks that proxies to nodes, pods and services may reach although they are loopback, link-local or this ' +
      'server itself, such as 127.0.0.0/8',
  },
});

/** Spells the flags of node agents as the table does, in whatever set of names they are given. */
export function spellNodeAgentFlags(args: readonly string[]): readonly string[] {
  return args.map((argument) => {
    const prefix = nodeAgentFlagPrefixes.find((one) => argument.startsWith(`--${one}`));
    return prefix === undefined ? argument : `--${nodeAgentFlag(argument.slice(prefix.length + 2))}`;
  });
}

function isAddressType(given: string): given is NodeAddressType {
  return nodeAddressTypes.some((type) => type === given);
}
