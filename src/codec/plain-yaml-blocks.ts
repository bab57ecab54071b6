const header = /^([|>])([+-]?)([1-9]?)([+-]?)(?: +#.*| *)$/;

interface BlockScalar {
  readonly text: string;
  /** The line after it. */
  readonly next: number;
}

/**
 * Reads a literal or folded block scalar (YAML 1.2 section 8.1), whose header is given and whose
 * lines begin at `from`; `indent` is the indentation of its collection. Undefined if it is
 * malformed or unusual.
 */
export function blockScalar(
  lines: readonly string[],
  from: number,
  start: string,
  indent: number,
): BlockScalar | undefined {
  const match = header.exec(start);
  if (!match || (match[2] && match[4])) return undefined;
  const [, style, before, digit, after] = match;
  const inner = digit ? indent + Number(digit) : firstIndent(lines, from);
  if (inner <= indent) return isNothing(lines, from) ? undefined : { text: '', next: from };
  const content: string[] = [];
  let next = from;
  for (; next < lines.length; next++) {
    const line = lines[next] ?? '';
    const own = line.length - line.trimStart().length;
    if (line.trim() === '' && !line.includes('\t')) content.push(line.slice(inner));
    else if (own >= inner && line.slice(0, inner).trim() === '' && !line.slice(0, inner).includes('\t')) {
      content.push(line.slice(inner));
    } else if (own > indent) return undefined;
    else break;
  }
  // The end of the text is no line of its own.
  if (next === lines.length && content.at(-1) === '') content.pop();
  return { text: joined(content, style === '>', before || after || ''), next };
}

/** The indentation of the first line that is not blank; -1 if lines before it have more. */
function firstIndent(lines: readonly string[], from: number): number {
  let most = 0;
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const own = line.length - line.replace(/^ +/, '').length;
    if (own < line.length) return own < most ? Number.POSITIVE_INFINITY : own;
    most = Math.max(most, own);
  }
  return -1;
}

/** Reports whether blank lines follow, whose number a scalar without content may keep. */
function isNothing(lines: readonly string[], from: number): boolean {
  return (lines[from] ?? '').trim() === '';
}

/** Joins the lines of a scalar, and chomps the line breaks at its end. */
function joined(lines: readonly string[], isFolded: boolean, chomping: string): string {
  let last = lines.length;
  while (last > 0 && lines[last - 1] === '') last--;
  const body = lines.slice(0, last);
  const text = isFolded ? folded(body) : body.join('\n');
  if (chomping === '-') return text;
  if (chomping === '+') return text + '\n'.repeat(lines.length - last + (last > 0 ? 1 : 0));
  return last > 0 ? `${text}\n` : '';
}

/** Line breaks between lines of text are spaces; those beside blank and indented lines stay. */
function folded(lines: readonly string[]): string {
  let text = '';
  let breaks = 0;
  let wasIndented = true;
  for (const [index, line] of lines.entries()) {
    if (line === '') {
      breaks++;
      continue;
    }
    const isIndented = line.startsWith(' ') || line.startsWith('\t');
    if (index === 0) text = line;
    else if (text === '') text = '\n'.repeat(breaks) + line;
    else if (isIndented || wasIndented) text += '\n'.repeat(breaks + 1) + line;
    else text += (breaks === 0 ? ' ' : '\n'.repeat(breaks)) + line;
    wasIndented = isIndented;
    breaks = 0;
  }
  return text;
}
