import { andThen, type MaybePromise } from '../../../async/maybe-promise.ts';
import type { Workload } from '../../../gen/stored/scheduling-v1alpha2.ts';
import { deletionTimestampOf } from '../../../meta/object-meta.ts';
import type { AdmissionPlugin, PluginContext } from '../../admission.ts';
import { forbidden } from '../../forbidden.ts';
import { isWriteTo } from '../../is-write-to.ts';

interface KnownWorkload {
  readonly isDeleted: boolean;
  /** The names of the templates of its PodGroups. */
  readonly templates: ReadonlySet<string>;
}

/** Refuses a PodGroup whose Workload or template is missing or being deleted. */
export function podGroupWorkloadExists({ identifiers, listerOf }: PluginContext): AdmissionPlugin {
  const group = `scheduling.${identifiers.apiDomain}`;
  const workloads = listerOf({
    group,
    resource: 'workloads',
    read: (workload: Workload): KnownWorkload => ({
      isDeleted: deletionTimestampOf(workload) !== '',
      templates: new Set((workload.spec.podGroupTemplates ?? []).map(({ name }) => name)),
    }),
  });
  return {
    name: 'PodGroupWorkloadExists',
    operations: ['CREATE'],
    resources: ['podgroups'],
    validate(attributes): MaybePromise<void> {
      if (!isWriteTo(attributes, group, 'podgroups', 'CREATE')) return undefined;
      const reference = attributes.object.spec.podGroupTemplateRef?.workload;
      if (!reference) return undefined;
      const { workloadName, podGroupTemplateName } = reference;
      return andThen(workloads.get(attributes.namespace, workloadName, attributes.signal), (workload) => {
        const problem = problemOf(workload, JSON.stringify(workloadName), podGroupTemplateName);
        if (problem !== '') throw forbidden(attributes, `PodGroup rejected: ${problem}`);
      });
    },
  };
}

function problemOf(workload: KnownWorkload | undefined, shown: string, template: string): string {
  if (!workload) return `Workload ${shown} not found`;
  if (workload.isDeleted) return `Workload ${shown} is being deleted`;
  if (workload.templates.has(template)) return '';
  return `PodGroupTemplate ${JSON.stringify(template)} not found in Workload ${shown}`;
}
