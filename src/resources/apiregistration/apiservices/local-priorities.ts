/** The place of a version in discovery, as the fields of an APIService. */
interface LocalPriorities {
  readonly groupPriority: number;
  readonly versionPriority: number;
}

/** The priority of a built-in group, and the priorities of its versions. */
interface GroupPriorities {
  readonly group: number;
  readonly versions: Readonly<Record<string, number>>;
}

const usual = { v1: 15, v1beta1: 9, v1alpha1: 1 };

/** The priorities of kube-apiserver, by the short name of a group. */
const builtIn: Readonly<Record<string, GroupPriorities>> = {
  '': { group: 18_000, versions: { v1: 1 } },
  apiregistration: { group: 20_000, versions: { v1: 18, v1beta1: 16 } },
  apps: { group: 17_800, versions: { v1: 15, v1beta2: 9, v1beta1: 1 } },
  events: { group: 17_750, versions: { v1: 15, v1beta1: 5 } },
  authentication: { group: 17_700, versions: usual },
  authorization: { group: 17_600, versions: usual },
  autoscaling: { group: 17_500, versions: { v2: 30, v1: 15, v2beta1: 9, v2beta2: 1 } },
  batch: { group: 17_400, versions: { v1: 15, v1beta1: 9, v2alpha1: 9 } },
  certificates: { group: 17_300, versions: usual },
  networking: { group: 17_200, versions: usual },
  extensions: { group: 17_150, versions: { v1beta1: 1 } },
  policy: { group: 17_100, versions: usual },
  'rbac.authorization': { group: 17_000, versions: { v1: 15, v1beta1: 12, v1alpha1: 9 } },
  storage: { group: 16_800, versions: usual },
  apiextensions: { group: 16_700, versions: usual },
  admissionregistration: { group: 16_700, versions: { v1: 15, v1beta1: 12, v1alpha1: 9 } },
  scheduling: { group: 16_600, versions: { v1: 15, v1beta1: 12, v1alpha2: 9, v1alpha1: 9 } },
  coordination: { group: 16_500, versions: { v1: 15, v1beta1: 9, v1alpha2: 1, v1alpha1: 1 } },
  node: { group: 16_300, versions: usual },
  discovery: { group: 16_200, versions: { v1: 15, v1beta1: 12 } },
  resource: { group: 16_200, versions: { v1: 20, v1beta2: 15, v1beta1: 9, v1alpha3: 1 } },
  'internal.apiserver': { group: 16_000, versions: { v1alpha1: 9 } },
  flowcontrol: { group: 16_100, versions: { v1: 21, v1beta3: 18, v1beta2: 15, v1beta1: 12, v1alpha1: 9 } },
  storagemigration: { group: 15_800, versions: { v1beta1: 9, v1alpha1: 9 } },
};

/** All custom groups have the same priorities, so that they are sorted by name. */
const custom: LocalPriorities = Object.freeze({ groupPriority: 1_000, versionPriority: 100 });

/**
 * The priorities of a version that this server serves, by the short name of its group; undefined
 * for the group of a custom resource.
 */
export function localPriorities(shortGroup: string | undefined, version: string): LocalPriorities {
  const known = shortGroup === undefined ? undefined : builtIn[shortGroup];
  return known ? { groupPriority: known.group, versionPriority: known.versions[version] ?? 1 } : custom;
}
