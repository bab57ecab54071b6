/** A ClusterRole that gets its rules from others. */
interface AggregatedRole {
  /** The suffix of the label `aggregate-to-...` of the roles that it gets its rules from. */
  readonly from: string;
  /** The roles that it gets its rules from in a new cluster, in the order of their names. */
  readonly parts: readonly string[];
  /** The suffix of the label by which another role includes it. */
  readonly includedIn?: string;
}

/** The default roles for users of a namespace: each includes the next one. */
export const aggregatedRoles: Readonly<Record<string, AggregatedRole>> = {
  admin: {
    from: 'admin',
    parts: ['system:aggregate-to-admin', 'system:aggregate-to-edit', 'system:aggregate-to-view'],
  },
  edit: {
    from: 'edit',
    parts: ['system:aggregate-to-edit', 'system:aggregate-to-view'],
    includedIn: 'admin',
  },
  view: { from: 'view', parts: ['system:aggregate-to-view'], includedIn: 'edit' },
};

/** The parts that an aggregated role selects by label, by the suffix of the label. */
export const aggregatedParts: Readonly<Record<string, string>> = {
  'system:aggregate-to-admin': 'admin',
  'system:aggregate-to-edit': 'edit',
  'system:aggregate-to-view': 'view',
};
