import { useMemo, useState } from 'preact/hooks';
import { objectState } from '../../cli/commands/inspect/tree/object-state.ts';
import { type OwnedObject, readOwners } from '../../cli/commands/inspect/tree/read-owners.ts';
import { textAt } from '../../cli/commands/inspect/describe/parts/values.ts';
import type { JsonObject } from '../../meta/json-value.ts';
import { type OwnerNode, ownerTrees } from '../graph/owner-tree.ts';
import { fragmentOf } from '../page/route.ts';
import { useAsync } from '../page/use-async.ts';
import { objectPath } from '../server/paths.ts';
import { sendJson } from '../server/send.ts';
import { sourceOf } from '../server/source-of.ts';
import type { ObjectProps } from './object-props.ts';
import { OwnerGraph } from './owner-graph.tsx';

/** Objects of a kind that are searched for owners. */
const mostOfKind = 5000;

/** Objects whose states are read, and how many at a time. */
const mostStates = 40;
const parallel = 4;

/** The owners and dependents of an object, as a graph and as a list. */
export function OwnersTab(props: ObjectProps) {
  const { kinds, namespace, object } = props;
  const uid = textAt(object, 'metadata.uid');
  const [round, setRound] = useState(0);
  const { value, error } = useAsync(
    async (signal) => {
      const leftOut: string[] = [];
      const all = await readOwners(sourceOf(kinds, signal), namespace, {
        mostOfType: mostOfKind,
        onLeftOut: ({ resource }, reason) =>
          leftOut.push(reason === 'many' ? `${resource} after the first ${mostOfKind}` : resource),
      });
      return { trees: ownerTrees(uid, all), leftOut };
    },
    `${uid} ${round}`,
    uid,
  );
  const nodes = useMemo(() => (value?.trees ?? []).flatMap(allNodes), [value]);
  const { value: states } = useAsync(
    (signal) =>
      readStates(
        nodes.flatMap(({ object: each }) => each ?? []),
        signal,
      ),
    nodes.map(({ key }) => key).join(' '),
    uid,
  );
  if (error !== undefined) return <p class="error">{error}</p>;
  if (!value) return <p class="hint">Reading the owners of all objects…</p>;
  const { trees, leftOut } = value;
  const shown = { uid, states: states ?? new Map<string, string>() };
  return (
    <div class="owners">
      <div class="bar">
        <button onClick={() => setRound(round + 1)}>Read again</button>
        <span class="hint">
          {nodes.length === 1
            ? 'It has no owners and no dependents.'
            : 'Owners are at the left, dependents at the right.'}
        </span>
      </div>
      {leftOut.length > 0 && <p class="notice">Not searched: {leftOut.join(', ')}.</p>}
      {nodes.length > 1 && <OwnerGraph trees={trees} {...shown} />}
      <h2>As a list</h2>
      <OwnerList nodes={trees} {...shown} />
    </div>
  );
}

function allNodes(node: OwnerNode): readonly OwnerNode[] {
  return [node, ...node.children.flatMap(allNodes)];
}

/** The states of objects by their UIDs; an object that may not be read has none. */
async function readStates(objects: readonly OwnedObject[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  const waiting = objects.slice(0, mostStates);
  const states = new Map<string, string>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next && !signal.aborted; next = waiting.shift()) {
      const { resource, namespace, name, uid } = next;
      try {
        states.set(uid, objectState(await sendJson<JsonObject>(objectPath(resource, namespace, name), { signal })));
      } catch {
        // It may be deleted meanwhile, or its reading be forbidden.
      }
    }
  };
  await Promise.all(Array.from({ length: parallel }, work));
  return states;
}

interface OwnerListProps {
  readonly nodes: readonly OwnerNode[];
  readonly uid: string;
  readonly states: ReadonlyMap<string, string>;
}

function OwnerList({ nodes, uid, states }: OwnerListProps) {
  if (nodes.length === 0) return null;
  return (
    <ul>
      {nodes.map((node) => (
        <li key={node.key}>
          <OwnerLink node={node} isChosen={node.key === uid} />{' '}
          <span class="hint">
            {states.get(node.key)}
            {node.otherOwners.length > 0 && ` (also of ${node.otherOwners.length} other)`}
          </span>
          <OwnerList nodes={node.children} uid={uid} states={states} />
        </li>
      ))}
    </ul>
  );
}

function OwnerLink({
  node: { kind, name, object },
  isChosen,
}: {
  readonly node: OwnerNode;
  readonly isChosen: boolean;
}) {
  if (!object) {
    return (
      <span>
        {kind} {name} {!/^\d+ more$/.test(name) && <span class="error">gone</span>}
      </span>
    );
  }
  return (
    <a href={linkOf(object)} aria-current={isChosen ? 'true' : undefined}>
      {kind} {name}
    </a>
  );
}

/** The page of the owners of an object. */
function linkOf({ resource: { group, resource }, namespace, name }: OwnedObject): string {
  return fragmentOf({ page: 'kind', group, resource, namespace, name, tab: 'owners' });
}
