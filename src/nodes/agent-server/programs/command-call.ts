import type { ContainerFiles } from '../files/container-files.ts';
import type { ProgramCall } from './program-call.ts';

/** A command that runs in a stand-in container, with its words. */
export interface CommandCall extends ProgramCall {
  /** The command and its arguments. */
  readonly words: readonly string[];
  readonly files: ContainerFiles;
  readonly env: ReadonlyMap<string, string>;
}

/** Runs a command and returns its exit code. */
export type CommandRunner = (call: CommandCall) => Promise<number>;
