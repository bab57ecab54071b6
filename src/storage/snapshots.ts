import type { EventLog } from './event-log.ts';
import type { ObjectTree } from './object-tree.ts';

/** A tree that no one changes any more, and the revision of the last change in it. */
interface Snapshot {
  readonly stateRevision: number;
  readonly tree: ObjectTree;
}

/**
 * States kept so that the pages of a list find theirs without undoing the log. They share all unchanged nodes with the
 * live tree; what they cost is the objects that changed since, so a few are enough for the lists that run at a time.
 */
const keptLimit = 16;

/** Past states of one resource, found from the nearest later state by undoing the log. */
export class Snapshots {
  #kept: Snapshot[] = [];

  /** Keeps a state whose pages are being read. */
  keep(snapshot: Snapshot): void {
    const others = this.#kept.filter(({ stateRevision }) => stateRevision !== snapshot.stateRevision);
    this.#kept = [...others, snapshot].slice(-keptLimit);
  }

  /** The state as it was at `revision`, which must not be before the log's start. `live` is a snapshot of now. */
  at(revision: number, live: Snapshot, log: EventLog): ObjectTree {
    const stateRevision = log.stateRevision(revision);
    const base = this.#kept
      .filter((kept) => kept.stateRevision >= stateRevision)
      .reduce((nearest, kept) => (kept.stateRevision < nearest.stateRevision ? kept : nearest), live);
    if (base.stateRevision <= stateRevision) return base.tree;
    return undo(base, stateRevision, log);
  }

  /** Lets go of states before `revision`. */
  trim(revision: number): void {
    this.#kept = this.#kept.filter(({ stateRevision }) => stateRevision >= revision);
  }
}

function undo(base: Snapshot, stateRevision: number, log: EventLog): ObjectTree {
  const tree = base.tree.clone();
  for (const { key, previous } of log.between(stateRevision, base.stateRevision).toReversed()) {
    if (previous) tree.set(previous);
    else tree.delete(key);
  }
  return tree;
}
