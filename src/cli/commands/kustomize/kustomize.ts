import { flagName, type Flag } from '../../../flags/flag-table.ts';
import type { Invocation } from '../../command.ts';
import { runKustomize } from '../../manifests/run-kustomize.ts';
import { kustomizeFlags } from './flags.ts';

/** `cl kustomize`: prints what the program kustomize builds, or lets it write that to files. */
export async function kustomize({ words, options, given, io }: Invocation<typeof kustomizeFlags>): Promise<void> {
  const rows = Object.entries<Flag>(kustomizeFlags).filter(([option]) => given(option));
  const values: Readonly<Record<string, unknown>> = options;
  const flags = rows.flatMap(([option, row]) => {
    const value = values[option];
    const texts = Array.isArray(value) ? value.map(String) : [row.type.format(value)];
    return texts.map((each) => `--${flagName(option, row)}=${each}`);
  });
  io.stdout.write(await runKustomize(words[0] ?? '.', io, flags));
}
