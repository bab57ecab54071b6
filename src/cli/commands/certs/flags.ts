import type { FlagTable } from '../../../flags/flag-table.ts';
import {
  checked,
  choice,
  duration,
  type FlagType,
  FlagValueError,
  list,
  text,
  toggle,
} from '../../../flags/flag-types.ts';
import { identifierSets } from '../../../identifiers/identifiers.ts';
import type { EtcdMemberPlan } from '../../../pki/cluster/plan-certificates.ts';
import { isServerName } from '../../../pki/server-names.ts';

const dayMs = 24 * 3600_000;
/** Time to renew a certificate by hand. */
const usualWithinMs = 30 * dayMs;
const usualLifetimeMs = 365 * dayMs;
const usualAuthorityLifetimeMs = 3650 * dayMs;

/** The names of nodes and members are parts of file names. */
const machineName = /^[a-z0-9]([-a-z0-9.]{0,61}[a-z0-9])?$/;

const folder = { flag: 'cert-dir', type: text('folder'), default: 'pki', help: 'folder of the files' } as const;

function otherName(names: readonly string[]): string | undefined {
  const other = names.find((name) => !isServerName(name));
  return other === undefined ? undefined : `${other} is neither an IP address nor a DNS name`;
}

const serverNames = checked(list('names'), otherName);

const nodeNames = checked(list('names'), (names) => {
  const other = names.find((name) => !machineName.test(name));
  return other === undefined ? undefined : `${other} is no name of a node: use small letters, digits, - and .`;
});

const memberText = list('members');

/** `a,b=10.0.0.2+b.example.com`: the names of members, some with addresses. */
const etcdMembers: FlagType<readonly EtcdMemberPlan[]> = {
  placeholder: memberText.placeholder,
  parse: (given) => memberText.parse(given).map(memberOf),
  format: (members) =>
    members.map(({ name, names }) => [name, ...(names.length > 0 ? [names.join('+')] : [])].join('=')).join(),
  join: (lists) => lists.flat(),
};

function memberOf(text_: string): EtcdMemberPlan {
  const [name = '', addresses = ''] = text_.split(/=(.*)/s);
  if (!machineName.test(name)) throw new FlagValueError('use a name for each member, as a=10.0.0.1,b=10.0.0.2');
  const names = addresses.split('+').filter(Boolean);
  const other = otherName(names);
  if (other !== undefined) throw new FlagValueError(other);
  return { name, names };
}

/** Flags of `cl certs create`. */
export const createFlags = {
  certDir: folder,
  identifiers: {
    type: choice('set', identifierSets),
    default: 'cluster',
    help: `names of users and services: ${identifierSets.join(' or ')}`,
  },
  names: {
    type: serverNames,
    default: [] as readonly string[],
    help: 'addresses and DNS names of the API servers, besides localhost and those of the Service (whose cluster IP belongs here too)',
  },
  etcdMembers: {
    type: etcdMembers,
    default: [] as readonly EtcdMemberPlan[],
    help: 'members of etcd, with their addresses and DNS names: a=10.0.0.1,b=10.0.0.2+b.example.com; by default one on this machine',
  },
  nodes: { type: nodeNames, default: [] as readonly string[], help: 'names of nodes that get client certificates' },
  lifetime: {
    type: duration({ positive: true }),
    default: usualLifetimeMs,
    help: 'time for which certificates are valid',
  },
  caLifetime: {
    type: duration({ positive: true }),
    default: usualAuthorityLifetimeMs,
    help: 'time for which those of CAs are valid; no other one is valid for longer than its CA',
  },
  overwrite: { type: toggle, help: 'make again, with new keys, what the words name, or everything' },
} satisfies FlagTable;

/** Flags of `cl certs renew`. */
export const renewFlags = {
  certDir: folder,
  within: { type: duration(), help: 'renew only what ends within this time; by default all' },
  newKeys: { type: toggle, help: 'make new keys too' },
  lifetime: {
    type: duration({ positive: true }),
    help: 'time for which the new certificates are valid; default: that of the ones before',
  },
} satisfies FlagTable;

/** Flags of `cl certs check`. */
export const checkFlags = {
  certDir: folder,
  within: { type: duration(), default: usualWithinMs, help: 'time before its end at which a certificate ends soon' },
  output: { type: choice('format', ['table', 'json']), default: 'table', short: 'o', help: 'table or json' },
} satisfies FlagTable;
