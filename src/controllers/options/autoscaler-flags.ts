import { inSection } from '../../flags/flag-table.ts';
import { duration, number } from '../../flags/flag-types.ts';

/** The flags of the controller of autoscalers, named as in kube-controller-manager. */
export const autoscalerFlags = inSection('Autoscaling', {
  'horizontal-pod-autoscaler-sync-period': {
    type: duration({ positive: true }),
    default: 15_000,
    help: 'time between two looks at the metrics of an autoscaler',
  },
  'horizontal-pod-autoscaler-downscale-stabilization': {
    type: duration(),
    default: 300_000,
    help: 'time in which the greatest recommendation counts, unless an autoscaler has a window of its own',
  },
  'horizontal-pod-autoscaler-tolerance': {
    type: number('share'),
    default: 0.1,
    help: 'share by which a metric may differ from its target before anything is scaled',
  },
  'horizontal-pod-autoscaler-cpu-initialization-period': {
    type: duration(),
    default: 300_000,
    help: 'time after the start of a pod in which its CPU use counts only once it is ready',
  },
  'horizontal-pod-autoscaler-initial-readiness-delay': {
    type: duration(),
    default: 30_000,
    help: 'time after the start of a pod in which a change of its readiness counts as its first one',
  },
});
