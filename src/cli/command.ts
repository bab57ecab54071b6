import type { FlagTable, FlagValues, SectionedFlags } from '../flags/flag-table.ts';
import type { CliIo } from './cli-io.ts';
import type { globalFlags, GlobalOptions } from './global-flags.ts';

/** Headings of `cl --help`, in its order. */
export const commandSections = ['Start', 'Read', 'Write', 'Pods', 'Nodes', 'Access', 'Other'] as const;

/** The arguments, flags and environment of a running command. */
export interface Invocation<T extends FlagTable = typeof globalFlags> {
  /** The arguments that are no flags, without the words of the command. */
  readonly words: readonly string[];
  /** How many of the words precede `--`; undefined without it. */
  readonly wordsBeforeDashes: number | undefined;
  /** The values of the flags of the command and of all commands, by the keys of their rows. */
  readonly options: FlagValues<T> & GlobalOptions;
  /** Arguments for other programs: flags of `moreFlags` as `--name=value`, as they were given. */
  readonly more: readonly string[];
  /** Tells a flag that was given from one that has its default, by the key of its row. */
  readonly given: (option: string) => boolean;
  readonly io: CliIo;
  /** All commands, for help and completion. */
  readonly commands: readonly Command[];
  /** The line that starts the command, for messages: `cl auth can-i`. */
  readonly command: string;
}

/** A command of `cl`: the texts of help and completion, and the program. */
export interface Command {
  /** The words of the command: `get`, `auth can-i`. */
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly section: (typeof commandSections)[number];
  /** A line that begins with a verb. */
  readonly summary: string;
  /** The words after the command, as in help: `TYPE [NAME...]`. */
  readonly usage: string;
  /** The least and the greatest number of words; by default any. */
  readonly words?: readonly [least: number, most: number];
  /** The meaning of the words, for completion; by default they are not completed. */
  readonly completes?: 'type-and-names' | 'pod' | 'node' | 'context' | 'file' | 'command';
  /** Loads its flags, which are a third of what all commands would load. */
  readonly flags: () => Promise<FlagTable>;
  /** Loads flags, by name, that the command hands to other programs; only if one is given. */
  readonly moreFlags?: () => Promise<SectionedFlags>;
  /** True if `--config` names a file that has flags by their names. */
  readonly hasConfigFile?: true;
  /** Lines that work when pasted, with what they do. */
  readonly examples: readonly (readonly [does: string, line: string])[];
  /** Loads and runs the program; throws `CliError` for failures that it explains. */
  readonly run: (invocation: Invocation<FlagTable>) => Promise<void>;
}

/** A row of a table of commands; the section is stated for the whole table. */
type SectionRow = Omit<Command, 'section'> & Partial<Pick<Command, 'section'>>;

/** Returns commands with a section of help; a row may state another section. */
export function inSection(section: Command['section'], rows: readonly SectionRow[]): readonly Command[] {
  return rows.map((row) => ({ section, ...row }));
}

/** The parts of a row, with the types of the flags. */
interface CommandRow<T extends FlagTable> extends Omit<SectionRow, 'flags' | 'run'> {
  readonly flags: () => Promise<T>;
  readonly load: () => Promise<(invocation: Invocation<T>) => Promise<void>>;
}

/** A row of the table of commands, whose program gets the values of the flags of the row. */
export function command<T extends FlagTable>({ load, ...row }: CommandRow<T>): SectionRow {
  return {
    ...row,
    run: async (invocation) => {
      const program = await load();
      // The values were parsed by the flags of this row.
      await program(invocation as Invocation<T>);
    },
  };
}
