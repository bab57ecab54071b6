import type { EventLog } from './event-log.ts';
import type { ObjectTree } from '../objects/object-tree.ts';

/** An immutable tree, and the revision of the last change in it. */
interface Snapshot {
  readonly stateRevision: number;
  readonly tree: ObjectTree;
}

/**
 * Maximum number of snapshots that are kept for the further pages of lists. They share unchanged
 * leaves with the live tree, so each costs only the objects changed since. A few are enough for the
 * concurrent lists.
 */
const keptLimit = 16;

/** Past states of one resource, reconstructed from the nearest later state by undoing the log. */
export class Snapshots {
  #kept: Snapshot[] = [];

  /** Keeps a snapshot whose further pages will be read. */
  keep(snapshot: Snapshot): void {
    const others = this.#kept.filter(({ stateRevision }) => stateRevision !== snapshot.stateRevision);
    this.#kept = [...others, snapshot].slice(-keptLimit);
  }

  /**
   * The state at `revision`, which must not be before the log's start. `live` is a snapshot of the
   * present state.
   */
  at(revision: number, live: Snapshot, log: EventLog): ObjectTree {
    const stateRevision = log.stateRevision(revision);
    const base = this.#kept
      .filter((kept) => kept.stateRevision >= stateRevision)
      .reduce((nearest, kept) => (kept.stateRevision < nearest.stateRevision ? kept : nearest), live);
    if (base.stateRevision <= stateRevision) return base.tree;
    return undo(base, stateRevision, log);
  }

  /** Drops snapshots before `revision`. */
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
