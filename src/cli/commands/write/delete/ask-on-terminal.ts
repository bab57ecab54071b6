import { createInterface } from 'node:readline/promises';
import type { CliIo } from '../../../cli-io.ts';

/**
 * Asks a question on stdout, and returns the line that is answered; empty at the end of the input.
 */
export async function askOnTerminal(question: string, { stdin, stdout, signal }: CliIo): Promise<string> {
  const lines = createInterface({ input: stdin, output: stdout });
  const ended = new Promise<string>((resolve) => void lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question, { signal }), ended]);
  } finally {
    lines.close();
  }
}
