import { type Command, command, inSection } from '../../../command.ts';

/** The command that edits. */
export const editCommands: readonly Command[] = inSection('Write', [
  command({
    name: 'edit',
    summary: 'change objects in your editor ($CL_EDITOR or $EDITOR)',
    usage: 'TYPE NAME... | TYPE/NAME... | -f FILE',
    completes: 'type-and-names',
    flags: async () => (await import('./flags.ts')).editFlags,
    examples: [
      ['a deployment', 'cl edit deployment/web'],
      ['two objects as JSON, in one file', 'cl edit service/web configmap/settings -o json'],
      ['without a person', `CL_EDITOR="sed -i 's/colour: blue/colour: red/'" cl edit configmap settings`],
    ],
    load: async () => (await import('./edit.ts')).edit,
  }),
]);
