/** The headers in which Node's parser looks for a requested upgrade. */
const connectionHeaders: ReadonlySet<string> = new Set(['connection', 'proxy-connection']);

/**
 * Returns the header lines of a request that no longer requests an upgrade: with one left, Node's
 * parser would stop at it again and again. The `Upgrade` header stays: it tells a WebSocket, whose
 * token counts, from other requests.
 */
export function linesWithoutUpgrade(rawHeaders: readonly string[]): readonly string[] {
  const lines: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    const kept = connectionHeaders.has(name.toLowerCase()) ? withoutUpgrade(value) : value;
    lines.push(`${name}: ${kept}`);
  }
  return lines;
}

/** Omits all options with the word, whatever the parser takes for the option. */
function withoutUpgrade(connection: string): string {
  const options = connection.split(',').filter((option) => !/upgrade/i.test(option));
  return options.join(',').trim();
}
