/**
 * How Go prints values that have no text of their own. Messages of kube-apiserver show some refused values so, and people
 * search for those messages.
 */
export function goStringMap(map: Readonly<Record<string, unknown>> | undefined): string {
  const entries = Object.entries(map ?? {}).toSorted(([a], [b]) => (a < b ? -1 : 1));
  if (!map || entries.length === 0) return 'map[string]string(nil)';
  return `map[string]string{${entries.map(([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`).join(', ')}}`;
}

/** A list of texts, as Go prints it; some are lists of a type that is made of texts. */
export function goStrings(list: readonly string[] | undefined, type = 'string'): string {
  const items = (list ?? []).map((item) => JSON.stringify(item));
  return items.length > 0 ? `[]${type}{${items.join(', ')}}` : `[]${type}(nil)`;
}

/** A label selector, as Go prints it. */
export function goLabelSelector(selector: {
  readonly matchLabels?: Readonly<Record<string, unknown>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}): string {
  const expressions = (selector.matchExpressions ?? []).map(
    ({ key, operator, values }) =>
      `v1.LabelSelectorRequirement{Key:${JSON.stringify(key)}, Operator:${JSON.stringify(operator)}, Values:${goStrings(values)}}`,
  );
  const list = expressions.length > 0 ? `{${expressions.join(', ')}}` : '(nil)';
  return `v1.LabelSelector{MatchLabels:${goStringMap(selector.matchLabels)}, MatchExpressions:[]v1.LabelSelectorRequirement${list}}`;
}

/** A number or a text (`25%`), as Go prints it. */
export function goIntOrString(value: unknown): string {
  const [type, number, text] = typeof value === 'string' ? [1, 0, value] : [0, Number(value ?? 0), ''];
  return `intstr.IntOrString{Type:${type}, IntVal:${number}, StrVal:${JSON.stringify(text)}}`;
}
