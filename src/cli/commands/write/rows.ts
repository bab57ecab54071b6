import { type Command, command, inSection } from '../../command.ts';
import { applyCommands } from './apply/rows.ts';
import { changeCommands } from './change/rows.ts';
import { editCommands } from './edit/rows.ts';
import { generateCommands } from './generate/rows.ts';
import { nodeCommands } from './nodes/rows.ts';
import { rolloutCommands } from './rollout/rows.ts';
import { setCommands } from './set/rows.ts';

/** The commands that write, and `convert`. */
export const writeCommands: readonly Command[] = inSection('Write', [
  command({
    name: 'create',
    summary: 'create objects from files or from flags',
    usage: '-f FILE | TYPE NAME',
    flags: async () => (await import('./flags.ts')).createFlags,
    examples: [
      ['what a file has', 'cl create -f app.yaml'],
      ['what another program prints, in a namespace', 'cat app.yaml | cl create -f - -n work'],
      ['after a change in your editor', 'cl create -f app.yaml --edit'],
    ],
    load: async () => (await import('./create.ts')).create,
  }),
  ...generateCommands,
  ...applyCommands,
  command({
    name: 'delete',
    summary: 'delete objects by name, by selector or from files',
    usage: 'TYPE NAME... | TYPE -l SELECTOR | TYPE/NAME... | -f FILE',
    completes: 'type-and-names',
    flags: async () => (await import('./delete/flags.ts')).deleteFlags,
    examples: [
      ['two secrets', 'cl delete secret a b'],
      ['pods with a label', 'cl delete pods -l app=web'],
      ['what a file has', 'cl delete -f app.yaml'],
    ],
    load: async () => (await import('./delete/delete.ts')).deleteObjects,
  }),
  ...editCommands,
  ...changeCommands,
  ...setCommands,
  ...rolloutCommands,
  ...nodeCommands,
  command({
    name: 'convert',
    summary: 'print the objects of files in another API version; needs no server',
    usage: '-f FILE',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).convertFlags,
    examples: [
      ['a version by name', 'cl convert -f budget.yaml --output-version=policy/v1'],
      ['the preferred one, as JSON', 'cat old.yaml | cl convert -f - -o json'],
    ],
    load: async () => (await import('./convert.ts')).convert,
  }),
]);
