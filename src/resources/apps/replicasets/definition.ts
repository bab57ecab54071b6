import type { Column } from '../../../codec/table-definition.ts';
import type { ReplicaSet } from '../../../gen/stored/apps-v1.ts';
import type { Strategy } from '../../../registry/definition/strategy.ts';
import { FieldCursor } from '../../../status/field-cursor.ts';
import { builtIn } from '../../built-in.ts';
import { replicas, workloadWithSelector } from '../../columns/workload.ts';
import { defaultPodTemplate } from '../../core/pods/default.ts';
import { scale as scaleStrategy } from '../../rules/workloads/scale-of.ts';
import {
  checkChosenTemplate,
  checkReplicaStatus,
  checkSelector,
  checkSelectorKept,
} from '../../rules/workloads/check-selector.ts';
import { scaleSubresource, scaleIn, statusSubresource } from '../../subresources.ts';
import { withOperatorsOfTemplate } from '../../core/pods/number-operators.ts';

/** The columns of replica sets. */
export const columns: readonly Column<ReplicaSet>[] = [...replicas, ...workloadWithSelector];

/** The strategy of ReplicaSets. */
export const strategy: Strategy<ReplicaSet> = {
  templatePath: ['spec', 'template'],
  default: ({ spec }, context) => defaultPodTemplate(spec.template, context),
  validate: (replicaSet, { emulated }, old) => {
    const spec = new FieldCursor(replicaSet).at('spec');
    // kube-apiserver's message names the wrong kind.
    checkSelector(spec, 'deployment');
    checkChosenTemplate(spec, 'ReplicaSet', withOperatorsOfTemplate(old, emulated));
    return spec.errors;
  },
  validateUpdate: checkSelectorKept,
  subresources: {
    scale: scaleStrategy,
    status: { validateUpdate: checkReplicaStatus },
  },
};

/** The resource `replicasets` of the group `apps`. */
export const replicaSets = builtIn<ReplicaSet>({
  group: 'apps',
  resource: 'replicasets',
  kind: 'ReplicaSet',
  namespaced: true,
  versions: {
    v1: { introduced: '1.9' },
    v1beta2: { introduced: '1.8', deprecated: { since: '1.9', removed: '1.16', replacement: 'v1' } },
  },
  shortNames: ['rs'],
  categories: ['all'],
  subresources: [{ ...scaleSubresource, versions: ['v1'] }, scaleIn('apps', 'v1beta2'), statusSubresource],
  columns,
  strategy,
});
