/**
 * Merges lists of names without repetitions. The names of each list keep their order; names without
 * an order between them are sorted. If lists contradict each other, all names are sorted.
 */
export function mergeInOrder(lists: readonly (readonly string[])[]): readonly string[] {
  const followers = new Map<string, Set<string>>();
  for (const list of lists) {
    list.forEach((name, index) => {
      const after = followers.get(name) ?? new Set();
      followers.set(name, after);
      const next = list[index + 1];
      if (next !== undefined) after.add(next);
    });
  }
  const whole = lists.find((list) => list.length === followers.size);
  if (whole) return whole;
  const merged = inOrder(followers);
  return merged.length === followers.size ? merged : [...followers.keys()].toSorted();
}

/** The names in topological order (Kahn's algorithm); names in a cycle are missing. */
function inOrder(followers: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const before = new Map<string, number>();
  for (const after of followers.values()) for (const name of after) before.set(name, (before.get(name) ?? 0) + 1);
  const free = [...followers.keys()].filter((name) => !before.has(name)).toSorted();
  const merged: string[] = [];
  for (let name = free.shift(); name !== undefined; name = free.shift()) {
    merged.push(name);
    for (const next of followers.get(name) ?? []) {
      const left = (before.get(next) ?? 0) - 1;
      before.set(next, left);
      if (left === 0) insertSorted(free, next);
    }
  }
  return merged;
}

function insertSorted(names: string[], name: string): void {
  const index = names.findIndex((other) => other > name);
  names.splice(index < 0 ? names.length : index, 0, name);
}
