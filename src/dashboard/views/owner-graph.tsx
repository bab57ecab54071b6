import { useMemo } from 'preact/hooks';
import { graphLayout, nodeSize } from '../graph/graph-layout.ts';
import type { OwnerNode } from '../graph/owner-tree.ts';
import { fragmentOf } from '../page/route.ts';

interface OwnerGraphProps {
  readonly trees: readonly OwnerNode[];
  /** The object that the page is about. */
  readonly uid: string;
  readonly states: ReadonlyMap<string, string>;
}

/** Room for the frames of nodes at the edges. */
const edge = 2;

/** Characters of a line in a node. */
const longest = 26;

/**
 * Owners and dependents as a picture. A list with the same links is beside it, so that readers of
 * the page by ear or by keys need no picture.
 */
export function OwnerGraph({ trees, uid, states }: OwnerGraphProps) {
  const { width, height, nodes, edges } = useMemo(() => graphLayout(trees), [trees]);
  return (
    <div class="graph" tabIndex={0} role="group" aria-label="Graph of owners and dependents; a list follows">
      <svg
        width={width + 2 * edge}
        height={height + 2 * edge}
        viewBox={`${-edge} ${-edge} ${width + 2 * edge} ${height + 2 * edge}`}
        aria-hidden="true"
        focusable="false"
      >
        {edges.map(({ key, path }) => (
          <path key={key} class="edge" d={path} />
        ))}
        {nodes.map(({ node, x, y }) => (
          <g key={node.key} transform={`translate(${x},${y})`} class={classOf(node, uid, states)}>
            <NodeLink node={node}>
              <rect width={nodeSize.width} height={nodeSize.height} rx={6} />
              <text x={10} y={18} class="node-name">
                {short(node.name)}
              </text>
              <text x={10} y={35} class="node-kind">
                {short([node.kind, states.get(node.key)].filter(Boolean).join(' · '))}
              </text>
              <title>{`${node.kind} ${node.name} ${states.get(node.key) ?? ''}`}</title>
            </NodeLink>
          </g>
        ))}
      </svg>
    </div>
  );
}

interface NodeLinkProps {
  readonly node: OwnerNode;
  readonly children: preact.ComponentChildren;
}

function NodeLink({ node: { object }, children }: NodeLinkProps) {
  if (!object) return <g>{children}</g>;
  const { resource, namespace, name } = object;
  const route = { group: resource.group, resource: resource.resource, namespace, name, tab: 'owners' };
  return (
    <a href={fragmentOf({ page: 'kind', ...route })} tabindex={-1}>
      {children}
    </a>
  );
}

function classOf({ key, object }: OwnerNode, uid: string, states: ReadonlyMap<string, string>): string {
  const isBad = /^not |gone|Failed|BackOff|Err/.test(states.get(key) ?? '');
  return ['node', key === uid ? 'chosen' : '', object ? '' : 'absent', isBad ? 'bad' : ''].filter(Boolean).join(' ');
}

function short(text: string): string {
  return text.length > longest ? `${text.slice(0, longest - 1)}…` : text;
}
