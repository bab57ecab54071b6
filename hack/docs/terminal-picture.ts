/** A command of a session in a terminal, and the lines that it printed. */
export interface TerminalStep {
  readonly command: string;
  readonly output: readonly string[];
}

const [columns, columnWidth, lineHeight, margin] = [100, 7.83, 19, 20];

/** Colours of text and background, by the scheme of the reader, with a contrast of more than 5 to 1. */
const style = `
text { font: 13px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; fill: #1f2328; white-space: pre }
rect { fill: #f6f8fa; stroke: #d0d7de }
.prompt { fill: #57606a }
.command { fill: #0550ae; font-weight: 600 }
@media (prefers-color-scheme: dark) {
  text { fill: #e6edf3 }
  rect { fill: #0d1117; stroke: #30363d }
  .prompt { fill: #9198a1 }
  .command { fill: #79c0ff }
}
`;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

function escaped(text: string): string {
  return text.replaceAll(/[&<>]/g, (sign) => entities[sign] ?? sign);
}

function unescaped(text: string): string {
  return Object.entries(entities).reduceRight((given, [sign, entity]) => given.replaceAll(entity, sign), text);
}

/** The session as an SVG file, readable on light and dark pages. Longer lines are cut. */
export function terminalPicture(title: string, steps: readonly TerminalStep[]): string {
  const lines = steps.flatMap(({ command, output }, index) => [
    ...(index === 0 ? [] : ['']),
    `<tspan class="prompt">$ </tspan><tspan class="command">${escaped(command)}</tspan>`,
    ...output.map((line) => escaped(line.length > columns ? `${line.slice(0, columns - 1)}…` : line)),
  ]);
  const width = Math.ceil(columns * columnWidth + 2 * margin);
  const height = lines.length * lineHeight + 2 * margin;
  const texts = lines.map((line, index) =>
    line === ''
      ? ''
      : `<text x="${margin}" y="${margin + 14 + index * lineHeight}" xml:space="preserve">${line}</text>\n`,
  );
  const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img">
<title>${escaped(title)}</title>
<style>${style}</style>
<rect x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
${texts.join('')}</svg>
`;
}

/** The commands that a picture shows. */
export function pictureCommands(svg: string): readonly string[] {
  return [...svg.matchAll(/<tspan class="command">([^<]*)</g)].map(([, command = '']) => unescaped(command));
}
