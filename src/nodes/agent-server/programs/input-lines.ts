import type { ProgramCall } from './program-call.ts';

const longestLine = 64 * 1024;
const interrupt = '\u0003';
const endOfInput = '\u0004';

/**
 * The lines of the input of a program. With a terminal the characters are echoed, backspace removes
 * one, ^C begins a new line and ^D ends the input.
 */
export async function* inputLines({ stdin, out, tty, signal }: ProgramCall): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let line = '';
  for await (const chunk of stdin) {
    for (const character of decoder.decode(chunk, { stream: true })) {
      if (signal.aborted || (tty && character === endOfInput && line === '')) return;
      if (character === '\n' || (tty && character === '\r')) {
        if (tty) await out('\r\n');
        yield line;
        line = '';
      } else if (tty && character === interrupt) {
        await out('^C\r\n');
        line = '';
        yield '';
      } else if (tty && (character === '\u007f' || character === '\b')) {
        if (line !== '') await out('\b \b');
        line = line.slice(0, -1);
      } else if (line.length < longestLine) {
        line += character;
        if (tty) await out(character);
      }
    }
  }
  if (line !== '') yield line;
}
