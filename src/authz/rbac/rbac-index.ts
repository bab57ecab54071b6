import type { UserInfo } from '../../meta/user-info.ts';
import type { AuthorizationDecision } from '../authorizer.ts';
import type { PolicyRule } from './policy-rule.ts';
import { accountUser, describeBinding, type RoleBinding, type Subject } from './role-binding.ts';
import { RoleRules, type RuleRequest } from './role-rules.ts';
import { appendTo } from '../../meta/group-by.ts';

/** A role that exists or that a binding refers to. */
interface RoleEntry {
  /** `clusterrole "name"` or `role "name"`, as in errors. */
  readonly kind: 'clusterrole' | 'role';
  readonly name: string;
  /** The rules of the role; undefined while the role does not exist. */
  rules: RoleRules | undefined;
  /** The number of grants of it. */
  grants: number;
}

/** One subject of a binding has a role. */
interface Grant {
  readonly binding: RoleBinding;
  readonly subject: Subject;
  readonly role: RoleEntry;
  /** The decision of a request that this grant allows, which is the same for all of them. */
  readonly decision: () => AuthorizationDecision;
}

/**
 * The grants of a user or group in one namespace, or in all of them, by role: many bindings of a
 * role cost one search of its rules.
 */
type GrantsByRole = Map<RoleEntry, Grant[]>;

/** The grants of a user or group. */
interface SubjectGrants {
  readonly everywhere: GrantsByRole;
  readonly byNamespace: Map<string, GrantsByRole>;
}

/** Maps with the same keys are not joined: users and groups can have the same names. */
type SubjectKind = 'user' | 'group';

/**
 * The roles and bindings of a server, indexed by subject: user or group to bindings to rules. It
 * changes with each object; a decision searches the roles of the user and its groups only.
 */
export class RbacIndex {
  readonly #roles = new Map<string, RoleEntry>();
  readonly #subjects = { user: new Map<string, SubjectGrants>(), group: new Map<string, SubjectGrants>() };
  /** The grants of each binding, by the key of its object. */
  readonly #grants = new Map<string, readonly Grant[]>();

  /** Sets the rules of a role; undefined if it was deleted. `namespace` is '' for a ClusterRole. */
  setRole(namespace: string, name: string, rules: readonly PolicyRule[] | undefined): void {
    const key = roleKey(namespace, name);
    const entry = this.#entry(key, namespace, name);
    entry.rules = rules && new RoleRules(rules);
    this.#forgetUnused(key, entry);
  }

  /** Sets the binding of a key; undefined if it was deleted. */
  setBinding(key: string, binding: RoleBinding | undefined): void {
    for (const grant of this.#grants.get(key) ?? []) this.#remove(grant);
    if (!binding) {
      this.#grants.delete(key);
      return;
    }
    const grants = binding.subjects.map((subject) => this.#grant(binding, subject));
    this.#grants.set(key, grants);
    for (const grant of grants) this.#add(grant);
  }

  /** Returns a grant that allows the request. */
  find(request: RuleRequest): Grant | undefined {
    const { user, namespace } = request.attributes;
    const everywhere = this.#findIn(user, (grants) => grants.everywhere, request);
    if (everywhere || namespace === '') return everywhere;
    return this.#findIn(user, (grants) => grants.byNamespace.get(namespace), request);
  }

  /** Returns the grants of a user in a namespace, one for each binding, cluster bindings first. */
  grantsOf(user: UserInfo, namespace: string): readonly Grant[] {
    const subjects = this.#subjectsOf(user);
    const inNamespace = namespace === '' ? [] : subjects.flatMap((subject) => subject.byNamespace.get(namespace) ?? []);
    return [subjects.map(({ everywhere }) => everywhere), inNamespace].flatMap(distinctGrants);
  }

  /** Returns the roles that bindings of a user refer to and that do not exist, by their names. */
  missingRoles(user: UserInfo, namespace: string): readonly Pick<RoleEntry, 'kind' | 'name'>[] {
    const missing = new Set<RoleEntry>();
    for (const subject of this.#subjectsOf(user)) {
      addMissing(missing, subject.everywhere);
      if (namespace !== '') addMissing(missing, subject.byNamespace.get(namespace));
    }
    return [...missing].toSorted((left, right) => (left.name < right.name ? -1 : 1));
  }

  /** Returns the rules of a role; undefined if it does not exist. */
  rulesOf(namespace: string, name: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleKey(namespace, name))?.rules?.rules;
  }

  #findIn(
    { username, groups }: UserInfo,
    select: (grants: SubjectGrants) => GrantsByRole | undefined,
    request: RuleRequest,
  ): Grant | undefined {
    const own = this.#subjects.user.get(username);
    const found = own && findGrant(select(own), request);
    if (found) return found;
    for (const group of groups) {
      const grants = this.#subjects.group.get(group);
      const granted = grants && findGrant(select(grants), request);
      if (granted) return granted;
    }
    return undefined;
  }

