import type { FlagTable, FlagValues } from '../flags/flag-table.ts';
import { boolean, checked, duration, integer, list, text } from '../flags/flag-types.ts';
import { type NodeAgentFlag, nodeAgentFlag, nodeAgentFlagPrefixes } from '../identifiers/node-agent-flag.ts';
import { defined } from '../meta/defined.ts';
import { networkFault } from '../outbound/address-policy.ts';
import { type NodeAddressType, nodeAddressTypes } from '../resources/core/nodes/node-agent-location.ts';
import { defaultNodeAgentOptions, type NodeAgentOptions } from './node-agent-options.ts';

const section = 'Proxy';
const file = text('file');
const highestPort = 65_535;

const addressTypes = checked(list('types'), (types) =>
  types.length > 0 && types.every(isAddressType) ? undefined : `use some of ${nodeAddressTypes.join(',')}`,
);

const networks = checked(list('networks'), (given) => given.map(networkFault).find((fault) => fault !== undefined));

/** The flags of the connections to node agents, without the prefix of their names. */
const rows = {
  'certificate-authority': {
    type: file,
    default: undefined,
    section,
    help: 'CA bundle that verifies node agents; without it their certificates are not verified',
  },
  'client-certificate': {
    type: file,
    default: undefined,
    section,
    help: 'client certificate that identifies this server to node agents',
  },
  'client-key': {
    type: file,
    default: undefined,
    section,
    help: 'private key of the client certificate for node agents',
  },
  https: {
    type: boolean,
    default: defaultNodeAgentOptions.https,
    section,
    help: 'connect to node agents over TLS',
  },
  port: {
    type: integer('port', 1, highestPort),
    default: defaultNodeAgentOptions.port,
    section,
    help: 'port of node agents that do not report theirs in the status of their node',
  },
  'read-only-port': {
    type: integer('port', 1, highestPort),
    default: defaultNodeAgentOptions.readOnlyPort,
    section,
    help: 'the same without TLS',
  },
  'preferred-address-types': {
    type: addressTypes,
    default: defaultNodeAgentOptions.preferredAddressTypes,
    section,
    help: 'types of node addresses in order of preference for connections to node agents',
  },
  timeout: {
    type: duration({ positive: true }),
    default: defaultNodeAgentOptions.timeoutMs,
    section,
    help: 'time limit for connecting to a node agent',
  },
} as const satisfies FlagTable;

type NodeAgentFlags = { readonly [Name in keyof typeof rows as NodeAgentFlag<Name>]: (typeof rows)[Name] };

/** The flags of the connections that this server opens for clients. */
export const proxyFlags = {
  // The keys are those of the type.
  ...(Object.fromEntries(Object.entries(rows).map(([name, row]) => [nodeAgentFlag(name), row])) as NodeAgentFlags),
  'proxy-allowed-networks': {
    type: networks,
    default: [],
    section,
    help:
      'networks that proxies to nodes, pods and services may reach although they are loopback, link-local or this ' +
      'server itself, such as 127.0.0.0/8',
  },
} as const satisfies FlagTable;

/** The options that the flags set. */
export function nodeAgentOptionsOf(values: FlagValues<typeof proxyFlags>): NodeAgentOptions {
  return {
    https: values[nodeAgentFlag('https')],
    port: values[nodeAgentFlag('port')],
    readOnlyPort: values[nodeAgentFlag('read-only-port')],
    timeoutMs: values[nodeAgentFlag('timeout')],
    preferredAddressTypes: values[nodeAgentFlag('preferred-address-types')].filter(isAddressType),
    ...defined({
      certificateAuthorityFile: values[nodeAgentFlag('certificate-authority')],
      clientCertificateFile: values[nodeAgentFlag('client-certificate')],
      clientKeyFile: values[nodeAgentFlag('client-key')],
    }),
  };
}

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
