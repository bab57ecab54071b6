/** A document of a YAML file. */
export interface ManifestDocument {
  readonly text: string;
  /** The line on which it begins, from 1. */
  readonly line: number;
}

const separator = /^---(?=\s|$)/gm;
const content = /^[^\S\n]*[^\s#]/m;

/**
 * Splits at lines that begin with `---`, which always separate documents (YAML 1.2 section 9.1).
 * The rest of the line of a marker belongs to its document. Documents without content are left out.
 */
export function splitDocuments(text: string): ManifestDocument[] {
  const documents: ManifestDocument[] = [];
  let [start, line] = [0, 1];
  const end = (at: number, next: number): void => {
    const document = text.slice(start, at);
    if (content.test(document)) documents.push({ text: document, line });
    line += countLines(document);
    start = next;
  };
  for (const { index } of text.matchAll(separator)) end(index, index + 3);
  end(text.length, text.length);
  return documents;
}

function countLines(text: string): number {
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return lines;
}