  #subjectsOf({ username, groups }: UserInfo): readonly SubjectGrants[] {
    return [this.#subjects.user.get(username), ...groups.map((group) => this.#subjects.group.get(group))].filter(
      (subject) => subject !== undefined,
    );
  }

  #grant(binding: RoleBinding, subject: Subject): Grant {
    const { role } = binding;
    const namespace = role.kind === 'Role' ? binding.namespace : '';
    let decision: AuthorizationDecision | undefined;
    return {
      binding,
      subject,
      role: this.#entry(roleKey(namespace, role.name), namespace, role.name),
      // Kept, so that a request allocates no text.
      decision: () => (decision ??= allowedBy(binding, subject)),
    };
  }

  #entry(key: string, namespace: string, name: string): RoleEntry {
    const known = this.#roles.get(key);
    if (known) return known;
    const kind = namespace === '' ? 'clusterrole' : 'role';
    const entry: RoleEntry = { kind, name, rules: undefined, grants: 0 };
    this.#roles.set(key, entry);
    return entry;
  }

  #add(grant: Grant): void {
    const [kind, name] = identityOf(grant);
    grant.role.grants++;
    if (kind === undefined) return;
    const subjects = this.#subjects[kind];
    const subject = subjects.get(name) ?? { everywhere: new Map(), byNamespace: new Map() };
    subjects.set(name, subject);
    const byRole = grantsIn(subject, grant.binding.namespace);
    appendTo(byRole, grant.role, grant);
  }

  #remove(grant: Grant): void {
    const { role, binding } = grant;
    const [kind, name] = identityOf(grant);
    role.grants--;
    this.#forgetUnused(roleKey(binding.role.kind === 'Role' ? binding.namespace : '', role.name), role);
    const subject = kind && this.#subjects[kind].get(name);
    if (!subject) return;
    const byRole = grantsIn(subject, binding.namespace);
    const others = (byRole.get(role) ?? []).filter((other) => other !== grant);
    if (others.length > 0) byRole.set(role, others);
    else byRole.delete(role);
    if (binding.namespace !== '' && byRole.size === 0) subject.byNamespace.delete(binding.namespace);
    if (subject.everywhere.size === 0 && subject.byNamespace.size === 0) this.#subjects[kind].delete(name);
  }

  #forgetUnused(key: string, { rules, grants }: RoleEntry): void {
    if (!rules && grants === 0) this.#roles.delete(key);
  }
}

function findGrant(byRole: GrantsByRole | undefined, request: RuleRequest): Grant | undefined {
  if (!byRole) return undefined;
  for (const [role, grants] of byRole) if (role.rules?.find(request)) return grants[0];
  return undefined;
}

function addMissing(missing: Set<RoleEntry>, byRole: GrantsByRole | undefined): void {
  for (const role of byRole?.keys() ?? []) if (role.rules === undefined) missing.add(role);
}

/** One grant of each binding, in the order of their names, so that answers do not vary. */
function distinctGrants(maps: readonly GrantsByRole[]): readonly Grant[] {
  const byBinding = new Map<RoleBinding, Grant>();
  for (const grant of maps.flatMap((byRole) => [...byRole.values()].flat())) {
    if (!byBinding.has(grant.binding)) byBinding.set(grant.binding, grant);
  }
  const name = ({ binding }: Grant): string => binding.name;
  return [...byBinding.values()].toSorted((left, right) => (name(left) < name(right) ? -1 : 1));
}

function grantsIn(subject: SubjectGrants, namespace: string): GrantsByRole {
  if (namespace === '') return subject.everywhere;
  const known = subject.byNamespace.get(namespace);
  if (known) return known;
  const grants: GrantsByRole = new Map();
  subject.byNamespace.set(namespace, grants);
  return grants;
}

/**
 * The user or group that a grant is for. A service account without a namespace is one of the
 * binding's; in a ClusterRoleBinding it is nobody.
 */
function identityOf({ binding, subject }: Grant): readonly [kind: SubjectKind | undefined, name: string] {
  const { kind, name } = subject;
  if (kind === 'User') return ['user', name];
  if (kind === 'Group') return ['group', name];
  const namespace = subject.namespace || binding.namespace;
  return [kind === 'ServiceAccount' && namespace !== '' ? 'user' : undefined, accountUser(namespace, name)];
}

function roleKey(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function allowedBy(binding: RoleBinding, subject: Subject): AuthorizationDecision {
  return Object.freeze({ decision: 'allow', reason: `RBAC: allowed by ${describeBinding(binding, subject)}` });
}
