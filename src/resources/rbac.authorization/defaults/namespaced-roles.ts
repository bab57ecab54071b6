/** A default Role and its binding. Texts have the placeholders of `expand`. */
interface NamespacedRole {
  readonly namespace: string;
  readonly name: string;
  readonly rules: readonly string[];
  /** The name of the binding; the default is the name of the role. */
  readonly binding?: string;
  /** Users, and service accounts of the system namespace. */
  readonly users?: readonly string[];
  readonly accounts?: readonly string[];
  /** The subjects that were added later: service accounts with their first release. */
  readonly laterAccounts?: Readonly<Record<string, string>>;
}

const system = '{prefix}system';

/** The Role with which a component elects its leader by a lock in a ConfigMap. */
function leaderLock(component: string, laterAccounts: Readonly<Record<string, string>> = {}): NamespacedRole {
  return {
    namespace: system,
    name: `system::leader-locking-${component}`,
    rules: ['watch core configmaps', `get,update core configmaps ${component}`],
    users: [`system:${component}`],
    accounts: [component],
    laterAccounts,
  };
}

/** The default Roles. */
export const namespacedRoles: readonly NamespacedRole[] = [
  {
    namespace: system,
    name: 'extension-apiserver-authentication-reader',
    rules: ['read core configmaps extension-apiserver-authentication'],
    binding: 'system::extension-apiserver-authentication-reader',
    users: ['system:{prefix}controller-manager', 'system:{prefix}scheduler'],
  },
  {
    namespace: system,
    name: 'system:controller:bootstrap-signer',
    rules: ['read core secrets'],
    accounts: ['bootstrap-signer'],
  },
  {
    namespace: system,
    name: 'system:controller:cloud-provider',
    rules: ['create,get,list,watch core configmaps'],
    accounts: ['cloud-provider'],
  },
  {
    namespace: system,
    name: 'system:controller:token-cleaner',
    rules: ['delete,get,list,watch core secrets', 'events'],
    accounts: ['token-cleaner'],
  },
  leaderLock('{prefix}controller-manager', { 'leader-election-controller': '1.31' }),
  leaderLock('{prefix}scheduler'),
  {
    namespace: '{prefix}public',
    name: 'system:controller:bootstrap-signer',
    rules: ['read core configmaps', 'update core configmaps cluster-info', 'events'],
    accounts: ['bootstrap-signer'],
  },
];
