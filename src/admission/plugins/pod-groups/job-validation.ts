import { andThen, type MaybePromise } from '../../../async/maybe-promise.ts';
import type { PodGroup } from '../../../gen/stored/scheduling-v1alpha2.ts';
import { nameOf, uidOf } from '../../../meta/object-meta.ts';
import type { AdmissionPlugin, PluginContext } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';

interface KnownGroup {
  readonly name: string;
  /** True if the pods of the group start together or not at all. */
  readonly isGang: boolean;
  /** The UIDs of its controllers, one at most. */
  readonly controllers: readonly string[];
}

/** Refuses a change of the parallelism of a Job whose pods are scheduled as a gang. */
export function jobValidation({ identifiers, listerOf }: PluginContext): AdmissionPlugin {
  const groups = listerOf({
    group: `scheduling.${identifiers.apiDomain}`,
    resource: 'podgroups',
    read: knownGroup,
    indexes: { controller: ({ controllers }) => controllers },
  });
  return {
    name: 'JobValidation',
    operations: ['UPDATE'],
    resources: ['jobs'],
    validate(attributes): MaybePromise<void> {
      if (!isWriteTo(attributes, 'batch', 'jobs', 'UPDATE') || !attributes.oldObject) return undefined;
      const { object, oldObject, namespace, signal } = attributes;
      if (object.spec.parallelism === oldObject.spec.parallelism) return undefined;
      const named = oldObject.spec.template.spec.schedulingGroup?.podGroupName;
      const found: MaybePromise<readonly (KnownGroup | undefined)[]> =
        named === undefined
          ? groups.list({ namespace, by: ['controller', uidOf(oldObject)] }, signal)
          : andThen(groups.get(namespace, named, signal), (group) => [group]);
      return andThen(found, (list) => {
        const gang = list.find((group) => group?.isGang);
        if (!gang) return;
        const shown = JSON.stringify(gang.name);
        throw forbidden(attributes, `cannot change parallelism for a Job referencing gang-scheduled PodGroup ${shown}`);
      });
    },
  };
}

function knownGroup(group: PodGroup): KnownGroup {
  return {
    name: nameOf(group),
    isGang: group.spec.schedulingPolicy.gang !== undefined,
    controllers: (group.metadata.ownerReferences ?? []).flatMap(({ controller, uid }) => (controller ? [uid] : [])),
  };
}
