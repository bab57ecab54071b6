/** Beginnings of lines by which our programs, and Node, give the reason of their end. */
const final = /^(?:cl-[a-z-]+: |[A-Za-z]*Error\b|FATAL ERROR: )/;

/** The line that our servers write when all is well. */
const usual = /^cl-[a-z-]+: serving on /;

const lineLimit = 3;
const characterLimit = 500;

/**
 * The lines of a log by which a program gave the reason of its end, without records and stack
 * traces; '' if there is none. The rest of a long one is in the log.
 */
export function lastWordsOf(log: string): string {
  const lines = log.split('\n').filter((line) => final.test(line) && !usual.test(line));
  const words = lines.slice(-lineLimit).join('; ');
  return words.length > characterLimit ? `${words.slice(0, characterLimit)}...` : words;
}
