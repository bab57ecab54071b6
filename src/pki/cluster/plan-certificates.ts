import type { Identifiers } from '../../identifiers/identifiers.ts';
import type { ExtendedKeyUsage } from '../certificate-extensions.ts';
import { apiServerNames } from '../server-names.ts';

/** A CA of a cluster: its files are `<name>.crt` and `<name>.key`. */
export interface AuthorityPlan {
  readonly name: string;
  readonly commonName: string;
}

/** A certificate of a cluster: its files are `<name>.crt` and `<name>.key`. */
export interface CertificatePlan {
  readonly name: string;
  /** The name of the CA that issues it. */
  readonly authority: string;
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly usages: readonly ExtendedKeyUsage[];
  /** The addresses and DNS names of a server. */
  readonly names?: readonly string[];
  /** True for users of the API, which need a client config too. */
  readonly isUser?: true;
}

/** A member of etcd, with its addresses and DNS names. */
export interface EtcdMemberPlan {
  readonly name: string;
  readonly names: readonly string[];
}

/** The parts of a cluster that have certificates of their own. */
interface ClusterParts {
  readonly identifiers: Identifiers;
  /** Addresses and DNS names of the API servers, in addition to the machine's and the cluster's. */
  readonly names: readonly string[];
  /** Without any, one certificate is for an etcd on the same machine. */
  readonly etcdMembers: readonly EtcdMemberPlan[];
  readonly nodes: readonly string[];
}

/** The key pair that signs tokens of service accounts: `<name>.key` and `<name>.pub`. */
export const accountKeyName = 'service-account';

/**
 * The CAs of a cluster. Each has one purpose, so that a certificate of one part is of no use to
 * another: who has a certificate for etcd is no user of the API.
 */
export const clusterAuthorities: readonly AuthorityPlan[] = [
  { name: 'ca', commonName: 'apiserver-ca' },
  { name: 'client-ca', commonName: 'client-ca' },
  { name: 'etcd-ca', commonName: 'etcd-ca' },
  { name: 'proxy-ca', commonName: 'proxy-ca' },
];

const localNames = ['localhost', '127.0.0.1', '::1'] as const;

/** Returns the certificates of a cluster. */
export function planCertificates(parts: ClusterParts): readonly CertificatePlan[] {
  const { identifiers, names, nodes } = parts;
  return [
    {
      name: 'apiserver',
      authority: 'ca',
      commonName: 'apiserver',
      usages: ['serverAuth'],
      names: [...new Set([...apiServerNames(identifiers), ...names])],
    },
    ...clientPlans(identifiers),
    ...nodes.map((node) => user(`node-${node}`, `system:node:${node}`, 'system:nodes')),
    { name: 'proxy-client', authority: 'proxy-ca', commonName: 'proxy-client', usages: ['clientAuth'] },
    ...etcdPlans(parts),
  ];
}

function clientPlans({ prefix, nodeAgent }: Identifiers): readonly CertificatePlan[] {
  const administrators = 'system:masters';
  return [
    user('admin', 'admin', administrators),
    user('controller-manager', `system:${prefix}controller-manager`),
    user('scheduler', `system:${prefix}scheduler`),
    // With it the API server calls the agents of nodes.
    client('apiserver-node-client', `${prefix}apiserver-${nodeAgent}-client`, administrators),
  ];
}

function user(name: string, commonName: string, ...organizations: readonly string[]): CertificatePlan {
  return { ...client(name, commonName, ...organizations), isUser: true };
}

function client(name: string, commonName: string, ...organizations: readonly string[]): CertificatePlan {
  return { name, authority: 'client-ca', commonName, organizations, usages: ['clientAuth'] };
}

/** Members show the certificates of servers to each other as clients too, as etcd requires. */
function etcdPlans({ etcdMembers }: ClusterParts): readonly CertificatePlan[] {
  const members = etcdMembers.length > 0 ? etcdMembers : [{ name: '', names: [] }];
  const usages = ['serverAuth', 'clientAuth'] as const;
  const ofMember = ({ name, names: given }: EtcdMemberPlan): readonly CertificatePlan[] => {
    const prefix = name === '' ? 'etcd' : `etcd-${name}`;
    const names = [...new Set([...localNames, ...(name === '' ? [] : [name]), ...given])];
    return ['server', 'peer'].map((use) => ({
      name: `${prefix}-${use}`,
      authority: 'etcd-ca',
      commonName: prefix,
      usages,
      names,
    }));
  };
  return [
    ...members.flatMap(ofMember),
    { name: 'etcd-client', authority: 'etcd-ca', commonName: 'apiserver', usages: ['clientAuth'] },
  ];
}
