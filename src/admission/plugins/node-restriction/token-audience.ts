import type { PersistentVolume, PersistentVolumeClaim, Pod, Volume } from '../../../gen/stored/core-v1.ts';
import type { CSIDriver } from '../../../gen/stored/storage-v1.ts';
import type { TokenRequest } from '../../../gen/stored/authentication-v1.ts';
import type { Lister } from '../../../meta/lister.ts';
import type { AdmissionAttributes, PluginContext } from '../../admission.ts';

/** The ways in which the volumes of a pod use tokens. */
export interface TokenUses {
  /** The audiences of projected tokens; '' is the default audience of the server. */
  readonly audiences: readonly string[];
  /** The CSI drivers of inline volumes. */
  readonly drivers: readonly string[];
  readonly claims: readonly string[];
}

/** The CSI drivers that replace the former built-in volume plugins. */
const migratedDrivers = {
  awsElasticBlockStore: 'ebs.csi.aws.com',
  azureDisk: 'disk.csi.azure.com',
  azureFile: 'file.csi.azure.com',
  cinder: 'cinder.csi.openstack.org',
  gcePersistentDisk: 'pd.csi.storage.gke.io',
  portworxVolume: 'pxd.portworx.com',
  vsphereVolume: 'csi.vsphere.vmware.com',
} as const;

type MigratedKind = keyof typeof migratedDrivers;

const migratedKinds = Object.keys(migratedDrivers) as readonly MigratedKind[];

/** Collects the tokens that the volumes of a pod use. */
export function tokenUses({ metadata, spec: { volumes = [] } }: Pod): TokenUses {
  return {
    audiences: volumes.flatMap(({ projected }) =>
      (projected?.sources ?? []).flatMap(({ serviceAccountToken: token }) => (token ? [token.audience ?? ''] : [])),
    ),
    drivers: volumes.flatMap(driversOf),
    claims: volumes.flatMap(({ name, ephemeral, persistentVolumeClaim }) => {
      if (ephemeral) return [`${metadata.name}-${name}`];
      return persistentVolumeClaim ? [persistentVolumeClaim.claimName] : [];
    }),
  };
}

function driversOf(volume: Pick<Volume, MigratedKind> & { readonly csi?: { readonly driver: string } }): string[] {
  const migrated = migratedKinds.filter((kind) => volume[kind]).map((kind) => migratedDrivers[kind]);
  return volume.csi ? [volume.csi.driver, ...migrated] : migrated;
}

/** Returns the reason why a node may not request a token for an audience; '' if it may. */
export type AudienceError = (attributes: AdmissionAttributes<TokenRequest>, uses: TokenUses) => Promise<string>;

/** The listers that lead from a claim to the audiences of its driver. */
interface VolumeListers {
  readonly claims: Lister<{ readonly volume: string }>;
  readonly volumes: Lister<{ readonly drivers: readonly string[] }>;
  readonly drivers: Lister<{ readonly audiences: readonly string[] }>;
}

/**
 * Creates the check of a token's audience: a volume of the pod must use it, or the node must have
 * the right to it.
 */
export function tokenAudienceError({ identifiers, listerOf, decide }: PluginContext): AudienceError {
  const listers: VolumeListers = {
    claims: listerOf({
      group: '',
      resource: 'persistentvolumeclaims',
      read: ({ spec }: PersistentVolumeClaim) => ({ volume: spec.volumeName ?? '' }),
    }),
    volumes: listerOf({
      group: '',
      resource: 'persistentvolumes',
      read: ({ spec }: PersistentVolume) => ({ drivers: driversOf(spec as Pick<Volume, MigratedKind>) }),
    }),
    drivers: listerOf({
      group: `storage.${identifiers.apiDomain}`,
      resource: 'csidrivers',
      read: ({ spec }: CSIDriver) => ({ audiences: (spec.tokenRequests ?? []).map(({ audience }) => audience) }),
    }),
  };
  return async (attributes, uses) => {
    const { user, namespace, name, object } = attributes;
    const [audience = '', ...more] = object?.spec.audiences ?? [];
    if (more.length > 0) return 'node may only request 0 or 1 audiences';
    if (uses.audiences.includes(audience)) return '';
    if (await isOfDriver(listers, attributes, uses, audience)) return '';
    const right = { user, verb: 'request-serviceaccounts-token-audience', apiGroup: '', apiVersion: 'v1' };
    const { isAllowed } = await decide({ ...right, resource: audience, subresource: '', namespace, name });
    if (isAllowed) return '';
    const who = `${user.username} is not authorized to request tokens for this audience`;
    return `audience ${JSON.stringify(audience)} not found in pod spec volume, ${who}`;
  };
}

/** Reports whether a CSI driver of the pod's volumes requests tokens of an audience. */
async function isOfDriver(
  listers: VolumeListers,
  { namespace, signal }: AdmissionAttributes<TokenRequest>,
  uses: TokenUses,
  audience: string,
): Promise<boolean> {
  const asks = async (driver: string): Promise<boolean> =>
    (await listers.drivers.get('', driver, signal))?.audiences.includes(audience) ?? false;
  for (const driver of uses.drivers) if (await asks(driver)) return true;
  for (const name of uses.claims) {
    const claim = await listers.claims.get(namespace, name, signal);
    const volume = claim?.volume ? await listers.volumes.get('', claim.volume, signal) : undefined;
    for (const driver of volume?.drivers ?? []) if (await asks(driver)) return true;
  }
  return false;
}
