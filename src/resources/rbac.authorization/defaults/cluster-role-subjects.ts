/** The users, groups and service accounts that a default ClusterRole is bound to. */
interface RoleSubjects {
  readonly users?: readonly string[];
  readonly groups?: readonly string[];
  /** In the system namespace. */
  readonly accounts?: readonly string[];
}

/**
 * The default ClusterRoleBindings, which have the names of their roles. Texts have the placeholders
 * of `expand`. The role of nodes is bound to nobody: the Node authorizer replaces it.
 */
export const clusterRoleSubjects: Readonly<Record<string, RoleSubjects>> = {
  'cluster-admin': { groups: ['system:masters'] },
  'system:basic-user': { groups: ['system:authenticated'] },
  'system:discovery': { groups: ['system:authenticated'] },
  'system:{prefix}controller-manager': { users: ['system:{prefix}controller-manager'] },
  'system:{prefix}dns': { accounts: ['{prefix}dns'] },
  'system:{prefix}scheduler': { users: ['system:{prefix}scheduler'] },
  'system:monitoring': { groups: ['system:monitoring'] },
  'system:node': {},
  'system:node-proxier': { users: ['system:{prefix}proxy'] },
  'system:public-info-viewer': { groups: ['system:authenticated', 'system:unauthenticated'] },
  'system:service-account-issuer-discovery': { groups: ['system:serviceaccounts'] },
  'system:volume-scheduler': { users: ['system:{prefix}scheduler'] },
};
