import { type Command, command, inSection } from '../../command.ts';

/** The commands about the shell. */
export const shellCommands: readonly Command[] = inSection('Other', [
  command({
    name: 'help',
    summary: 'print the help of all commands, of a group or of one',
    usage: '[COMMAND]',
    completes: 'command',
    flags: async () => (await import('./flags.ts')).helpFlags,
    examples: [
      ['the flags of get', 'cl help get'],
      ['the commands of a group', 'cl help auth'],
    ],
    load: async () => (await import('./help.ts')).help,
  }),
  command({
    name: 'completion',
    summary: 'print the script with which a shell completes commands, flags and names',
    usage: 'bash | zsh | fish | powershell',
    words: [1, 1],
    flags: async () => (await import('./flags.ts')).completionFlags,
    examples: [
      ['in this bash', 'source <(cl completion bash)'],
      ['in each zsh', 'cl completion zsh > "${fpath[1]}/_cl"'],
      ['in each fish', 'cl completion fish > ~/.config/fish/completions/cl.fish'],
    ],
    load: async () => (await import('./completion.ts')).completion,
  }),
  command({
    name: 'plugin list',
    summary: 'list the programs on the PATH that are commands',
    usage: '',
    words: [0, 0],
    flags: async () => (await import('./flags.ts')).pluginListFlags,
    examples: [
      ['their paths', 'cl plugin list'],
      ['their names', 'cl plugin list --name-only'],
    ],
    load: async () => (await import('./plugin-list.ts')).pluginList,
  }),
]);
