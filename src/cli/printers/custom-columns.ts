import type { JsonValue } from '../../meta/json-value.ts';
import { CliError } from '../cli-error.ts';
import { visibleText } from '../format-rows.ts';
import { goText } from '../../meta/go-value.ts';
import { followPath } from './json-path.ts';
import { parsePath, type PathStep } from './parse-json-path.ts';

/** A column: its heading, and the path of its cells. */
export interface CustomColumn {
  readonly heading: string;
  readonly steps: readonly PathStep[];
}

/** Parses `-o custom-columns=NAME:.metadata.name,AGE:.metadata.creationTimestamp`. */
export function parseCustomColumns(spec: string): CustomColumn[] {
  if (spec === '') throw new CliError('custom-columns format specified but no custom columns given');
  // A comma in brackets belongs to a path.
  return spec.split(/,(?![^[]*\])/).map((part) => {
    const colon = part.indexOf(':');
    if (colon < 0 || colon === part.length - 1) {
      throw new CliError(`unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    }
    return { heading: part.slice(0, colon), steps: parsePath(part.slice(colon + 1)) };
  });
}

/** Parses a file of `-o custom-columns-file`: a line of headings, and a line of paths. */
export function parseColumnsFile(text: string): CustomColumn[] {
  const [headings = [], paths = []] = text.split('\n').map((line) => line.trim().split(/\s+/).filter(Boolean));
  if (headings.length === 0 || headings.length !== paths.length) {
    throw new CliError('a file of custom columns has a line of headings and a line with as many paths');
  }
  return headings.map((heading, index) => ({ heading, steps: parsePath(paths[index] ?? '') }));
}

/** The cells of an object; several values of a path are separated by commas. */
export function customCells(columns: readonly CustomColumn[], object: JsonValue): string[] {
  return columns.map(({ steps }) => {
    const values = followPath(steps, object, { allowMissing: true });
    return values.length === 0 ? '<none>' : values.map((value) => visibleText(goText(value))).join(',');
  });
}
