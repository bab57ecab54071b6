import { type Command, command, inSection } from '../../command.ts';

/** The command that shows a cluster in the browser. */
export const dashboardCommands: readonly Command[] = inSection('Read', [
  command({
    name: 'dashboard',
    summary: 'show the cluster in your browser with your credentials',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).dashboardFlags,
    examples: [
      ['print a link that works once', 'cl dashboard'],
      ['open it too', 'cl dashboard --open'],
    ],
    load: async () => (await import('./dashboard.ts')).dashboard,
  }),
]);
