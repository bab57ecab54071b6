import { ignoreReasons } from '../../../../client/error-of-response.ts';
import type { JsonObject } from '../../../../meta/json-value.ts';
import { builtIn, listAll } from '../describe/parts/related.ts';
import { itemsAt, partAt, textAt } from '../describe/parts/values.ts';
import { type Finding, inNamespace, type Subject } from './subject.ts';

/** Reads an object that another one names; undefined if there is none or it may not be read. */
async function find(subject: Subject, plural: string, name: string, group = ''): Promise<JsonObject | undefined> {
  const { source, namespace } = subject;
  const resource = builtIn(source.resources, group, plural);
  if (!resource) return undefined;
  const found = source.client.resource(resource).get(name, { namespace, signal: source.signal });
  // The codec of the client returns JSON values.
  return (await ignoreReasons(found, 'NotFound')) as JsonObject | undefined;
}

/** An object that a pod names. */
interface Reference {
  readonly plural: 'configmaps' | 'secrets' | 'persistentvolumeclaims';
  readonly name: string;
}

function referencesOf(pod: JsonObject): Reference[] {
  const found: (Reference | undefined)[] = [];
  const add = (plural: Reference['plural'], part: JsonObject, name: string) =>
    found.push(name === '' || part.optional === true ? undefined : { plural, name });
  for (const volume of itemsAt(pod, 'spec.volumes')) {
    add('configmaps', partAt(volume, 'configMap'), textAt(volume, 'configMap.name'));
    add('secrets', partAt(volume, 'secret'), textAt(volume, 'secret.secretName'));
    add('persistentvolumeclaims', {}, textAt(volume, 'persistentVolumeClaim.claimName'));
  }
  for (const container of ['spec.initContainers', 'spec.containers'].flatMap((path) => itemsAt(pod, path))) {
    for (const source of itemsAt(container, 'envFrom')) {
      add('configmaps', partAt(source, 'configMapRef'), textAt(source, 'configMapRef.name'));
      add('secrets', partAt(source, 'secretRef'), textAt(source, 'secretRef.name'));
    }
    for (const { valueFrom } of itemsAt(container, 'env')) {
      const from = { from: valueFrom ?? null };
      add('configmaps', partAt(from, 'from.configMapKeyRef'), textAt(from, 'from.configMapKeyRef.name'));
      add('secrets', partAt(from, 'from.secretKeyRef'), textAt(from, 'from.secretKeyRef.name'));
    }
  }
  const all = found.filter((each) => each !== undefined);
  return [...new Map(all.map((each) => [`${each.plural}/${each.name}`, each])).values()];
}

/** Objects that a pod names and that are missing, and claims that have no volume. */
export async function podReferences(subject: Subject): Promise<Finding[]> {
  const findings = await Promise.all(
    referencesOf(subject.object).map(async ({ plural, name }) => {
      const object = await find(subject, plural, name).catch(() => ({}));
      const kind = plural.replace(/s$/, '');
      if (!object) {
        return [{ says: `It names ${kind}/${name}, which does not exist.`, next: `create it${inNamespace(subject)}` }];
      }
      const isOpen = plural === 'persistentvolumeclaims' && textAt(object, 'status.phase') === 'Pending';
      if (!isOpen) return [];
      return (await claimFindings(subject, object)).map(({ says, next }) => ({
        says: `Its claim ${name} has no volume. ${says}`,
        next,
      }));
    }),
  );
  return findings.flat();
}

/** The reasons why a claim has no volume. */
export async function claim(subject: Subject): Promise<Finding[]> {
  return textAt(subject.object, 'status.phase') === 'Pending' ? claimFindings(subject, subject.object) : [];
}

async function claimFindings(subject: Subject, object: JsonObject): Promise<Finding[]> {
  const name = textAt(object, 'spec.storageClassName');
  const volume = textAt(object, 'spec.volumeName');
  const size = textAt(object, 'spec.resources.requests.storage');
  const see = `cl describe pvc ${textAt(object, 'metadata.name')}${inNamespace(subject)}`;
  if (volume !== '') return [{ says: `It waits for the volume ${volume}.`, next: `cl describe pv ${volume}` }];
  if (name === '') {
    const says = `It has no storage class, and no volume of ${size} without a class is free.`;
    return [{ says, next: 'create such a volume, or set a class: cl get storageclasses' }];
  }
  const found = await find({ ...subject, namespace: '' }, 'storageclasses', name, 'storage').catch(() => ({}));
  if (!found) {
    return [
      { says: `Its storage class ${name} does not exist.`, next: 'cl get storageclasses, and name one of these' },
    ];
  }
  if (textAt(found, 'volumeBindingMode') === 'WaitForFirstConsumer' && !(await isUsed(subject, object))) {
    return [{ says: `Class ${name} waits until a pod that uses the claim is scheduled.`, next: 'create such a pod' }];
  }
  const provisioner = textAt(found, 'provisioner');
  return [{ says: `The provisioner ${provisioner} of class ${name} has not made a volume.`, next: see }];
}

async function isUsed({ source, namespace }: Subject, object: JsonObject): Promise<boolean> {
  const pods = builtIn(source.resources, '', 'pods');
  const all = pods ? await listAll(source, pods, { namespace }).catch(() => []) : [];
  const name = textAt(object, 'metadata.name');
  return all.some((pod) =>
    itemsAt(pod, 'spec.volumes').some((volume) => textAt(volume, 'persistentVolumeClaim.claimName') === name),
  );
}
