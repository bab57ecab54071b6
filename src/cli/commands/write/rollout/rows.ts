import { type Command, command, inSection } from '../../../command.ts';

const common = { completes: 'type-and-names', usage: 'TYPE NAME | TYPE/NAME | -f FILE' } as const;

/** The commands about rollouts of deployments, daemonsets and statefulsets. */
export const rolloutCommands: readonly Command[] = inSection('Write', [
  command({
    ...common,
    name: 'rollout status',
    summary: 'say how far a rollout is, until it has ended',
    flags: async () => (await import('./flags.ts')).statusFlags,
    examples: [
      ['of a deployment', 'cl rollout status deployment/web --timeout=2m'],
      ['of all deployments, without waiting', 'cl rollout status deployments --watch=false'],
    ],
    load: async () => (await import('./rollout-status.ts')).rolloutStatus,
  }),
  command({
    ...common,
    name: 'rollout history',
    summary: 'list the revisions of a workload, or show one',
    flags: async () => (await import('./flags.ts')).historyFlags,
    examples: [
      ['one revision', 'cl rollout history deployment/web --revision=2'],
      ['all revisions', 'cl rollout history deployment/web'],
    ],
    load: async () => (await import('./rollout-history.ts')).rolloutHistory,
  }),
  command({
    ...common,
    name: 'rollout undo',
    summary: 'go back to an earlier revision',
    flags: async () => (await import('./flags.ts')).undoFlags,
    examples: [
      ['the one before', 'cl rollout undo deployment/web'],
      ['a revision', 'cl rollout undo deployment/web --to-revision=2'],
    ],
    load: async () => (await import('./rollout-changes.ts')).undoRollout,
  }),
  command({
    ...common,
    name: 'rollout restart',
    summary: 'replace all pods of a workload',
    flags: async () => (await import('./flags.ts')).rolloutFlags,
    examples: [
      ['of a deployment', 'cl rollout restart deployment/web'],
      ['of all with a label', 'cl rollout restart deployments -l app=web'],
    ],
    load: async () => (await import('./rollout-changes.ts')).restartRollout,
  }),
  command({
    ...common,
    name: 'rollout pause',
    summary: 'roll out no changes of a deployment for now',
    flags: async () => (await import('./flags.ts')).rolloutFlags,
    examples: [
      ['of a deployment', 'cl rollout pause deployment/web'],
      ['of a file', 'cl rollout pause -f app.yaml'],
    ],
    load: async () => (await import('./rollout-changes.ts')).pauseRollout,
  }),
  command({
    ...common,
    name: 'rollout resume',
    summary: 'roll out what was changed in a pause',
    flags: async () => (await import('./flags.ts')).rolloutFlags,
    examples: [
      ['of a deployment', 'cl rollout resume deployment/web'],
      ['of a file', 'cl rollout resume -f app.yaml'],
    ],
    load: async () => (await import('./rollout-changes.ts')).resumeRollout,
  }),
]);
