import { builtInResources } from '../../client/built-in-resources.ts';
import { type ObjectName, watched } from '../../client/controllers/watch-sources.ts';
import type { PersistentVolume, PersistentVolumeClaim } from '../../gen/types/core-v1.ts';
import type { VolumeAttributesClass } from '../../gen/types/storage-v1.ts';
import type { ControllerContext, ControllerDefinition } from '../controller-definition.ts';
import { untilServed } from '../until-served.ts';

/** Protects deleted VolumeAttributesClasses while volumes or claims refer to them. */
export const attributesClassProtection: ControllerDefinition = {
  name: 'volumeattributesclass-protection-controller',
  alias: 'volumeattributesclass-protection-controller',
  account: 'volumeattributesclass-protection-controller',
  async run(context: ControllerContext, signal): Promise<void> {
    const { client, informers, identifiers, controller } = context;
    const { persistentvolumeclaims, persistentvolumes, volumeattributesclasses } = builtInResources(identifiers.set);
    const classes = await untilServed(context, volumeattributesclasses, ['v1beta1', 'v1alpha1'], signal);
    const claims = informers.informer(persistentvolumeclaims);
    const volumes = informers.informer(persistentvolumes);
    await Promise.all([claims.synced(signal), volumes.synced(signal)]);
    const finalizer = `${identifiers.labelDomain}/vac-protection`;
    const isUsed = (name: string): boolean =>
      claims.list().some((claim) => classesOfClaim(claim).includes(name)) ||
      volumes.list().some((volume) => classesOfVolume(volume).includes(name));
    await controller<VolumeAttributesClass>({
      name: 'vacprotection',
      for: classes,
      watches: [
        watched(persistentvolumeclaims, (claim) => classesOfClaim(claim).map(nameOnly)),
        watched(persistentvolumes, (volume) => classesOfVolume(volume).map(nameOnly)),
      ],
      async reconcile({ object, name }) {
        if (!object?.metadata) return;
        const { finalizers = [], deletionTimestamp } = object.metadata;
        const has = finalizers.includes(finalizer);
        const next = deletionTimestamp
          ? finalizers.filter((one) => one !== finalizer || isUsed(name))
          : [...finalizers, ...(has ? [] : [finalizer])];
        if (next.length === finalizers.length) return;
        await client
          .resource(classes)
          .update({ ...object, metadata: { ...object.metadata, finalizers: next } }, { signal });
      },
    }).run(signal);
  },
};

function nameOnly(name: string): ObjectName {
  return { namespace: '', name };
}

/** The classes that a claim requests, has, and is changing to. */
function classesOfClaim({ spec, status }: PersistentVolumeClaim): readonly string[] {
  const { currentVolumeAttributesClassName: current, modifyVolumeStatus: modified } = status ?? {};
  return [spec?.volumeAttributesClassName, current, modified?.targetVolumeAttributesClassName].flatMap(
    (name) => name || [],
  );
}

function classesOfVolume({ spec }: PersistentVolume): readonly string[] {
  return [spec?.volumeAttributesClassName].flatMap((name) => name || []);
}
