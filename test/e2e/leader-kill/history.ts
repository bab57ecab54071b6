import { builtInResources, type corev1, createInformerFactory, type Client } from '../../../src/client/index.ts';

const { certificatesigningrequests, pods, secrets } = builtInResources('cluster');

/** A pod at the time when it was created. */
interface CreatedPod {
  readonly name: string;
  readonly namespace: string;
  /** The uid of the controller. */
  readonly owner: string;
  readonly image: string;
  /** The pods with the same controller that were ready then, by name. */
  readonly readySiblings: readonly string[];
}

/** All that happened to objects of which nothing may happen twice. */
export interface History {
  readonly created: readonly CreatedPod[];
  /** The certificates of each request, and the tokens of each Secret, by name. */
  readonly issued: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Follows pods, signing requests and Secrets until the signal aborts. */
export async function recordHistory(client: Client, signal: AbortSignal): Promise<History> {
  const informers = createInformerFactory(client, { signal });
  const created: CreatedPod[] = [];
  const issued = new Map<string, Set<string>>();
  const issue = (key: string, value: string | undefined): void => {
    const values = issued.get(key) ?? new Set<string>();
    issued.set(key, value ? values.add(value) : values);
  };
  const all = informers.informer(pods);
  all.subscribe({
    add({ metadata, spec }) {
      const owner = ownerOf({ metadata });
      const siblings = all.list().filter((each) => ownerOf(each) === owner && isReady(each));
      created.push({
        name: metadata?.name ?? '',
        namespace: metadata?.namespace ?? '',
        owner,
        image: spec?.containers?.[0]?.image ?? '',
        readySiblings: siblings.map((each) => each.metadata?.name ?? ''),
      });
    },
  });
  const certified = ({ metadata, status }: { metadata?: corev1.Pod['metadata']; status?: { certificate?: string } }) =>
    issue(metadata?.name ?? '', status?.certificate);
  informers.informer(certificatesigningrequests).subscribe({ add: certified, update: certified });
  const granted = ({ metadata, data }: corev1.Secret) => issue(metadata?.name ?? '', data?.['token']);
  informers.informer(secrets, { namespace: 'default' }).subscribe({ add: granted, update: granted });
  await informers.synced();
  return { created, issued };
}

/** True for a pod that runs and is not being deleted. */
export function isReady({ metadata, status }: corev1.Pod): boolean {
  const ready = status?.conditions?.some((condition) => condition.type === 'Ready' && condition.status === 'True');
  return ready === true && metadata?.deletionTimestamp === undefined;
}

function ownerOf({ metadata }: Pick<corev1.Pod, 'metadata'>): string {
  return metadata?.ownerReferences?.find(({ controller }) => controller)?.uid ?? '';
}
