/** The words of PromQL that are no metrics: operators, modifiers and aggregations. */
const words: ReadonlySet<string> = new Set(
  'and or unless by without on ignoring group_left group_right bool offset sum min max avg count group topk'.split(' '),
);

/** A selector of series: its metric, undefined if only its labels say it, and its text without a range. */
export interface Selector {
  readonly metric: string | undefined;
  readonly text: string;
  readonly labels: readonly string[];
}

/** The selectors of a query whose syntax is known to be right, and the labels that it groups or joins by. */
export function readQuery(query: string): {
  readonly selectors: readonly Selector[];
  readonly groupedBy: readonly string[];
} {
  const grouping = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;
  const groupedBy = [...query.matchAll(grouping)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.trim()),
  );
  const rest = query.replaceAll(grouping, ' ');
  const pattern =
    /([a-zA-Z_:][a-zA-Z0-9_:]*)?\s*(\{(?:[^"}]|"(?:\\.|[^"\\])*")*\})|"[^"]*"|\[[^\]]*\]|\b\d[\w.]*|([a-zA-Z_:][a-zA-Z0-9_:]*)(\s*\()?/g;
  const selectors = [...rest.matchAll(pattern)].flatMap(([text, named, braces, bare, call]): Selector[] => {
    if (braces !== undefined) return [{ metric: named, text, labels: labelsOf(braces) }];
    if (bare === undefined || call !== undefined || words.has(bare)) return [];
    return [{ metric: bare, text: bare, labels: [] }];
  });
  return { selectors, groupedBy: groupedBy.filter((name) => name !== '') };
}

function labelsOf(braces: string): readonly string[] {
  const matchers = braces.matchAll(/([a-zA-Z_]\w*)\s*(?:=~|!~|!=|=)\s*"(?:\\.|[^"\\])*"/g);
  return [...matchers].map(([, name = '']) => name).filter((name) => name !== '__name__');
}
