// Which releases and feature gates concern a message: those of its fields, and of all messages in it. With them a schema of a
// release is the schema of another one where nothing differs (src/scheme/schema-of.ts).

/** The rows with `releases` and `gates` where they have any. */
export function withChanges(rows) {
  const byName = new Map(rows.map(({ name, row }) => [name, row]));
  return rows.map(({ name, row }) => {
    const messages = [...messagesIn(name, byName)].map((one) => byName.get(one));
    const reached = messages.flatMap((one) => one?.fields ?? []);
    const atomic = messages.flatMap((one) => one?.atomicSince ?? []);
    const releases = sorted([...atomic, ...reached.flatMap(releasesOf)], (a, b) => minorOf(a) - minorOf(b));
    const gates = sorted(reached.flatMap(({ gate }) => (gate ? [gate] : [])));
    return {
      name,
      row: { ...row, ...(releases.length > 0 ? { releases } : {}), ...(gates.length > 0 ? { gates } : {}) },
    };
  });
}

function messagesIn(name, byName, found = new Set()) {
  if (found.has(name)) return found;
  found.add(name);
  for (const { message } of byName.get(name)?.fields ?? []) if (message) messagesIn(message, byName, found);
  return found;
}

function releasesOf({ since, removed, publishedSince, omittedSince, emptyKeySince, patch, laterValues = [] }) {
  const releases = [
    since,
    removed,
    publishedSince,
    omittedSince,
    emptyKeySince,
    patch?.since,
    ...laterValues.map((later) => later.since),
  ];
  return releases.filter((release) => release !== undefined);
}

function minorOf(release) {
  const minor = Number(release.split('.')[1]);
  if (!Number.isInteger(minor)) throw new Error(`${JSON.stringify(release)} is no release`);
  return minor;
}

function sorted(values, compare) {
  return [...new Set(values)].toSorted(compare);
}
